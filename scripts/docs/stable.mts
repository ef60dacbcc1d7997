/** Real answers with made-up ids, times and keys, so that they are the same at each telling (pure). */
import { createHash } from 'node:crypto';

/** When everything in the page happens. */
const noon = Date.UTC(2026, 0, 15, 12);
const quarterHour = 15 * 60_000;
/** What is further away from now is no time. */
const month = 31 * 86_400_000;

export interface StableOptions {
  /** Epoch ms, when the answers were given; a few minutes make no difference. */
  readonly now: number;
  /** Texts of this machine, such as addresses and folders, each with what the page has in its place. */
  readonly names: readonly (readonly [from: string, to: string])[];
}

/** Numbers that differ each time, by the names of their fields. */
const measured: Readonly<Record<string, number>> = {
  connect_ms: 1,
  duration_ms: 185,
  first_byte_ms: 4,
  total_ms: 5,
  /** Seconds that a record still has: one less as soon as a busy machine takes its time. */
  ttl: 3600,
  port: 9229,
};

/** The same secret always, which Standard Webhooks has in its own documents. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @returns a function for all answers of one story: what is one id in several answers stays one */
export function createStable({ now, names }: StableOptions): <T>(value: T) => T {
  const counts = new Map<string, number>();
  const known = new Map<string, string>();
  /** The nth of its kind in place of what was first seen as the nth. */
  const nth = (kind: string, text: string, make: (n: number) => string): string => {
    const made = known.get(text);
    if (made !== undefined) return made;
    const n = counts.get(kind) ?? 0;
    counts.set(kind, n + 1);
    known.set(text, make(n));
    return known.get(text) ?? '';
  };

  /** To the quarter of an hour: an hour from now stays an hour from noon. */
  const timeOf = (ms: number): number | undefined => {
    if (Math.abs(ms - now) > month) return undefined;
    return noon + Math.round((ms - now) / quarterHour) * quarterHour;
  };
  const msText = (text: string): string => String(timeOf(Number(text)) ?? text);
  const secondsText = (text: string): string => {
    const ms = timeOf(Number(text) * 1000);
    return ms === undefined ? text : String(ms / 1000);
  };

  const stableId = (id: string): string => {
    const prefix = id.slice(0, -7);
    return nth(prefix, id, (n) => prefix + madeUp(`${prefix}${n}`, base62, 7));
  };

  const stableText = (text: string): string =>
    names
      .reduce((all, [from, to]) => all.replaceAll(from, to), text)
      .replaceAll(/\b\d{13}-\d+\b/g, (id) => nth('event', id, (n) => `${noon}-${n}`))
      .replaceAll(/\b\d{13}\b/g, msText)
      .replaceAll(/\b\d{10}\b/g, secondsText)
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => {
        const ms = timeOf(Date.parse(iso));
        return ms === undefined ? iso : new Date(ms).toISOString();
      })
      .replaceAll(/\b\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, new Date(noon).toUTCString())
      .replaceAll(/\b(?:dc|sc|wh|oa|sub|asub|apn|ds|hi|ti|dyp|u|p|d)_[0-9A-Za-z]{7}\b/g, stableId)
      .replaceAll(
        /\bsse_(p_[0-9A-Za-z]{7})_\w{22}\b/g,
        (_address, id: string) => `sse_${stableId(id)}_${madeUp('stream', base62, 22)}`,
      )
      .replaceAll(
        /127\.0\.0\.1(:|%3A)\d+(\/|%2F)oauth(\/|%2F)callback(\/|%2F)[\w-]{16}/g,
        (_address, ...[colon, one, two, three]: string[]) =>
          `127.0.0.1${colon}53682${one}oauth${two}callback${three}${madeUp('callback', base62, 16)}`,
      )
      // States, challenges, and names of connections.
      .replaceAll(/(?<![\w+-])[\w-]{43}(?![\w/+=-])/g, (random) =>
        nth('random', random, (n) => madeUp(`random${n}`, base62, 32) + madeUp(`${n}`, base62, 11)),
      )
      .replaceAll(/\b[0-9a-f]{64}\b/g, (hex) => nth('hash', hex, (n) => sha256(`hash${n}`)))
      .replaceAll(/\b[0-9a-f]{32}\b/g, (hex) =>
        nth('token', hex, (n) => sha256(`token${n}`).slice(0, 32)),
      )
      .replaceAll(/\bah_[\w-]{22}(?![\w-])/g, (address) =>
        nth('address', address, (n) => `ah_${madeUp(`address${n}`, base62, 22)}`),
      )
      .replaceAll(/\bv1,[0-9A-Za-z+/]{43}=/g, (signature) =>
        nth('signature', signature, (n) => `v1,${sha256(`signature${n}`, 'base64')}`),
      )
      // Not a part of a signature.
      .replaceAll(/(?<![\w+/=])[0-9A-Za-z]{27}(?![\w+/=])/g, (id) =>
        nth('emit', id, (n) => madeUp(`emit${n}`, base62, 27)),
      )
      // The folders that the examples are written into.
      .replaceAll(/[^\s"']*\/weir-docs-\w{6}\b/g, '/home/you/components')
      .replaceAll(/\bin [\d.]+ ms\b/g, 'in 4 ms')
      .replaceAll(/\bws:\/\/127\.0\.0\.1:\d+/g, `ws://127.0.0.1:${measured['port']}`)
      .replaceAll(/\bwhsec_[0-9A-Za-z+/]+=*/g, secret)
      .replaceAll(/\bweir_[\w-]{43}/g, `weir_${madeUp('key', base62, 43)}`)
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (uuid) =>
        nth('uuid', uuid, () => '0f1e2d3c-4b5a-4678-8899-aabbccddeeff'),
      );

  const stableNumber = (value: number): number =>
    timeOf(value) ?? (Number.isInteger(value) ? Number(secondsText(String(value))) : value);

  const stable = (value: unknown, field: string): unknown => {
    if (typeof value === 'number') return measured[field] ?? stableNumber(value);
    if (typeof value === 'string') {
      return field.endsWith('_cursor') ? stableCursor(value, stableText) : stableText(value);
    }
    if (Array.isArray(value)) return value.map((item) => stable(item, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [stableText(name), stable(item, name)]),
    );
  };
  return <T,>(value: T) => stable(value, '') as T;
}

/** The cursor of most lists is the base64 of an id (P16.6). */
function stableCursor(cursor: string, stableText: (text: string) => string): string {
  const id = Buffer.from(cursor, 'base64').toString('utf8');
  if (!/^[a-z]+_\w+$/.test(id)) return stableText(cursor);
  return Buffer.from(stableText(id)).toString('base64').replace(/=+$/, '');
}

function madeUp(seed: string, alphabet: string, length: number): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, length);
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}

function sha256(text: string, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}
