/** Records as lines of a file (pure). */
import type { FileRecord } from './record.ts';
import type { RecordFormat } from './read-records.ts';

/** The text above the records. */
export function headerOf(format: RecordFormat): string {
  return format === 'csv' ? 'key,value,ttl\r\n' : '';
}

/** One record with its line break; an import reads it back as it was. */
export function lineOf({ key, value, ttl }: FileRecord, format: RecordFormat): string {
  if (format === 'jsonl') {
    return `${JSON.stringify({ key, value, ...(ttl !== undefined && { ttl }) })}\n`;
  }
  return `${[key, JSON.stringify(value), ttl ?? ''].map(String).map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
