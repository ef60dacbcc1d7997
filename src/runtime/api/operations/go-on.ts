/** From the middle of a workflow: finds the execution with the results of the earlier steps. */
import { WeirError } from '../../../protocol/errors.ts';
import type { Trigger } from '../../../protocol/host.ts';
import { executionPrefix } from '../../../protocol/ids.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { NewJournal, Pin } from '../../store/history/executions.ts';
import type { UsesStore } from '../../store/store.ts';
import { pinsBeside, replayFrom } from '../../workflows/executions/replay.ts';
import { pathOfStep } from '../../workflows/executions/step-path.ts';
import type { BaseServices } from '../../base/services.ts';

export interface GoOnParts
  extends UsesStore<'invocations' | 'executions'>, Pick<BaseServices, 'now'> {}

export interface GoOnRequest {
  readonly workflowId: string;
  readonly deployment: Pick<WorkflowDeploymentRecord, 'id' | 'definition'>;
  /** Path or name. */
  readonly step: string;
  /** Number of the execution whose results are copied; the newest that reached the step unless given. */
  readonly execution?: number | undefined;
  readonly pins?: Readonly<Record<string, Pin>>;
  /** Whether the results of tests will do. */
  readonly fromTests: boolean;
}

export interface GoOn {
  readonly path: string;
  readonly journal: NewJournal;
  /** Number of the execution whose results are taken; undefined when pins are enough. */
  readonly execution?: number;
  /** Trigger of that execution. */
  readonly trigger?: Trigger | undefined;
}

/** How many of the newest executions are read. */
const mostLookedAt = 100;

/** @throws WeirError `bad_input` when nothing is known of what comes before the step */
export async function goOn({ store, now }: GoOnParts, request: GoOnRequest): Promise<GoOn> {
  const { workflowId, deployment, step, execution: named, fromTests } = request;
  const path = pathOfStep(deployment.definition.steps, step);
  const pins = pinsBeside(path, request.pins ?? {});
  const from = { path, pins, at: now() };
  const after = async (n: number): Promise<GoOn> => {
    const rows = await store.executions.steps(n);
    const journal = replayFrom(deployment, rows, { ...from, id: `${executionPrefix}${n}` });
    return { path, journal, execution: n, trigger: await store.invocations.trigger(n) };
  };
  if (named !== undefined) {
    if (!fromTests && (await store.executions.state(named))?.test !== null) throw isTest(named);
    return after(named);
  }
  const { rows: newest } = await store.invocations.list(workflowId, { limit: mostLookedAt });
  const states = await store.executions.states(newest.map(({ n }) => n));
  for (const { n } of newest) {
    const state = states.get(n);
    if (state === undefined || (!fromTests && state.test !== null)) continue;
    try {
      return await after(n);
    } catch (error) {
      // It did not come so far, or its steps were others.
      if (!WeirError.is(error, 'bad_input')) throw error;
    }
  }
  return { path, journal: replayFrom(deployment, [], from) };
}

/** Pins may be among its results (P25.92). */
export function isTest(n: number): WeirError {
  return new WeirError(
    'bad_input',
    `${executionPrefix}${n} is a test: its results are not for executions that go out. Name another execution, or test again.`,
  );
}
