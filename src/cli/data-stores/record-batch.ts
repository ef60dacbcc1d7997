/** The records of the next call: as many as it takes, and not much more text than a message should have. */
import { mostRecordsAtOnce } from '../../protocol/record-limits.ts';
import type { FileRecord } from './record.ts';

/** Characters of JSON after which a batch is full. */
const mostCharacters = 2 * 1024 * 1024;

export class RecordBatch {
  #records: FileRecord[] = [];
  #characters = 0;

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** Returns whether the batch is full now. */
  add(record: FileRecord): boolean {
    this.#records.push(record);
    this.#characters += record.key.length + JSON.stringify(record.value).length;
    return this.#records.length >= mostRecordsAtOnce || this.#characters >= mostCharacters;
  }

  take(): FileRecord[] {
    const taken = this.#records;
    this.#records = [];
    this.#characters = 0;
    return taken;
  }
}
