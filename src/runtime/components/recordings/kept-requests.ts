/** HTTP requests of a step, as its process reported them and as they are stored (pure). */
import type { OutgoingRequest } from '../../../protocol/outgoing-request.ts';
import { type Mask, maskOf } from '../../../protocol/mask.ts';
import { outgoingRequest } from '../../../protocol/schemas/outgoing-requests.ts';
import { accountSecrets } from '../../../protocol/secret-values.ts';
import { withHidden, withoutCredentials } from './shareable-request.ts';

/** Hides the values of the step's accounts: they are nowhere on disk in clear. */
export function accountMask(
  accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Mask {
  return maskOf(accountSecrets(accounts));
}

/**
 * @param told JSON texts, which code of strangers may have made: what is no request is left out
 * @param masks hide values of accounts and of environment variables
 * @returns JSON text of a list; null when there is nothing to keep
 */
export function keptRequests(
  told: readonly { readonly json: string }[],
  masks: readonly Pick<Mask, 'text'>[],
): string | null {
  const hide = (text: string): string => masks.reduce((shown, mask) => mask.text(shown), text);
  const kept = told.flatMap(({ json }) => {
    const read = outgoingRequest.safeParse(parsed(json));
    if (!read.success) return [];
    return [withHidden(withoutCredentials(read.data as OutgoingRequest), hide)];
  });
  return kept.length === 0 ? null : JSON.stringify(kept);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
