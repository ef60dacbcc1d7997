/** Executions as replies show them, with what the store has of them. */
import type { ApiServices } from './api-services.ts';
import type { Execution, StepRun, WholeExecution } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { executionPrefix } from '../../../protocol/ids.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import type { LiveExecution, LiveStep } from '../../store/history/executions.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { UsesStore } from '../../store/store.ts';
import { blockOutcomes } from '../../workflows/executions/block-outcomes.ts';
import { presentTrigger } from './present-trigger.ts';
import {
  presentExecution,
  presentOutgoing,
  presentResponse,
  presentRequests,
  presentRunning,
  presentSend,
  presentStep,
} from './present-workflows.ts';

export interface ShowExecutionParts
  extends
    UsesStore<'workflows' | 'components' | 'invocations' | 'executions' | 'sends' | 'flush'>,
    Pick<ApiServices, 'executions' | 'executionKeys' | 'resumeUrl' | 'testReports'> {
  readonly environment: Pick<Environment, 'mask'>;
}

/** @throws WeirError `not_found` */
export function executionNumber(id: string): number {
  const n = id.startsWith(executionPrefix) ? Number(id.slice(executionPrefix.length)) : Number.NaN;
  if (Number.isSafeInteger(n) && n > 0) return n;
  throw new WeirError('not_found', `There is no execution ${id}.`);
}

/** @throws WeirError `not_found` */
export async function findExecution(
  { store }: Pick<ShowExecutionParts, 'store'>,
  id: string,
): Promise<InvocationRecord> {
  const record = await store.invocations.get(executionNumber(id));
  if (record === undefined || store.workflows.get(record.emitterId) === undefined) {
    throw new WeirError('not_found', `There is no execution ${id}.`);
  }
  return record;
}

export async function showExecution(parts: ShowExecutionParts, n: number): Promise<Execution> {
  const record = await findExecution(parts, `${executionPrefix}${n}`);
  return present(parts, record, await parts.executions.live(record));
}

async function present(
  parts: ShowExecutionParts,
  record: InvocationRecord,
  live: LiveExecution | undefined,
): Promise<Execution> {
  const state = await parts.store.executions.state(record.n);
  return presentExecution(parts, live?.record ?? record, state);
}

/** An execution with its completed and running steps. */
export async function showWhole(parts: ShowExecutionParts, n: number): Promise<WholeExecution> {
  const { store, executions } = parts;
  const record = await findExecution(parts, `${executionPrefix}${n}`);
  const live = await executions.live(record);
  const shown = await present(parts, record, live);
  const rows = await store.executions.stepsWithLogs(n);
  const state = await store.executions.state(n);
  const trigger = await store.invocations.trigger(n);
  // A step that has ended meanwhile has a row.
  const running = (live?.running ?? [])
    .filter((step) => !rows.some((row) => isRun(step, row)))
    .map((step) => presentRunning(step, live?.leg ?? 1));
  const sends = await store.sends.ofExecution(n);
  const deployment = store.workflows.deployment(state?.deploymentId ?? '');
  const blocks = blockOutcomes(deployment?.definition.steps ?? [], rows);
  const steps: StepRun[] = rows.map((row) =>
    presentStep(parts, n, row, state, blocks.get(row.path)),
  );
  return {
    ...shown,
    trigger: trigger === undefined ? null : presentTrigger(trigger),
    requests: presentRequests(rows, await store.executions.requests(n)),
    sends: sends.map((record) => presentSend(record, parts.environment)),
    response: presentResponse(state?.response ?? null, parts.environment),
    ...presentOutgoing(parts.testReports.get(n), parts.environment),
    steps: [...steps, ...running],
  };
}

function isRun(
  step: LiveStep,
  { path, run, attempt }: Pick<LiveStep, 'path' | 'run' | 'attempt'>,
): boolean {
  return step.path === path && step.run === run && step.attempt === attempt;
}
