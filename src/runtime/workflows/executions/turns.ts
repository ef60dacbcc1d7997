/** Whose turn it is: the executions of each workflow wait in a queue of their own, under its limits, until they begin. */
import type { ThrownError } from '../../../protocol/host.ts';
import { type Clock, longestWaitMs } from '../../base/clock.ts';
import { WaitingPayloads } from '../../events/runs/waiting-payloads.ts';
import { readAgain } from '../../base/read-again.ts';
import type { Gate } from '../../events/runs/probation.ts';
import type { WorkHold } from '../../events/work-hold.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { UsesStore } from '../../store/store.ts';
import { ConcurrencyKeys, type ConcurrencyKeysOptions } from './concurrency-keys.ts';
import type { Execution } from './execution.ts';
import { ExecutionQueue, limitsOf, type QueueLimits } from './queue.ts';

export interface TurnsOptions
  extends
    Omit<ConcurrencyKeysOptions, 'ready'>,
    UsesStore<'failure' | 'workflows' | 'invocations'> {
  /** Makes the code of a deployment ready; undefined when it is. */
  readonly codeOf: (deployment: WorkflowDeploymentRecord) => Promise<void> | undefined;
  readonly clock: Clock;
  /** Most that payloads of what waits may take in memory, in bytes. */
  readonly waitingBytes: number;
  readonly isStopping: () => boolean;
  /** Which of them may begin. */
  readonly probation: Gate;
  /** Whether anything may begin. */
  readonly hold: Pick<WorkHold, 'isHeld'>;
  /** Whether it still is to run: it was not ended while its key was read. */
  readonly isWanted: (execution: Execution) => boolean;
  /** Its turn has come. */
  readonly begin: (execution: Execution) => void;
  /** The expression of its key failed. */
  readonly failed: (execution: Execution, error: ThrownError) => void;
}

/** `fresh` has not begun, `due` was paused, `cutOff` ran when the last owner ended. */
export type TurnKind = 'fresh' | 'due' | 'cutOff';

export class Turns {
  readonly #options: TurnsOptions;
  readonly #queues = new Map<string, ExecutionQueue<Execution>>();
  readonly #waiting: WaitingPayloads;
  readonly #keys: ConcurrencyKeys;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#waiting = new WaitingPayloads(options.waitingBytes);
    this.#keys = new ConcurrencyKeys({
      ...options,
      ready: async (id) => {
        const deployment = options.store.workflows.deployment(id);
        if (deployment !== undefined) await options.codeOf(deployment);
      },
    });
  }

  /** Most executions of a workflow at a time. */
  workers(workflowId: string): number {
    return this.#queue(workflowId).limits.workers;
  }

  /** How many may wait, when that many do; undefined while there is room. */
  fullAt(workflowId: string): number | undefined {
    const { isFull, limits } = this.#queue(workflowId);
    return isFull ? limits.size : undefined;
  }

  /** A new one waits, with its payload in memory as long as there is room for it. */
  submit(execution: Execution): void {
    this.#waiting.enter(execution);
    void this.enqueue(execution, 'fresh');
  }

  /**
   * It waits for its turn; where the file has a key, from when that is known.
   * @param isLast of several that are added: the first of all of them begins then
   */
  async enqueue(execution: Execution, kind: TurnKind, isLast = true): Promise<void> {
    const { id } = execution.emitter;
    const queue = this.#queue(id);
    const { key } = queue.limits;
    if (key !== undefined) {
      const arrived = queue.announce();
      const isThere = await this.#readKey(execution, key);
      arrived();
      if (!isThere || this.#queues.get(id) !== queue) return;
    }
    if (kind === 'cutOff') queue.pushCutOff(execution);
    else if (kind === 'due') queue.pushDue(execution);
    else queue.push(execution);
    if (isLast || key !== undefined) this.startNext(id);
  }

  /** Begins whatever may begin now. */
  startNext(workflowId: string): void {
    const queue = this.#queues.get(workflowId);
    const { clock, begin, isStopping, hold } = this.#options;
    if (queue === undefined || isStopping()) return;
    while (queue.waits && !hold.isHeld) {
      const one = queue.start(clock.now());
      if (one === undefined) break;
      this.#waiting.leave(one);
      begin(one);
    }
    const opensAt = queue.opensAt(clock.now());
    queue.cancelOpening?.();
    queue.cancelOpening =
      opensAt === undefined
        ? undefined
        : clock.after(Math.min(Math.max(1, opensAt - clock.now()), longestWaitMs), () =>
            this.startNext(workflowId),
          );
  }

  /** Starts the executions of all workflows. */
  startAll(): void {
    for (const id of this.#queues.keys()) this.startNext(id);
  }

  /** Takes one out of its queue. @returns false when it does not wait there */
  leave({ n, emitter }: Pick<Execution, 'n' | 'emitter'>): boolean {
    return this.#queues.get(emitter.id)?.take(n) !== undefined;
  }

  /** It has ended, or is paused. */
  done(execution: Execution): void {
    this.#waiting.leave(execution);
    if (execution.testOf === undefined && execution.hadTurn) {
      this.#queues.get(execution.emitter.id)?.done(execution);
    }
  }

  /** Limits, or whether it is switched on, have changed. */
  changed(workflowId: string): void {
    const queue = this.#queues.get(workflowId);
    if (queue === undefined) return;
    queue.limits = this.#limits(workflowId);
    this.startNext(workflowId);
  }

  /** It was deleted, or runs at another node: nothing of it waits here any more. @param executions those of it that are in memory */
  removed(workflowId: string, executions: readonly Execution[]): void {
    this.#queues.get(workflowId)?.close();
    this.#queues.delete(workflowId);
    for (const execution of executions) this.#waiting.leave(execution);
  }

  /** @returns false when it does not wait for its turn any more */
  async #readKey(execution: Execution, text: string): Promise<boolean> {
    const { store, clock, isStopping, isWanted, failed } = this.#options;
    const { n, emitter } = execution;
    const outcome = await this.#keys.of({
      workflowId: emitter.id,
      deploymentId: store.workflows.get(emitter.id)?.deploymentId ?? '',
      n,
      text,
      trigger: async () =>
        execution.isParked
          ? readAgain({ store, clock, isOver: isStopping }, () => store.invocations.trigger(n))
          : execution.trigger,
    });
    if (isStopping() || !isWanted(execution)) return false;
    if ('key' in outcome) {
      execution.concurrencyKey = outcome.key;
      return true;
    }
    failed(execution, outcome.error);
    return false;
  }

  #queue(workflowId: string): ExecutionQueue<Execution> {
    const found = this.#queues.get(workflowId);
    if (found !== undefined) return found;
    const queue = new ExecutionQueue<Execution>(this.#limits(workflowId), this.#options.probation);
    this.#queues.set(workflowId, queue);
    return queue;
  }

  #limits(workflowId: string): QueueLimits {
    const { workflows } = this.#options.store;
    const deploymentId = workflows.get(workflowId)?.deploymentId;
    const deployed = deploymentId === undefined ? undefined : workflows.deployment(deploymentId);
    return limitsOf(deployed?.definition.settings ?? {});
  }
}
