import type { EmitterOwner } from '../emitter-owner.ts';
import type {
  ExecutionState,
  ResumeHit,
  StepRequestsRecord,
  StepRun,
  StoredStepRun,
} from './executions.ts';
import type { InvocationRecord } from './invocations.ts';

/** Executions of workflows, beside what the invocations say of them. */
export interface ExecutionTable {
  state(n: number): Promise<ExecutionState | undefined>;
  states(numbers: readonly number[]): Promise<ReadonlyMap<number, ExecutionState>>;
  /** In the order of their commits. */
  steps(n: number): Promise<StepRun[]>;
  stepsWithLogs(n: number): Promise<StoredStepRun[]>;
  /** Requests of the step runs that made some, in the order of their commits. */
  requests(n: number): Promise<StepRequestsRecord[]>;
  hits(n: number): Promise<ResumeHit[]>;
  /** Makes the paused execution due. Resolves with false if there is a hit already for this run of the step. */
  addHit(owner: EmitterOwner, hit: ResumeHit, at: number): Promise<boolean>;
  /** Paused executions of this runtime's workflows whose time has come, in the order they are due. */
  due(now: number, limit: number): Promise<InvocationRecord[]>;
  /** Epoch ms of the earliest of them later than this; undefined when none waits for one. */
  nextWakeAfter(now: number): Promise<number | undefined>;
  /** Paused, of one workflow. */
  paused(emitterId: string): Promise<InvocationRecord[]>;
}
