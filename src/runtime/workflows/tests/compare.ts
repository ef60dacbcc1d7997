/** Compares what a test expects with the result. */
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../../protocol/errors.ts';
import { isRecord } from '../../../protocol/record.ts';
import { searchPatterns } from '../../base/patterns.ts';

export interface Difference {
  /** Such as `steps.total.$return_value.items[2].price`. */
  readonly path: string;
  readonly expected: unknown;
  /** Undefined where nothing came. */
  readonly got: unknown;
}

/** Whether a pattern matches a part of a text. */
type Finds = (pattern: string, text: string) => boolean;

/**
 * Of mappings only what is expected is compared; lists have to be as long as expected. `{$any: true}` is whatever
 * came, `{$type: string}` whatever has that type, `{$match: "^ord_"}` a text that the pattern finds.
 * @throws WeirError `bad_input` for a pattern that takes too long
 */
export async function differences(expected: unknown, got: unknown): Promise<Difference[]> {
  const searches = new Map<string, { readonly pattern: string; readonly text: string }>();
  const keyOf = (pattern: string, text: string): string => `${pattern.length} ${pattern}${text}`;
  compared(expected, got, '', (pattern, text) => {
    searches.set(keyOf(pattern, text), { pattern, text });
    return true;
  });
  const asked = [...searches.values()].map((search) => ({ ...search, flags: 'u' }));
  const found = await searchPatterns(asked);
  const answers = new Map([...searches.keys()].map((key, index) => [key, found[index] === true]));
  return compared(expected, got, '', (pattern, text) => answers.get(keyOf(pattern, text)) === true);
}

function compared(expected: unknown, got: unknown, path: string, finds: Finds): Difference[] {
  if (isMatcher(expected)) return fits(expected, got, finds) ? [] : [{ path, expected, got }];
  if (isRecord(expected) && isRecord(got)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      compared(value, own(got, key), joinedPath(path, key), finds),
    );
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    const length =
      expected.length === got.length
        ? []
        : [{ path: joinedPath(path, 'length'), expected: expected.length, got: got.length }];
    const shared = expected.slice(0, got.length);
    return [
      ...length,
      ...shared.flatMap((value: unknown, index) =>
        compared(value, got[index], `${path}[${index}]`, finds),
      ),
    ];
  }
  return isDeepStrictEqual(expected, got) ? [] : [{ path, expected, got }];
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The path of a key below another path, as code would write it. */
export function joinedPath(path: string, key: string): string {
  const part = /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  return path === '' ? part.replace(/^\./, '') : path + part;
}

type Matcher = { readonly $any: true } | { readonly $type: string } | { readonly $match: string };

/** The errors of a matcher are reported when its file is read. */
function isMatcher(value: unknown): value is Matcher {
  if (!isRecord(value)) return false;
  const [key, ...others] = Object.keys(value);
  return others.length === 0 && (key === '$any' || key === '$type' || key === '$match');
}

/** @returns why a mapping with the key of a matcher is not a valid matcher, as the end of a sentence */
export function matcherFault(value: Readonly<Record<string, unknown>>): string | undefined {
  if (!isMatcher(value)) return undefined;
  const { $any: any, $type: type, $match: pattern }: Readonly<Record<string, unknown>> = value;
  if (any !== undefined) return any === true ? undefined : '"$any" must be true';
  if (type !== undefined) {
    if (types.some((name) => name === type)) return undefined;
    return `"$type" must be one of ${types.map((name) => `"${name}"`).join(', ')}`;
  }
  if (typeof pattern !== 'string') return '"$match" must be text, a regular expression';
  try {
    // Checks the syntax and searches for nothing.
    RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return `"$match" must be a regular expression: ${messageOf(error)}`;
  }
}

const types = ['string', 'number', 'boolean', 'object', 'list', 'null'] as const;

function fits(matcher: Matcher, got: unknown, finds: Finds): boolean {
  if ('$any' in matcher) return got !== undefined;
  if ('$type' in matcher) return typeName(got) === matcher.$type;
  return typeof got === 'string' && finds(matcher.$match, got);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
