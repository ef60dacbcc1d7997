import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Connection } from './wasm/connection.ts';
import { SqliteError } from './wasm/result-code.ts';

/** The file a group is written to (LiveFile, or a replacement in a test). */
export interface GroupFile {
  readonly db: Pick<Connection, 'run' | 'rollBack'>;
  commit(): void;
  barrier(): Promise<void>;
  readonly checkpointDue: boolean;
  checkpoint(): void;
}

/** A write that is applied; it may be announced when it is durable. */
export interface Written<T> {
  readonly value: T;
  readonly durable: Promise<void>;
}

interface Task {
  run(): void;
  reject(error: WeirError): void;
}

/** A sentence for people; `program` when no disk refused anything and Weir itself made a mistake. */
export type Explain = (error: unknown, by: 'disk' | 'program') => WeirError;

/** A write that nobody waits for is on its way to the disk after so many ms. */
const longestDelayMs = 10;

/**
 * Group commit. Writes are applied at once to one open transaction. It ends with the turn
 * of the loop, or when the barrier of the group before has returned; then one barrier off the loop
 * makes all of them durable, and their promises resolve together. One that nobody waits for waits a
 * little for others: alone, its barrier would cost several times what it does itself.
 *
 * After an error of the disk nothing is acknowledged any more: what is in memory and what is on the
 * disk may differ, and only a new start tells.
 */
export class GroupCommit {
  readonly #file: GroupFile;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #explain: Explain;
  /** Takes writes. */
  #open: Group | undefined;
  /** Committed, its barrier is on the way. */
  #leaving: Group | undefined;
  #barrier: Promise<void> = Promise.resolve();
  readonly #tasks: Task[] = [];
  #failure: WeirError | undefined;

  constructor(file: GroupFile, clock: Pick<Clock, 'after'>, explain: Explain) {
    this.#file = file;
    this.#clock = clock;
    this.#explain = explain;
  }

  /** Why the store takes no writes any more. */
  get failure(): WeirError | undefined {
    return this.#failure;
  }

  /**
   * The hot path: `apply` must not fail for any reason but the disk. When it does all the same, half of a
   * write lies among those of its group, so that the store takes nothing more, either. Throws then.
   */
  write<T>(apply: () => T): Written<T> {
    const group = this.#enter();
    this.#hurry(group);
    return this.#write(group, apply);
  }

  /** The same for a write that nobody waits for: durable with the next write of another kind, or 10 ms later. */
  writeSoon<T>(apply: () => T): Written<T> {
    const opens = this.#open === undefined;
    const group = this.#enter();
    if (opens) this.#clock.after(longestDelayMs, () => this.#hurry(group));
    return this.#write(group, apply);
  }

  /** A write that may be refused (a constraint) without harming the other writes of its group. */
  async writeAlone<T>(apply: () => T): Promise<T> {
    const group = this.#enter();
    this.#hurry(group);
    const value = this.#applyAlone(apply);
    await group.durable;
    return value;
  }

  /** Resolves when all written so far is durable. */
  async flush(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#hurry(this.#open);
    await (this.#open ?? this.#leaving)?.durable;
  }

  /** Runs between two groups, when no transaction is open. */
  alone<T>(run: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure;
      this.#tasks.push({
        run() {
          try {
            resolve(run());
          } catch (error) {
            reject(error);
          }
        },
        reject,
      });
      if (this.#leaving === undefined) setImmediate(this.#end);
    });
  }

  /** Writes in progress fail for this reason, and so does each write from now on. */
  fail(reason: WeirError): void {
    this.#fail(reason);
  }

  /** Takes no more writes: each is refused for this reason. */
  stop(reason: WeirError): void {
    this.#failure ??= reason;
  }

  /** Resolves when no barrier is on its way, however it went. */
  async idle(): Promise<void> {
    await this.#barrier.catch(() => undefined);
  }

  #enter(): Group {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#open === undefined) {
      this.#must('BEGIN IMMEDIATE');
      this.#open = newGroup();
    }
    return this.#open;
  }

  /** Ends the group as soon as it can, unless it has ended. */
  #hurry(group: Group | undefined): void {
    if (group === undefined || group !== this.#open || group.urgent) return;
    group.urgent = true;
    if (this.#leaving === undefined) setImmediate(this.#end);
  }

  #write<T>(group: Group, apply: () => T): Written<T> {
    try {
      return { value: apply(), durable: group.durable };
    } catch (error) {
      throw this.#fail(error, isOfTheDisk(error) ? 'disk' : 'program');
    }
  }

  #applyAlone<T>(apply: () => T): T {
    this.#must('SAVEPOINT alone');
    let value: T;
    try {
      value = apply();
    } catch (error) {
      if (isOfTheDisk(error)) throw this.#fail(error);
      this.#must('ROLLBACK TO alone');
      this.#must('RELEASE alone');
      throw refusal(error);
    }
    this.#must('RELEASE alone');
    return value;
  }

  #must(sql: string): void {
    try {
      this.#file.db.run(sql);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  readonly #end = (): void => {
    const nothing = this.#open === undefined && this.#tasks.length === 0;
    if (nothing || this.#failure !== undefined || this.#leaving !== undefined) return;
    try {
      if (this.#open !== undefined) this.#file.commit();
      this.#leaving = this.#open;
      this.#open = undefined;
      for (const task of this.#tasks.splice(0)) task.run();
      if (this.#file.checkpointDue) {
        this.#file.checkpoint();
        this.#settle();
      } else {
        this.#barrier = this.#file.barrier();
        this.#barrier.then(this.#settle, (error: unknown) => this.#fail(error));
      }
    } catch (error) {
      this.#fail(error);
    }
  };

  readonly #settle = (): void => {
    const group = this.#leaving;
    this.#leaving = undefined;
    group?.resolve();
    if (this.#open?.urgent === true || this.#tasks.length > 0) setImmediate(this.#end);
  };

  #fail(error: unknown, by: 'disk' | 'program' = 'disk'): WeirError {
    if (this.#failure !== undefined) return this.#failure;
    const failure = this.#explain(error, by);
    this.#failure = failure;
    this.#leaving?.reject(failure);
    this.#open?.reject(failure);
    for (const task of this.#tasks.splice(0)) task.reject(failure);
    this.#leaving = undefined;
    this.#open = undefined;
    this.#file.db.rollBack();
    return failure;
  }
}

interface Group {
  readonly durable: Promise<void>;
  /** Somebody waits for it. */
  urgent: boolean;
  resolve(): void;
  reject(error: WeirError): void;
}

function newGroup(): Group {
  let resolve: () => void = () => undefined;
  let reject: (error: WeirError) => void = () => undefined;
  const durable = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  // Every write holds this promise or one made of it; a group nobody waits for is no crash.
  durable.catch(() => undefined);
  return { durable, urgent: false, resolve, reject };
}

/** Anything else was refused for what was to be written. */
function isOfTheDisk(error: unknown): boolean {
  return WeirError.is(error, 'store_failed');
}

function refusal(error: unknown): unknown {
  if (!(error instanceof SqliteError)) return error;
  return new WeirError('conflict', `The store has such a record already (${messageOf(error)}).`);
}
