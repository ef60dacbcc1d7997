/**
 * Lists and objects while they are being typed: rows that are empty or lack a key are not part of the
 * value, but must not disappear either (pure).
 */
import { isRecord } from '../../protocol/record.ts';
import { pickedOf, textOf } from './values.ts';

export type ObjectRows = readonly (readonly [key: string, value: string])[];

export type ObjectDraft =
  | { readonly mode: 'rows'; readonly rows: ObjectRows }
  | { readonly mode: 'json'; readonly text: string };

/** The rows of a list: the typed ones, while they still have the same value. */
export function listDraft(draft: unknown, value: unknown): readonly string[] {
  const texts = pickedOf(value).map((option) => textOf(option.value));
  if (
    isTexts(draft) &&
    sameTexts(
      draft.filter((text) => text.trim() !== ''),
      texts,
    )
  )
    return draft;
  return texts.length === 0 ? [''] : texts;
}

export function objectDraft(draft: unknown, value: unknown): ObjectDraft {
  if (isRecord(draft) && draft['mode'] === 'json' && typeof draft['text'] === 'string') {
    const { text } = draft;
    if (sameJson(read(text), value ?? undefined)) return { mode: 'json', text };
  }
  if (isRecord(draft) && draft['mode'] === 'rows') {
    const rows = draft['rows'] as ObjectRows;
    if (sameJson(pairs(rows), value ?? {})) return { mode: 'rows', rows };
  }
  return fresh(value);
}

/** The object of the rows; a row without a key does not count. */
export function pairs(rows: ObjectRows): Record<string, string> {
  return Object.fromEntries(rows.filter(([key]) => key !== ''));
}

function fresh(value: unknown): ObjectDraft {
  if (value === undefined || value === null) return { mode: 'rows', rows: [['', '']] };
  const isPlain = isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
  if (!isPlain) {
    return {
      mode: 'json',
      text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    };
  }
  const rows = Object.entries(value).map(([key, one]) => [key, String(one)] as const);
  return { mode: 'rows', rows: rows.length === 0 ? [['', '']] : rows };
}

/** The parsed text, or the text itself when it is not JSON. */
function read(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isTexts(draft: unknown): draft is readonly string[] {
  return Array.isArray(draft) && draft.every((text) => typeof text === 'string');
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text.trim() === b[at]?.trim());
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
