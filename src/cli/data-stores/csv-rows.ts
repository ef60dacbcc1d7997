/** Rows of a CSV text (RFC 4180) that arrives in pieces (pure). */

export interface CsvRow {
  readonly cells: readonly string[];
  /** Where the row begins, from 1. */
  readonly line: number;
}

/** An error in the text itself, at the row that begins at this line. */
export interface BadCsv {
  readonly line: number;
  readonly wrong: string;
}

const advice = 'Write a quotation mark inside a quoted cell twice';
export const tooLongRow = 'is too long';
const separators = [',', ';', '\t'] as const;

/** Takes pieces of the text and returns the rows that are complete. Lines without a character are no rows. */
export class CsvRows {
  #separator: string | undefined;
  #cells: string[] = [];
  #cell = '';
  /** `after`: behind the closing quotation mark. */
  #state: 'start' | 'plain' | 'quoted' | 'after' = 'start';
  #line = 1;
  #rowLine = 1;
  #size = 0;
  #wasReturn = false;
  /** The first line, until its separator is known. */
  #header = '';
  readonly #mostCharacters: number;

  /** @param mostCharacters of one row */
  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  push(text: string): (CsvRow | BadCsv)[] {
    let rest = text;
    if (this.#separator === undefined) {
      this.#header += text;
      const end = this.#header.search(/[\r\n]/);
      if (end === -1) {
        return this.#header.length > this.#mostCharacters ? [{ line: 1, wrong: tooLongRow }] : [];
      }
      this.#separator = separatorOf(this.#header.slice(0, end));
      rest = this.#header;
    }
    return this.#read(rest);
  }

  /** The last row, which may have no line break. */
  end(): (CsvRow | BadCsv)[] {
    if (this.#separator === undefined) {
      this.#separator = separatorOf(this.#header);
      return [...this.#read(this.#header), ...this.end()];
    }
    if (this.#state === 'quoted') {
      return [
        { line: this.#rowLine, wrong: `has a quotation mark that is never closed. ${advice}` },
      ];
    }
    return this.#isEmpty() ? [] : [this.#row()];
  }

  #read(text: string): (CsvRow | BadCsv)[] {
    const rows: (CsvRow | BadCsv)[] = [];
    for (const one of text) {
      const isBreak = one === '\n' || one === '\r';
      const isSecondHalf = one === '\n' && this.#wasReturn;
      this.#wasReturn = one === '\r';
      if (isBreak && !isSecondHalf) this.#line += 1;
      if (this.#state === 'quoted') {
        if (one === '"') this.#state = 'after';
        else this.#cell += one;
      } else if (one === this.#separator) {
        this.#cells.push(this.#cell);
        this.#cell = '';
        this.#state = 'start';
      } else if (isBreak) {
        if (!isSecondHalf && !this.#isEmpty()) rows.push(this.#row());
        this.#rowLine = this.#line;
      } else if (one === '"' && this.#state === 'start') {
        this.#state = 'quoted';
      } else if (one === '"' && this.#state === 'after') {
        this.#cell += '"';
        this.#state = 'quoted';
      } else if (this.#state === 'after') {
        const wrong = `has text behind a closing quotation mark. ${advice}`;
        return [...rows, { line: this.#rowLine, wrong }];
      } else {
        this.#cell += one;
        this.#state = 'plain';
      }
      this.#size += one.length;
      if (this.#size > this.#mostCharacters) {
        return [...rows, { line: this.#rowLine, wrong: tooLongRow }];
      }
    }
    return rows;
  }

  #isEmpty(): boolean {
    return this.#cells.length === 0 && this.#cell === '' && this.#state === 'start';
  }

  #row(): CsvRow {
    const row = { cells: [...this.#cells, this.#cell], line: this.#rowLine };
    this.#cells = [];
    this.#cell = '';
    this.#state = 'start';
    this.#size = 0;
    return row;
  }
}

/** The separator between the names of the columns. */
function separatorOf(header: string): string {
  return separators.find((one) => header.split(one).length > 1) ?? ',';
}
