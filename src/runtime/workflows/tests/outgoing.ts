/**
 * What a test of a workflow sends: everything in a real test; nothing in a dry run, which reports what it held back.
 */
import type { DataStoreRequest, DbWrite, DryRun } from '../../../protocol/host.ts';
import type { RunMode } from '../../../protocol/run-mode.ts';
import { DataStores, type DataStoresOptions } from '../../components/data-stores/data-stores.ts';
import { draftOf, type DataStoreValues } from '../../components/data-stores/draft.ts';
import type { AskedOfRuntime } from '../../processes/host.ts';

/** `reads`: a dry run whose GET and HEAD requests are sent, as nobody has chosen between the two yet. */
export type TestMode = RunMode | 'reads';

/** Sends and changes of a test that its execution does not have, as replies show them. */
export interface OutgoingReport {
  readonly mode: TestMode;
  /** Records of data stores that it changed; in a dry run of their copies. */
  readonly records: number;
  /** Data stores that it emptied. */
  readonly cleared: number;
  /** Keys of its db that it changed, which is a copy in every test. */
  readonly db: number;
  /** Sentences about what was held back, in order; each once. */
  readonly held: readonly string[];
}

export interface OutgoingOptions extends Pick<DataStoresOptions, 'now'> {
  readonly mode: TestMode;
  /** The data stores as they are kept. */
  readonly dataStores: DataStoreValues;
}

/** For one test, and so for one process: see {@link TestMode}. */
export class Outgoing {
  readonly mode: TestMode;
  readonly #copies: DataStores | undefined;
  readonly #records = new Set<string>();
  readonly #cleared = new Set<string>();
  readonly #db = new Set<string>();
  readonly #held = new Set<string>();
  #made = 0;
  #requestsTo: string | undefined;

  constructor({ mode, dataStores, now }: OutgoingOptions) {
    this.mode = mode;
    this.#copies =
      mode === 'real'
        ? undefined
        : new DataStores({
            table: draftOf(dataStores),
            now,
            newId: () => `ds_dry${(this.#made += 1)}`,
          });
  }

  /** @param url where its HTTP requests are answered from a recording */
  answerFrom(url: string): void {
    this.#requestsTo = url;
  }

  /** The dry run that its process is loaded with; undefined for a real test. */
  get dry(): DryRun | undefined {
    if (this.#requestsTo === undefined) return undefined;
    return { url: this.#requestsTo, reads: this.mode === 'reads' };
  }

  /** Answers requests of its code to the runtime; undefined for a request that is answered as for every process. */
  onRequest(request: AskedOfRuntime): Promise<unknown> | undefined {
    if (request.of === 'held_back') {
      this.holdBack(request.message);
      return Promise.resolve(undefined);
    }
    if (request.of !== 'data_store') return undefined;
    this.#count(request);
    return this.#copies?.answer(request);
  }

  /** A step has ended, and has written these keys. */
  wroteDb(writes: readonly DbWrite[]): void {
    for (const { prop, key } of writes) this.#db.add(JSON.stringify([prop, key]));
  }

  holdBack(sentence: string): void {
    this.#held.add(sentence);
  }

  report(): OutgoingReport {
    return {
      mode: this.mode,
      records: this.#records.size,
      cleared: this.#cleared.size,
      db: this.#db.size,
      held: [...this.#held],
    };
  }

  #count({ store, call }: DataStoreRequest): void {
    if (call.op === 'clear') this.#cleared.add(store);
    else if (call.op === 'set' || call.op === 'setTtl' || call.op === 'delete') {
      this.#records.add(JSON.stringify([store, call.key]));
    }
  }
}

/** How many tests are remembered: what they did is asked for while somebody looks at them. */
const mostKept = 500;

/** The sends of this runtime's newest tests, by the number of their execution. */
export class TestReports {
  readonly #all = new Map<number, Outgoing>();

  set(execution: number, outgoing: Outgoing): void {
    this.#all.set(execution, outgoing);
    const [oldest] = this.#all.keys();
    if (this.#all.size > mostKept && oldest !== undefined) this.#all.delete(oldest);
  }

  /** Undefined for a test of before this runtime started, and for what is not a test. */
  get(execution: number): OutgoingReport | undefined {
    return this.#all.get(execution)?.report();
  }
}
