/** The processes of one deployment: one for all its steps, or one for each (`settings.isolate: step`, P25.27). */
import type { Host } from '../../hosts/host.ts';
import { withoutItems } from '../walk/path.ts';
import { WorkflowProcess, type WorkflowProcessOptions } from './workflow-process.ts';

export interface WorkflowProcessesOptions extends WorkflowProcessOptions {
  /** Each step has one of its own. */
  readonly isIsolated: boolean;
}

export class WorkflowProcesses {
  readonly #options: WorkflowProcessesOptions;
  readonly #all = new Map<string, WorkflowProcess>();

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

  /** Those that run. */
  get hosts(): Host[] {
    return [...this.#all.values()].flatMap(({ host }) => (host === undefined ? [] : [host]));
  }

  /** Accounts or settings have changed: steps read them when they run next. */
  reconfigure(): void {
    for (const process of this.#all.values()) process.reconfigure();
  }

  /** The execution is over, or waits. */
  forget(execution: number): void {
    for (const process of this.#all.values()) process.forget(execution);
  }

  /** Ends those in which nothing runs, also ones that a person looks at. */
  endIdle(): void {
    for (const process of this.#all.values()) process.endIdle();
  }

  close(reason: string): void {
    for (const process of this.#all.values()) process.close(reason);
  }
}
