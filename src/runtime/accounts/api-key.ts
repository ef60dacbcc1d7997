/** The key of REST, RPC and SSE: the same in every start of a data folder, and sealed in its store. */
import { randomBytes } from 'node:crypto';
import type { SettingsTable } from '../store/configuration/settings.ts';
import type { Sealer } from './seal.ts';

export const sealedKey = 'sealedApiKey';
/** The plain-text key in stores of 0.1. */
const clearKey = 'apiKey';

/**
 * Reads the key of a database that another runtime serves.
 * @throws WeirError('store_failed') while it has none, or for another key
 */
export async function readApiKey(
  get: (key: string) => Promise<string | undefined>,
  sealer: Sealer,
): Promise<string> {
  return sealer.open((await get(sealedKey)) ?? '');
}

/** Replaces a key that was sealed with another encryption key: clients read the new one in `runtime.json`. */
export async function loadApiKey(settings: SettingsTable, sealer: Sealer): Promise<string> {
  const sealed = settings.get(sealedKey);
  if (sealed !== undefined && sealer.fits(sealed)) return sealer.open(sealed);
  const clear = settings.get(clearKey) ?? '';
  const made = sealer.seal(clear === '' ? randomBytes(24).toString('base64url') : clear);
  // If several nodes start together on one database, one of them decides the key.
  const kept = sealed === undefined ? await settings.ensure(sealedKey, made) : made;
  if (sealed !== undefined) await settings.set(sealedKey, kept);
  if (clear !== '') await settings.set(clearKey, '');
  return sealer.open(kept);
}
