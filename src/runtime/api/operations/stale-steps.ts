/** Steps whose results were made with something older than what the files say now (P25.95). */
import type { ApiServices } from './api-services.ts';
import type { Result } from '../../../protocol/catalogue.ts';
import { filterRules } from '../../workflows/file/rules.ts';
import { staleStep, type StepVersion } from '../../workflows/executions/stale-steps.ts';
import { actionsOf } from '../../workflows/lifecycle/resolve-steps.ts';
import type { StepDefinition } from '../../../protocol/workflow.ts';
import type { ExecutionState, StepRun } from '../../store/history/executions.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from './operations.ts';
import { findExecution, type ShowExecutionParts } from './show-execution.ts';

export interface StaleStepsParts extends Pick<ApiServices, 'workflows'> {
  readonly store: ShowExecutionParts['store'] &
    Pick<Store, 'workflows' | 'components' | 'invocations' | 'executions'>;
}

type StaleSteps = Result<'executions.stale'>['data'];

/** How many executions results may have been copied through, one after the other. */
const mostOrigins = 32;

export function staleStepsHandlers(parts: StaleStepsParts): Pick<Handlers, 'executions.stale'> {
  return {
    'executions.stale': async ({ id }, context) => {
      const record = await findExecution(parts, id);
      const folder = parts.store.workflows.get(record.emitterId)?.path ?? '';
      const current = await parts.workflows.currentSteps(folder, context);
      const now = versionOf(current.steps, (uses) => current.hashes.get(uses));
      return { data: await staleSteps(parts, record, now) };
    },
  };
}

async function staleSteps(
  { store }: StaleStepsParts,
  record: InvocationRecord,
  now: StepVersion,
): Promise<StaleSteps> {
  const origins = await originsOf(store, record);
  const versions = new Map<string, StepVersion | undefined>();
  const found: StaleSteps = [];
  const [own] = origins;
  const last = new Map(own?.rows.map((row) => [row.path, row]));
  for (const row of last.values()) {
    const pins = own?.state.test?.pins ?? {};
    if (row.status === 'cancelled' || Object.hasOwn(pins, row.namespace)) continue;
    const { state } = origins.find(({ record: of }) => row.startedAt >= of.createdAt) ?? {};
    const deploymentId = state?.deploymentId ?? '';
    if (!versions.has(deploymentId)) versions.set(deploymentId, deployed(store, deploymentId));
    const then = versions.get(deploymentId);
    if (then === undefined) {
      found.push({ path: row.path, because: 'unknown', of: null });
    } else if (state?.override?.path === row.path) {
      found.push({ path: row.path, because: 'props', of: null });
    } else {
      const stale = staleStep(then, now, row.path);
      if (stale !== undefined) found.push({ path: row.path, ...stale });
    }
  }
  return found;
}

interface OriginOfResults {
  readonly record: InvocationRecord;
  readonly state: ExecutionState;
  readonly rows: readonly StepRun[];
}

/** The execution, and the executions that its copied results come from, newest first. */
async function originsOf(
  store: StaleStepsParts['store'],
  newest: InvocationRecord,
): Promise<readonly OriginOfResults[]> {
  const origins: OriginOfResults[] = [];
  let record: InvocationRecord | undefined = newest;
  while (record !== undefined && origins.length < mostOrigins) {
    const state = await store.executions.state(record.n);
    if (state === undefined) break;
    const rows: readonly StepRun[] =
      origins.length === 0 ? await store.executions.steps(record.n) : [];
    origins.push({ record, state, rows });
    record = record.replayOf === null ? undefined : await store.invocations.get(record.replayOf);
  }
  return origins;
}

/** Undefined when it is not kept any more. */
function deployed(store: StaleStepsParts['store'], id: string): StepVersion | undefined {
  const deployment = store.workflows.deployment(id);
  if (deployment === undefined) return undefined;
  const { definition, components } = deployment;
  return versionOf(definition.steps, (uses) => store.components.get(components[uses] ?? '')?.hash);
}

/** A filter is its rules: what its `uses` names never runs. */
function versionOf(
  steps: readonly StepDefinition[],
  hashOf: (uses: string) => string | undefined,
): StepVersion {
  const filters = new Set(
    actionsOf(steps)
      .filter(({ props }) => filterRules(props) !== undefined)
      .map(({ uses }) => uses),
  );
  return { steps, codeOf: (uses) => (filters.has(uses) ? 'filter' : hashOf(uses)) };
}
