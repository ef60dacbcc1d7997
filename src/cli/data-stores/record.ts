/** A record of a data store as a file has it: what a line may hold, and what is wrong with one (pure). */

export interface FileRecord {
  readonly key: string;
  readonly value: unknown;
  /** Seconds. */
  readonly ttl?: number | undefined;
}

/** What is wrong with a line, and what to change. */
export interface BadLine {
  readonly wrong: string;
}

/** Seconds (P14.3). */
const mostTtl = 31_536_000;
const example = '{"key": "order-7", "value": {"total": 12}, "ttl": 3600}';

/** @param line one line of JSON Lines, without its line break */
export function recordOfJson(line: string): FileRecord | BadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { wrong: `is not JSON. Write one record a line, such as ${example}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { wrong: `is not a record. Write one record a line, such as ${example}` };
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find((name) => !['key', 'value', 'ttl'].includes(name));
  if (unknown !== undefined) {
    return { wrong: `has the field "${unknown}". A record has "key", "value" and "ttl" only` };
  }
  if (typeof fields['key'] !== 'string') {
    return { wrong: `has no "key" that is a text. Add one, such as "key": "order-7"` };
  }
  if (!Object.hasOwn(fields, 'value')) {
    return { wrong: 'has no "value". Add one, which may be any JSON' };
  }
  const { ttl } = fields;
  if (ttl === undefined || ttl === null) return { key: fields['key'], value: fields['value'] };
  if (!isTtl(ttl)) return { wrong: badTtl(JSON.stringify(ttl)) };
  return { key: fields['key'], value: fields['value'], ttl };
}

/** @param cells those of a row by the names of their columns */
export function recordOfCells(cells: ReadonlyMap<string, string>): FileRecord | BadLine {
  const key = cells.get('key') ?? '';
  const value = valueOfCell(cells.get('value') ?? '');
  const ttl = (cells.get('ttl') ?? '').trim();
  if (ttl === '') return { key, value };
  const seconds = /^\d+$/.test(ttl) ? Number(ttl) : undefined;
  return isTtl(seconds) ? { key, value, ttl: seconds } : { wrong: badTtl(`"${ttl}"`) };
}

/**
 * JSON where the cell is JSON, else its text: spreadsheets do not quote texts. A number that would lose digits, such as a
 * long id, stays a text.
 */
function valueOfCell(cell: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    return cell;
  }
  return typeof value === 'number' && String(value) !== cell.trim() ? cell : value;
}

function isTtl(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostTtl;
}

function badTtl(shown: string): string {
  return `has the ttl ${shown}. Write a whole number of seconds from 1 to ${mostTtl}, or leave it out`;
}
