/** The values that expressions can read, as executions have shown them (pure). */

/** A name that can be next in a chain. */
export interface KnownName {
  readonly name: string;
  /** `string`, `number`, `list of 3`, `object` … */
  readonly type: string;
  /** The newest value, short. */
  readonly value: string;
}

/**
 * The names below a chain.
 * @param runs `{steps, event, process}` of executions, newest first: what only an older one had is known, too
 */
export function namesBelow(
  runs: readonly Readonly<Record<string, unknown>>[],
  chain: readonly string[],
): KnownName[] {
  const found = new Map<string, KnownName>();
  for (const run of runs) {
    const value = valueOf(run, chain);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const [name, item] of Object.entries(value)) {
      if (!found.has(name)) found.set(name, { name, type: typeOf(item), value: shortOf(item) });
    }
  }
  return [...found.values()];
}

/** The newest value of a chain; undefined where no run has one. */
export function newestValue(
  runs: readonly Readonly<Record<string, unknown>>[],
  chain: readonly string[],
): unknown {
  for (const run of runs) {
    const value = valueOf(run, chain);
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueOf(run: unknown, chain: readonly string[]): unknown {
  let value = run;
  for (const name of chain) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `list of ${value.length}`;
  return typeof value;
}

const shortLength = 60;

export function shortOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > shortLength ? `${text.slice(0, shortLength - 1)}…` : text;
}
