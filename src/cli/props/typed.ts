/** Text from the command line as the value of a prop (pure). The runtime checks the value. */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { isRecord } from '../../protocol/record.ts';
import { own } from '../../protocol/own.ts';
import { UsageError } from '../arguments.ts';

/**
 * @param texts more than one only makes sense for a list
 * @throws UsageError naming the prop when the text cannot be a value of its type
 */
export function typedValue(prop: ConfigurableProp, texts: readonly string[]): unknown {
  if (prop.type.endsWith('[]')) return typedList(prop, texts);
  const text = texts.at(-1) ?? '';
  if (texts.length > 1) throw new UsageError(`The prop ${prop.name} takes one value.`);
  return typedItem(prop, prop.type, text);
}

function typedList(prop: ConfigurableProp, texts: readonly string[]): unknown[] {
  const [first = ''] = texts;
  if (texts.length === 1 && first.trimStart().startsWith('[')) {
    const list = fromJson(first);
    if (Array.isArray(list)) return list as unknown[];
  }
  return texts.map((text) => typedItem(prop, prop.type.slice(0, -2), text));
}

function typedItem(prop: ConfigurableProp, type: string, text: string): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) throw wrong(prop, 'a number', text);
      return value;
    }
    case 'boolean': {
      const value = own(booleans, text.toLowerCase());
      if (value === undefined) throw wrong(prop, 'true or false', text);
      return value;
    }
    case 'app':
      return typedAccount(text);
    case '$.interface.timer': {
      const schedule = text.trimStart().startsWith('{') ? fromJson(text) : parseSchedule(text);
      const example = 'a schedule such as 15m or "0 9 * * 1-5"';
      if (typeof schedule !== 'object' || schedule === null) throw wrong(prop, example, text);
      return schedule;
    }
    case 'object': {
      const value = untyped(text);
      // A text is a value, too (P3.21), but hardly one that begins like JSON.
      if (value === text && /^\s*[{[]/.test(text)) throw wrong(prop, 'JSON', text);
      return value;
    }
    default:
      return untyped(text);
  }
}

/** An id, or the value itself as JSON; null leaves the account out. */
function typedAccount(text: string): unknown {
  const value = untyped(text);
  return value === null || isRecord(value) ? value : { authProvisionId: text };
}

/** A timer as people write it on a command line. */
export type Schedule = { readonly intervalSeconds: number } | { readonly cron: string };

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `90s`, `15m`, `2h`, `1d` or a cron expression; undefined for anything else. */
export function parseSchedule(text: string): Schedule | undefined {
  const trimmed = text.trim();
  const interval = /^(\d+)([smhd]?)$/.exec(trimmed);
  if (interval !== null) {
    return { intervalSeconds: Number(interval[1]) * (units[interval[2] ?? ''] ?? 1) };
  }
  // The runtime reads the expression; the number of fields distinguishes it from a typing error.
  return /^(?:\S+\s+){4,5}\S+$/.test(trimmed) ? { cron: trimmed } : undefined;
}

/** A prop whose definition is not known: JSON where it is, else the text. */
export function untyped(text: string): unknown {
  const value = fromJson(text);
  return value === undefined ? text : value;
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A secret is not repeated on the screen. */
function wrong(prop: ConfigurableProp, expected: string, text: string): UsageError {
  const given = prop.secret === true ? '' : `, not "${text}"`;
  return new UsageError(`The prop ${prop.name} takes ${expected}${given}.`);
}
