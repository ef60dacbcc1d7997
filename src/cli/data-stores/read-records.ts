/** Records read from a file or a pipe, line by line. */
import { createReadStream } from 'node:fs';
import { type BadCsv, type CsvRow, CsvRows, tooLongRow } from './csv-rows.ts';
import { type BadLine, type FileRecord, recordOfCells, recordOfJson } from './record.ts';

export type RecordFormat = 'jsonl' | 'csv';

/** Content of a line: a record, or what is wrong with it. */
export interface ReadLine {
  /** From 1. */
  readonly line: number;
  readonly read: FileRecord | BadLine;
  /** Bytes of the input that were read for it, roughly: for a progress bar. */
  readonly bytes: number;
}

/** Characters of one line: more than the runtime takes in one call would fail there. */
const mostCharacters = 8 * 1024 * 1024;
const tooLong = `is longer than ${mostCharacters / 1024 / 1024} MB. Keep such a value in a file instead`;
const notUtf8 = 'or a line after it is not UTF-8. Save the file as UTF-8';

/** The lines of a file. Stops after a line behind which nothing can be read. */
export function recordsInFile(path: string, format: RecordFormat): AsyncGenerator<ReadLine> {
  return recordsIn(createReadStream(path, { highWaterMark: 256 * 1024 }), format);
}

/** Reads the records of a stream in the same way. */
export async function* recordsIn(
  input: AsyncIterable<Uint8Array | string>,
  format: RecordFormat,
): AsyncGenerator<ReadLine> {
  const lines = format === 'csv' ? new CsvLines() : new JsonLines();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  for await (const piece of input) {
    bytes += piece.length;
    const text = typeof piece === 'string' ? piece : decoded(decoder, piece);
    if (text === undefined) {
      yield { line: lines.line, read: { wrong: notUtf8 }, bytes };
      return;
    }
    for (const one of lines.push(text)) yield { ...one, bytes };
    if (lines.isBroken) return;
  }
  const rest = decoded(decoder);
  if (rest === undefined) yield { line: lines.line, read: { wrong: notUtf8 }, bytes };
  else for (const one of [...lines.push(rest), ...lines.end()]) yield { ...one, bytes };
}

function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  piece?: Uint8Array,
): string | undefined {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    return undefined;
  }
}

type Line = Omit<ReadLine, 'bytes'>;

class JsonLines {
  /** That is being read. */
  line = 1;
  isBroken = false;
  /** Pieces of a line that is not complete. */
  #pieces: string[] = [];
  #size = 0;

  push(text: string): Line[] {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const found: Line[] = [];
    for (const part of parts) {
      this.#add(part);
      found.push(...this.#complete());
      if (this.isBroken) return found;
    }
    this.#add(last);
    return this.#size > mostCharacters ? [...found, ...this.#complete()] : found;
  }

  end(): Line[] {
    return this.#complete();
  }

  #add(text: string): void {
    if (text !== '') this.#pieces.push(text);
    this.#size += text.length;
  }

  #complete(): Line[] {
    const text = this.#pieces.join('');
    const { line } = this;
    this.isBroken = this.#size > mostCharacters;
    this.#pieces = [];
    this.#size = 0;
    this.line += 1;
    if (this.isBroken) return [{ line, read: { wrong: tooLong } }];
    return text.trim() === '' ? [] : [{ line, read: recordOfJson(text) }];
  }
}

class CsvLines {
  line = 1;
  isBroken = false;
  #names: readonly string[] | undefined;
  readonly #rows = new CsvRows(mostCharacters);

  push(text: string): Line[] {
    return this.#rows.push(text).flatMap((row) => this.#lineOf(row));
  }

  end(): Line[] {
    return this.#rows.end().flatMap((row) => this.#lineOf(row));
  }

  #lineOf(row: CsvRow | BadCsv): Line[] {
    if (this.isBroken) return [];
    const { line } = row;
    this.line = line;
    if ('wrong' in row) {
      this.isBroken = true;
      return [{ line, read: { wrong: row.wrong === tooLongRow ? tooLong : row.wrong } }];
    }
    if (this.#names === undefined) return this.#header(row);
    const names = this.#names;
    if (row.cells.length !== names.length) {
      const wrong = `has ${row.cells.length} columns, and the first line has ${names.length}. Quote cells that contain the separator`;
      return [{ line, read: { wrong } }];
    }
    const cells = new Map(names.map((name, index) => [name, row.cells[index] ?? '']));
    return [{ line, read: recordOfCells(cells) }];
  }

  #header({ cells, line }: CsvRow): Line[] {
    const names = cells.map((cell) => cell.trim().toLowerCase());
    const known = names.filter((name) => ['key', 'value', 'ttl'].includes(name));
    const isWhole = names.includes('key') && names.includes('value');
    if (isWhole && known.length === names.length && new Set(names).size === names.length) {
      this.#names = names;
      return [];
    }
    this.isBroken = true;
    return [
      { line, read: { wrong: 'does not name the columns. Begin with the line key,value,ttl' } },
    ];
  }
}
