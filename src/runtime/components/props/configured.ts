/** What people configure: the forms a value may have (P4.1 to P4.5). */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import { type Configured, isSecretPlaceholder } from '../../../protocol/effective-props.ts';
import { accountIn } from '../../../protocol/account-value.ts';
import { kindOf } from '../../../protocol/ids.ts';
import { isRecord } from '../../../protocol/record.ts';

export type { Configured };

/** The value itself, without the `{"__lv": {label, value}}` it was picked in. */
export function unwrapped(value: unknown): unknown {
  if (!isRecord(value) || !('__lv' in value)) return value;
  const picked = value['__lv'];
  return Array.isArray(picked) ? picked.map(valueOf) : valueOf(picked);
}

function valueOf(picked: unknown): unknown {
  return isRecord(picked) && 'value' in picked ? picked['value'] : picked;
}

/**
 * Merges a change into what is configured: null removes a value, and what only replies show (a secret as
 * `{secret: true}`) changes nothing, so that a client may send back what it got.
 */
export function mergeConfigured(
  definition: ComponentDefinition,
  before: Configured,
  change: Configured,
): Configured {
  const secrets = new Set(secretProps(definition));
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name);
    else if (!secrets.has(name) || !isSecretPlaceholder(value)) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** Names of the props whose values are sealed at rest and never shown. */
export function secretProps({ props }: ComponentDefinition): string[] {
  return props.filter(({ secret }) => secret === true).map(({ name }) => name);
}

/**
 * Ids of the accounts that these values name. A text that was picked is one only if it looks like one, for options have
 * texts as values, too; a bare text is one only once its prop is known: see `normalised`.
 */
export function accountIds(configured: Configured): string[] {
  return Object.values(configured).flatMap((value) => {
    const picked = unwrapped(value);
    if (isRecord(picked)) return accountIn(picked) ?? [];
    const isAccount =
      typeof picked === 'string' && picked !== value && kindOf(picked) === 'account';
    return isAccount ? picked : [];
  });
}
