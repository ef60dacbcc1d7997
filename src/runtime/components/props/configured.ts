/** Configured values: the forms a value may have (P4.1 to P4.5). */
import type { ComponentDefinition } from '../../../protocol/definition.ts';
import { type Configured, isSecretPlaceholder } from '../../../protocol/effective-props.ts';
import { accountNamed } from '../../../protocol/account-value.ts';

export type { Configured };

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

/** Ids of the accounts that these values name. A bare text is one only once its prop is known: see `normalised`. */
export function accountIds(configured: Configured): string[] {
  return Object.values(configured).flatMap((value) =>
    typeof value === 'string' ? [] : (accountNamed(value) ?? []),
  );
}
