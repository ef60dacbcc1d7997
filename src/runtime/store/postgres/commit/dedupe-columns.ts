import { numberOrNull, textOrNull } from '../fields.ts';
import type { Row } from '../row-table.ts';

/** A dedupe id is a text or a number, and comes back as what it was. */
export function dedupeColumns(id: string | number | undefined) {
  const isText = typeof id === 'string';
  return { dedupe_text: isText ? id : null, dedupe_number: isText ? null : id };
}

export function dedupeIdOf(row: Row): string | number | null {
  return textOrNull(row, 'dedupe_text') ?? numberOrNull(row, 'dedupe_number');
}
