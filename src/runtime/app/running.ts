/**
 * Everything that runs sources and workflows, made the same way at every node: their processes, their runs and
 * executions, and the end of all of it.
 */
import { settledWithin } from '../base/clock.ts';
import type { Deliveries } from '../events/delivery/deliveries.ts';
import { startRetention } from '../events/retention.ts';
import { startSearchIndex } from '../events/search-index.ts';
import {
  createRunningSources,
  type RunningSources,
  type RunningSourcesOptions,
} from './running-sources.ts';
import {
  createRunningWorkflows,
  type RunningWorkflows,
  type RunningWorkflowsOptions,
} from './running-workflows.ts';

export interface RunningOptions
  extends Omit<RunningSourcesOptions, 'components'>, Omit<RunningWorkflowsOptions, 'running'> {
  readonly deliveries: Deliveries;
}

/** Long enough for a run in flight to end, short enough for a person who waits. */
export const stopGraceMs = 3000;

/** Registers its own cleanup with `closing`. */
export async function createRunning(options: RunningOptions): Promise<Running> {
  const sources = createRunningSources(options);
  const workflows = await createRunningWorkflows({ ...options, running: sources });
  return new Running(options, sources, workflows);
}

export class Running {
  readonly sources: RunningSources;
  readonly workflows: RunningWorkflows;
  readonly #options: RunningOptions;

  constructor(options: RunningOptions, sources: RunningSources, workflows: RunningWorkflows) {
    this.#options = options;
    this.sources = sources;
    this.workflows = workflows;
  }

  /** Starts what is done when there is time. */
  startUpkeep(): void {
    const { closing } = this.#options;
    closing.push(startRetention(this.#options));
    closing.push(startSearchIndex(this.#options));
  }

  /** Begins what was left, once all of it has its place in the queues. */
  start(): void {
    this.workflows.executions.start();
    this.sources.dueEmits.start();
    this.#options.deliveries.start();
  }

  /** Runs in flight may end; everything that waits is left to the next start, or the next owner. */
  stop(): void {
    const { timers, dueEmits, invocations, instances } = this.sources;
    timers.close();
    dueEmits.close();
    invocations.stop();
    this.workflows.executions.stop();
    this.workflows.sends.stop();
    for (const { runner } of instances.all()) runner.stop();
  }

  /** Resolves when the runs in flight have ended, within `stopGraceMs`; at once when their end cannot be stored. */
  async drained(): Promise<void> {
    const { clock, store } = this.#options;
    const graceMs = store.failure === undefined ? stopGraceMs : 0;
    await Promise.all([
      ...this.sources.instances.all().map(({ runner }) => runner.drain(graceMs)),
      settledWithin(clock, graceMs, this.workflows.executions.drained()),
      settledWithin(clock, graceMs, this.workflows.sends.settled()),
    ]);
  }
}
