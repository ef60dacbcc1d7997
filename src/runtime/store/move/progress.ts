import { WeirError } from '../../../protocol/errors.ts';
import type { Row } from '../schema/column.ts';

/** A row, and the row of the emitter that it belongs to; null of what belongs to none. */
export interface Owned {
  readonly row: Row;
  readonly emitter: number | null;
}

/** Gets the progress of a move, and may cancel it. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly progress: (sentence: string) => void;
}

/** Between two remarks, in rows. */
const step = 5000;

/** Counts rows, and ends the move when it is to end. */
export class Counter {
  readonly #watch: Watch;
  readonly #total: number;
  readonly #doing: string;
  #rows = 0;
  #told = 0;

  /** @param doing as a sentence begins: "Writing" */
  constructor(watch: Watch, doing: string, total: number) {
    this.#watch = watch;
    this.#doing = doing;
    this.#total = total;
  }

  /** @throws WeirError('cancelled') */
  count(rows: number, table: string): void {
    if (this.#watch.signal.aborted) {
      throw new WeirError('cancelled', 'The move was cancelled: nothing was changed.');
    }
    this.#rows += rows;
    if (this.#rows - this.#told < step) return;
    this.#told = this.#rows;
    this.#watch.progress(`${this.#doing} ${table}: ${this.#rows} of ${this.#total} rows`);
  }
}
