/** The process of one deployment: started on first need, kept warm, ended when nothing has run for a while. */
import type { HostConfiguration, Work } from '../../../protocol/host.ts';
import type { Host, WorkObserver } from '../../processes/host.ts';
import { IdleEnd } from '../../processes/idle-end.ts';
import type { IdleProcesses } from '../../processes/idle-processes.ts';
import type { StepOverride } from '../../store/history/executions.ts';
import type { ActionTask } from '../walk/walk.ts';
import type { BaseServices } from '../../base/services.ts';

/** Code and props of a step, as its process gets them. */
export interface StepCode {
  /** Names it in calls. */
  readonly component: string;
  readonly bundle: string;
  readonly configuration: HostConfiguration;
}

export interface WorkflowProcessOptions extends Pick<BaseServices, 'clock'> {
  /** @param signal aborted when nobody needs the process any more */
  readonly open: (signal: AbortSignal) => Promise<Host>;
  readonly idleMs: number;
  /** Among which it waits while it is idle. */
  readonly idleProcesses: IdleProcesses;
  /** `p_…` */
  readonly emitterId: string;
}

/** How calls name the code and props of a step. */
export function componentOf(
  { path, step }: ActionTask,
  override: StepOverride | undefined,
): string {
  const name = `${step.namespace}:${step.line}`;
  return override?.path === path ? `${name}:${override.name}` : name;
}

/** A running process, with the executions that it knows. */
export interface LiveProcess {
  readonly host: Host;
  readonly steps: Set<string>;
  readonly executions: Set<number>;
}

export class WorkflowProcess {
  readonly #options: WorkflowProcessOptions;
  #live: LiveProcess | undefined;
  #opening: Promise<LiveProcess> | undefined;
  #next = 0;
  readonly #idleEnd: IdleEnd;
  readonly #closing = new AbortController();

  constructor(options: WorkflowProcessOptions) {
    this.#options = options;
    this.#idleEnd = new IdleEnd({
      ...options,
      host: () => this.#live?.host,
      end: (host) => this.#end(host),
    });
  }

  get host(): Host | undefined {
    return this.#live?.host.alive === true ? this.#live.host : undefined;
  }

  /** A process to call steps in. Rejects with why none could be started. */
  open(): Promise<LiveProcess> | LiveProcess {
    if (this.#closing.signal.aborted) throw new Error('The workflow was deleted.');
    this.#idleEnd.cancel();
    if (this.#live?.host.alive === true) return this.#live;
    this.#opening ??= this.#options
      .open(this.#closing.signal)
      .then((host) => {
        this.#live = { host, steps: new Set(), executions: new Set() };
        if (this.#closing.signal.aborted) host.kill('the workflow was deleted');
        return this.#live;
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  /**
   * @param work given whether the process knows of this execution already
   * @returns the number of the piece of work
   */
  call(
    live: LiveProcess,
    execution: number,
    step: (() => StepCode) | undefined,
    component: string,
    work: (isKnown: boolean) => Work,
    observer: WorkObserver,
  ): number {
    const { host, steps, executions } = live;
    if (step !== undefined && !steps.has(component)) {
      const { bundle, configuration } = step();
      host.configureStep(component, bundle, configuration);
      steps.add(component);
    }
    const asked = work(executions.has(execution));
    // Others say nothing of what started it, or keep nothing of that.
    if (asked.call === 'step' || asked.call === 'block') executions.add(execution);
    this.#next += 1;
    host.work(this.#next, asked, observer);
    return this.#next;
  }

  /** Accounts or settings have changed: steps read them when they run next. */
  reconfigure(): void {
    this.#live?.steps.clear();
  }

  /** The execution is over, or waits. */
  forget(execution: number): void {
    const live = this.#live;
    if (live?.executions.delete(execution) === true && live.host.alive) {
      live.host.forgetExecution(execution);
    }
    // Between two steps of another execution nothing is in flight, and its files end with the process.
    const isIdle = live?.host.inFlight === 0 && live.executions.size === 0;
    if (isIdle) this.#idleEnd.start(true);
  }

  /** Ends it unless something runs in it, also one that a person looks at. */
  endIdle(): void {
    const host = this.#live?.host;
    if (host === undefined || host.inFlight > 0) return;
    this.#idleEnd.cancel();
    this.#end(host);
  }

  close(reason: string): void {
    this.#closing.abort();
    this.#idleEnd.cancel();
    this.#live?.host.kill(reason);
    this.#live = undefined;
  }

  #end(host: Host): void {
    this.#live = undefined;
    host.end().catch(() => host.kill('it did not end'));
  }
}
