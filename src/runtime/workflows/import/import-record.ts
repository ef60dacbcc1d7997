/**
 * The last import into a folder: a digest per file, beside the files. It distinguishes a person's edits from a newer
 * export.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../../protocol/record.ts';
import { writeInside } from '../../../protocol/write-inside.ts';

export const importRecordName = '.weir-import.json';

/** SHA-256 (hex) by path below the folder. */
export type ImportRecord = ReadonlyMap<string, string>;

/** @returns an empty record if the file is missing or cannot be read */
export async function readImportRecord(folder: string): Promise<ImportRecord> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, importRecordName), 'utf8'));
    const files = isRecord(value) && isRecord(value['files']) ? value['files'] : {};
    return new Map(
      Object.entries(files).filter((one): one is [string, string] => typeof one[1] === 'string'),
    );
  } catch {
    return new Map();
  }
}

/** Nothing is written when it says so already. */
export async function writeImportRecord(
  folder: string,
  before: ImportRecord,
  record: ImportRecord,
): Promise<void> {
  const isSame =
    record.size === before.size && [...record].every(([path, one]) => before.get(path) === one);
  if (isSame) return;
  const files = Object.fromEntries([...record].sort(([a], [b]) => (a < b ? -1 : 1)));
  const about =
    'Digests of the files as they were imported last, by which "weir import" tells your edits from a newer export.';
  const text = `${JSON.stringify({ about, files }, null, 2)}\n`;
  await writeInside(folder, importRecordName, text);
}
