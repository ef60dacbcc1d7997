/** Which version a reference asks for (pure). Components and packages are numbered as npm packages are. */
import { coerce, compare, maxSatisfying, satisfies, valid, validRange } from 'semver';

/** Whether a reference names one version, and not a range: `1.2` is a range. */
export function isExact(wanted: string): boolean {
  return valid(wanted) !== null && /^\d/.test(wanted);
}

/** Pre-releases only fit when they are asked for by name. */
export function fits(version: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  if (valid(version) === null) return version === wanted;
  return satisfies(version, wanted);
}

/** The highest one that fits; a pre-release only when it is asked for, or there is nothing else. */
export function highest(
  versions: readonly string[],
  wanted: string | undefined,
): string | undefined {
  const known = versions.filter((one) => valid(one) !== null);
  if (wanted !== undefined) {
    return validRange(wanted) === null
      ? versions.find((one) => one === wanted)
      : (maxSatisfying(known, wanted) ?? undefined);
  }
  return maxSatisfying(known, '*') ?? [...known].sort(compare).at(-1) ?? versions.at(-1);
}

export function isNewer(version: string, than: string): boolean {
  return valid(version) !== null && valid(than) !== null && compare(version, than) > 0;
}

export function newestFirst(a: string, b: string): number {
  if (valid(a) === null || valid(b) === null) return a < b ? 1 : -1;
  return compare(b, a);
}

/** The one that differs least from what is wanted: a change of the major counts most, then the later one is taken. */
export function nearestVersion(versions: readonly string[], wanted: string): string | undefined {
  const target = coerce(wanted);
  if (target === null) return versions[0];
  const gap = (one: string): number => {
    const version = coerce(one);
    if (version === null) return Number.POSITIVE_INFINITY;
    if (version.major !== target.major) return Math.abs(version.major - target.major) * 1e12;
    if (version.minor !== target.minor) return Math.abs(version.minor - target.minor) * 1e6;
    return Math.abs(version.patch - target.patch);
  };
  return versions
    .filter((one) => valid(one) !== null)
    .sort((a, b) => gap(a) - gap(b) || compare(b, a))[0];
}
