/** Makes a value small enough for a model, and says where something is missing (pure). */

/** A cut part: `read` returns the rest. */
export interface Cut {
  /** JSON pointer below the document. */
  readonly pointer: string;
  /** Characters of a text, or members of a list or object. */
  readonly shown: number;
  readonly of: number;
}

export interface Shortened {
  readonly value: unknown;
  readonly cuts: readonly Cut[];
}

/** Text is cut before lists are: a list of ids is what one asks further with. */
const steps = [
  { text: 2000, members: 100 },
  { text: 800, members: 50 },
  { text: 300, members: 25 },
  { text: 120, members: 12 },
  { text: 60, members: 5 },
  { text: 20, members: 2 },
] as const;

/** Below this nothing is shown. */
const deepest = 24;

/** @param most characters of JSON that the value may have; what is smaller stays whole */
export function shorten(value: unknown, most: number): Shortened {
  if (size(value) <= most) return { value, cuts: [] };
  let shortened: Shortened = { value: null, cuts: [] };
  for (const { text, members } of steps) {
    shortened = within(value, text, members);
    if (size(shortened.value) <= most) return shortened;
  }
  return { value: null, cuts: [{ pointer: '', shown: 0, of: size(value) }] };
}

function within(whole: unknown, text: number, members: number): Shortened {
  const cuts: Cut[] = [];
  const walk = (value: unknown, pointer: string, depth: number): unknown => {
    if (typeof value === 'string') {
      if (value.length <= text) return value;
      cuts.push({ pointer, shown: text, of: value.length });
      // Half of a surrogate pair is no text.
      return value.slice(0, text).toWellFormed();
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const shown = depth >= deepest ? 0 : members;
    if (entries.length > shown) cuts.push({ pointer, shown, of: entries.length });
    const kept = entries
      .slice(0, shown)
      .map(
        ([key, member]) => [key, walk(member, `${pointer}/${escaped(key)}`, depth + 1)] as const,
      );
    return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
  };
  return { value: walk(whole, '', 0), cuts };
}

/** The value that a JSON pointer names; undefined if there is none. */
export function at(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (found, key) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, key)
          ? (found as Record<string, unknown>)[key]
          : undefined,
      value,
    );
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function size(value: unknown): number {
  return (JSON.stringify(value) ?? '').length;
}
