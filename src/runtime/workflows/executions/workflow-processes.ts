/** The processes of one deployment: one for all its steps, or one for each (`settings.isolate: step`, P25.27). */
import type { Host } from '../../processes/host.ts';
import { withoutItems } from '../../../protocol/step-path.ts';
import { WorkflowProcess, type WorkflowProcessOptions } from './workflow-process.ts';

export interface WorkflowProcessesOptions extends WorkflowProcessOptions {
  /** Each step has one of its own. */
  readonly isIsolated: boolean;
}

export class WorkflowProcesses {
  readonly #options: WorkflowProcessesOptions;
  readonly #all = new Map<string, WorkflowProcess>();
  /** By execution: of steps that were cut off. */
  readonly #alone = new Map<number, Map<string, WorkflowProcess>>();

  constructor(options: WorkflowProcessesOptions) {
    this.#options = options;
  }

  get isIsolated(): boolean {
    return this.#options.isIsolated;
  }

  /** @param step its path; '' of what belongs to no step that runs code */
  of(step: string): WorkflowProcess {
    const name = this.#options.isIsolated ? withoutItems(step) : '';
    const found = this.#all.get(name);
    if (found !== undefined) return found;
    const made = new WorkflowProcess(this.#options);
    this.#all.set(name, made);
    return made;
  }

  /**
   * A process that nothing else runs in, until the leg ends: for a step that was interrupted for an unknown reason. If
   * this process ends, that step is the cause.
   */
  alone(execution: number, step: string): WorkflowProcess {
    const own = this.#alone.get(execution) ?? new Map<string, WorkflowProcess>();
    this.#alone.set(execution, own);
    const process = own.get(step) ?? new WorkflowProcess(this.#options);
    own.set(step, process);
    return process;
  }

  /** The running processes. */
  get hosts(): Host[] {
    return this.#each().flatMap(({ host }) => (host === undefined ? [] : [host]));
  }

  #each(): WorkflowProcess[] {
    const alone = [...this.#alone.values()].flatMap((own) => [...own.values()]);
    return [...this.#all.values(), ...alone];
  }

  /** Accounts or settings have changed: steps read them when they run next. */
  reconfigure(): void {
    for (const process of this.#each()) process.reconfigure();
  }

  /** The execution is over, or waits. */
  forget(execution: number): void {
    for (const process of this.#all.values()) process.forget(execution);
    for (const process of this.#alone.get(execution)?.values() ?? []) {
      process.forget(execution);
      process.endIdle();
    }
    this.#alone.delete(execution);
  }

  /** Ends those in which nothing runs, also ones that a person looks at. */
  endIdle(): void {
    for (const process of this.#each()) process.endIdle();
  }

  close(reason: string): void {
    for (const process of this.#each()) process.close(reason);
  }
}
