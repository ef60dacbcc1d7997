/**
 * Which step comes next: the steps of a file, and what became of those that ran. No time, no input or output:
 * whoever runs the steps tells of their ends in the order of their commits, and after a crash tells it again
 * from the rows of the journal and is at the same place (W9).
 *
 *     const walk = new Walk(definition.steps);
 *     for (const row of journal) walk.ended(row.path, row.result);
 *     while (walk.state === 'going') {
 *       for (const task of walk.ready()) { walk.take(task); run(task, walk.scope(task.path)); }
 *       … the end of one is committed: walk.ended(path, result);
 *     }
 */
import type { ActionStep, BlockStep, StepDefinition } from '../../../protocol/workflow.ts';
import { OpenBlock, Segment, type Opening } from './frames.ts';
import { nothing, type Outcome } from './outcome.ts';
import { formatName } from '../../../protocol/step-path.ts';

export type Task = ActionTask | BlockTask;

interface TaskBase {
  /** Unique in the execution (`path.ts`). */
  readonly path: string;
  readonly namespace: string;
}

/** A step that runs. */
export interface ActionTask extends TaskBase {
  readonly kind: 'action';
  readonly step: ActionStep;
}

/** The start of a block: which branches run, or which list, is found out in the process. */
export interface BlockTask extends TaskBase {
  readonly kind: 'block';
  readonly step: BlockStep;
}

/**
 * What became of a task.
 *
 * - An `Outcome`: it ended well. Of a block: nothing inside runs, and this is what it comes to. With `exit`
 *   (`$.flow.exit`) the whole execution ends as a success.
 * - `chosen`, of a block with branches: of `ifelse` and `switch` the first that matched, `$else`, or none; of
 *   `parallel` all that run. `$else` of a block whose else is absent or disabled is none.
 * - `items`, of `each`: the list, each item as JSON text.
 * - `failed`: with `continue` the next step runs, and sees what was exported until then.
 */
export type StepResult =
  | (Outcome & { readonly exit?: { readonly reason: string | null } })
  | Opening
  | { readonly failed: { readonly continue: boolean; readonly exports?: string } };

/** A block that has ended, for views. */
export interface EndedBlock {
  readonly path: string;
  /** Undefined: something inside failed. */
  readonly outcome: Outcome | undefined;
}

export type WalkState = 'going' | 'succeeded' | 'failed' | 'exited';

export class Walk {
  /** Ready or running, by path. */
  readonly #open = new Map<string, OpenTask>();
  readonly #ready = new Map<string, Task>();
  #running = 0;
  #state: WalkState = 'going';
  #exit: { readonly reason: string | null } | undefined;
  #failure: { readonly path: string } | undefined;

  constructor(steps: readonly StepDefinition[]) {
    const root = new Segment(steps, '', undefined, 0);
    if (!this.#offer(root)) this.#state = 'succeeded';
  }

  /** `going` as long as a task is ready or runs; then how the execution ended. */
  get state(): WalkState {
    return this.#state;
  }

  /** Nothing new starts, because a step ended the execution; tasks of other branches that run may end (W15). */
  get isExiting(): boolean {
    return this.#exit !== undefined && this.#state === 'going';
  }

  /** Reason of the exit that ended it, if the step gave one. */
  get reason(): string | null {
    return this.#exit?.reason ?? null;
  }

  /**
   * The first step that failed for good, known as soon as it did: from then on the execution fails, once the
   * branches and items beside it have ended. An exit afterwards only keeps further steps of theirs from starting.
   */
  get failure(): { readonly path: string } | undefined {
    return this.#failure;
  }

  /**
   * Tasks that may start now and were not taken yet. Tasks that became ready earlier come first; tasks that became
   * ready together have the order of the file.
   */
  ready(): readonly Task[] {
    return [...this.#ready.values()];
  }

  /** The task at this path while it is ready or runs. */
  task(path: string): Task | undefined {
    return this.#open.get(path)?.task;
  }

  /** It runs now. For rows of a journal, only `ended` is called. */
  take({ path }: Task): void {
    const open = this.#open.get(path);
    if (open === undefined || !this.#ready.delete(path))
      throw new Error(`The step ${path} is not ready.`);
    open.isTaken = true;
    this.#running++;
  }

  /**
   * The end of a task, taken or not; the order of calls is that of the commits. What cannot have happened to
   * this definition (a row of another one) throws, and nothing changes.
   * @returns the blocks that ended by it, the innermost first
   */
  ended(path: string, result: StepResult): readonly EndedBlock[] {
    const open = this.#open.get(path);
    if (open === undefined) throw new Error(`No step ${path} can end now.`);
    const { task, segment } = open;
    if ('chosen' in result || 'items' in result) {
      const block = openedBlock(open, result);
      if (!this.#goesOnAfter(open)) return [];
      this.#offerNext(block);
      return this.#close(block);
    }
    if (!this.#goesOnAfter(open)) return [];
    if ('failed' in result) {
      const { continue: goesOn, exports } = result.failed;
      if (goesOn)
        return this.#advance(segment, task, exports === undefined ? nothing : { exports });
      this.#failure ??= { path };
      return this.#close(this.#leave(segment, true));
    }
    const { exit, ...outcome } = result;
    if (exit === undefined) return this.#advance(segment, task, outcome);
    this.#exit = exit;
    this.#ready.clear();
    this.#settleExit();
    return [];
  }

  /**
   * What the task at this path sees, by name, as JSON text: earlier steps of its own segment and of those
   * around it, blocks after their end, and inside a loop `item` and `index` under the loop's name (W47). It
   * stays the same as long as the task is ready or runs.
   */
  scope(path: string): ReadonlyMap<string, string> {
    const inner = this.#open.get(path)?.segment;
    if (inner === undefined) throw new Error(`No step ${path} is ready or runs.`);
    const around: Segment[] = [];
    for (let one: Segment | undefined = inner; one !== undefined; one = one.block?.segment)
      around.push(one);
    const scope = new Map<string, string>();
    for (const segment of around.toReversed()) {
      const own = segment.block?.own(segment);
      if (segment.block !== undefined && own !== undefined)
        scope.set(segment.block.step.namespace, own);
      for (const [name, exports] of segment.exports) scope.set(name, exports);
    }
    return scope;
  }

  /** It has ended. False when nothing comes after it, because another step ended the execution before. */
  #goesOnAfter({ task: { path }, isTaken }: OpenTask): boolean {
    this.#open.delete(path);
    this.#ready.delete(path);
    if (isTaken) this.#running--;
    if (this.#exit === undefined) return true;
    this.#settleExit();
    return false;
  }

  #settleExit(): void {
    if (this.#running === 0) this.#state = this.#failure === undefined ? 'exited' : 'failed';
  }

  /** False when the segment has no step left. */
  #offer(segment: Segment): boolean {
    const step = segment.current;
    if (step === undefined) return false;
    const { namespace } = step;
    const path = segment.prefix + formatName(namespace);
    const task: Task =
      step.kind === 'action'
        ? { kind: 'action', path, namespace, step }
        : { kind: 'block', path, namespace, step };
    this.#open.set(path, { task, segment, isTaken: false });
    this.#ready.set(path, task);
    return true;
  }

  #advance(segment: Segment, { namespace }: Task, outcome: Outcome): readonly EndedBlock[] {
    segment.advance(namespace, outcome);
    return this.#offer(segment) ? [] : this.#close(this.#leave(segment, false));
  }

  /**
   * Nothing of the segment runs any more.
   * @returns the block it was of; undefined when that was the end of the execution
   */
  #leave(segment: Segment, failed: boolean): OpenBlock | undefined {
    const { block } = segment;
    if (block === undefined) {
      this.#state = failed ? 'failed' : 'succeeded';
    } else {
      block.leave(segment, failed);
      this.#offerNext(block);
    }
    return block;
  }

  /** From the inside out, in a loop: blocks may be nested deeper than calls. */
  #close(innermost: OpenBlock | undefined): readonly EndedBlock[] {
    const ended: EndedBlock[] = [];
    let block = innermost;
    while (block?.isEnded === true) {
      const { path, segment, hasFailed } = block;
      const outcome = hasFailed ? undefined : block.outcome;
      ended.push({ path, outcome });
      if (outcome !== undefined) {
        segment.advance(block.step.namespace, outcome);
        if (this.#offer(segment)) break;
      }
      block = this.#leave(segment, hasFailed);
    }
    return ended;
  }

  #offerNext(block: OpenBlock): void {
    for (let next = block.nextSegment(); next !== undefined; next = block.nextSegment())
      this.#offer(next);
  }
}

interface OpenTask {
  readonly task: Task;
  readonly segment: Segment;
  isTaken: boolean;
}

function openedBlock({ task, segment }: OpenTask, opening: Opening): OpenBlock {
  const { kind, path, step } = task;
  if (kind === 'action') throw new Error(`The step ${path} is not a block.`);
  if ('items' in opening !== (step.control === 'each'))
    throw new Error(`The block ${path} (${step.control}) cannot begin like that.`);
  return new OpenBlock(step, path, segment, opening);
}
