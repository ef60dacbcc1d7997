/** The key of REST, RPC and SSE: the same in every start of a data folder, and sealed in its store. */
import { randomBytes } from 'node:crypto';
import type { SettingsTable } from '../store/configuration/settings.ts';
import type { Sealer } from './seal.ts';

const sealedKey = 'sealedApiKey';
/** Where stores of 0.1 have it, in the clear. */
const clearKey = 'apiKey';

/** One that was sealed with another key is replaced: whoever needs it reads it in `runtime.json`. */
export async function loadApiKey(settings: SettingsTable, sealer: Sealer): Promise<string> {
  const sealed = settings.get(sealedKey);
  if (sealed !== undefined && sealer.fits(sealed)) return sealer.open(sealed);
  const clear = settings.get(clearKey) ?? '';
  const apiKey = clear === '' ? randomBytes(24).toString('base64url') : clear;
  await settings.set(sealedKey, sealer.seal(apiKey));
  if (clear !== '') await settings.set(clearKey, '');
  return apiKey;
}
