/** The text for `uses` of a step for a component that a search has found (pure). */
import type { Offered } from './search-text.ts';

/**
 * `key@version`, and for a key that several have exactly which.
 * @returns undefined for one that others could not find by it: a file of this machine
 */
export function usableName(found: readonly Offered[]): (one: Offered) => string | undefined {
  const seen = new Map<string, number>();
  for (const { key } of found) if (key !== null) seen.set(key, (seen.get(key) ?? 0) + 1);
  return ({ key, version, reference }) => {
    if (key !== null && version !== null && seen.get(key) === 1) return `${key}@${version}`;
    return /^[\\/]|^[a-z]:[\\/]/i.test(reference) ? undefined : reference;
  };
}
