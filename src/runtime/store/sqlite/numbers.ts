import type { Connection } from './wasm/connection.ts';

/** Tables with numbers. The numbers of scheduled emits are those of their later events. */
const rowsOf = {
  invocation: 'invocations',
  event: '(SELECT max(n) AS n FROM events UNION SELECT max(n) FROM scheduled_emits)',
  delivery: 'deliveries',
};
type Numbered = keyof typeof rowsOf;

/** How many numbers are reserved with one write. */
const blockSize = 1024;

interface Block {
  next: number;
  /** The first one that is not set aside. */
  end: number;
}

/**
 * Numbers for new rows, ascending, each given out once: also when the newest rows are deleted, and
 * after a crash. They are set aside in blocks, so that giving one out neither reads nor writes; what a
 * crash leaves of a block is never used.
 */
export class Numbers {
  readonly #db: Connection;
  readonly #blocks: Record<Numbered, Block>;

  constructor(db: Connection) {
    this.#db = db;
    this.#blocks = {
      invocation: this.#load('invocation'),
      event: this.#load('event'),
      delivery: this.#load('delivery'),
    };
  }

  /** Within a write. */
  next(what: Numbered): number {
    const block = this.#blocks[what];
    if (block.next === block.end) {
      block.end += blockSize;
      this.#save(what, block.end);
    }
    return block.next++;
  }

  /** The number the next one will get. */
  peek(what: Numbered): number {
    return this.#blocks[what].next;
  }

  /** Before a clean end: what was set aside and not used is given back. */
  giveBack(): void {
    for (const what of Object.keys(rowsOf) as Numbered[]) {
      const block = this.#blocks[what];
      block.end = block.next;
      this.#save(what, block.next);
    }
  }

  #save(what: Numbered, next: number): void {
    this.#db.prepare('INSERT OR REPLACE INTO numbers (name, next) VALUES (?, ?)').run(what, next);
  }

  /** The rows are asked as well: a store that was salvaged may have lost what was set aside. */
  #load(what: Numbered): Block {
    const saved = this.#db
      .prepare('SELECT next FROM numbers WHERE name = ?')
      .get((row) => row.number('next'), what);
    const newest = this.#db.prepare(
      what === 'invocation'
        ? `SELECT coalesce(max((SELECT max(n) FROM invocations WHERE emitter = e.row)), 0) AS n
           FROM emitters e`
        : `SELECT coalesce(max(n), 0) AS n FROM ${rowsOf[what]}`,
    );
    const next = Math.max(saved ?? 1, (newest.get((row) => row.number('n')) ?? 0) + 1);
    return { next, end: next };
  }
}
