/** HTTP requests of a step, as its process told of them and as they are kept (pure). */
import type { OutgoingRequest } from '../../../protocol/outgoing-request.ts';
import { type Mask, maskOf } from '../../../protocol/mask.ts';
import { outgoingRequest } from '../../../protocol/schemas/outgoing-requests.ts';
import { isRecord } from '../../../protocol/record.ts';
import { withHidden, withoutCredentials } from './shareable-request.ts';

/** Hides the values of the step's accounts: they are nowhere on disk in clear. */
export function accountMask(
  accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Mask {
  const values: Record<string, string> = {};
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'string') values[name] = value;
    else if (isRecord(value)) for (const [key, one] of Object.entries(value)) add(key, one);
  };
  for (const auth of Object.values(accounts)) {
    for (const [name, value] of Object.entries(auth)) if (!isPublic(name)) add(name, value);
  }
  return maskOf(values);
}

/** What is part of addresses and answers, and lets nobody in: the address of a signer does. */
function isPublic(name: string): boolean {
  if (name === 'oauth_signer_uri') return false;
  return /(?:^|_)(?:uid|id|domain|subdomain|host|hostname|url|uri|endpoint|region|email|username|user|name|account|site|instance|version|port|scopes?)$/i.test(
    name,
  );
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
