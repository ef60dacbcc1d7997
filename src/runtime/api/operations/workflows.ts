import type { ApiServices } from './api-services.ts';
import { dirname, join } from 'node:path';
import type { EmittedEvent, Workflow } from '../../../protocol/catalogue.ts';
import { scheduledChannel } from '../../../protocol/channels.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Trigger } from '../../../protocol/host.ts';
import type { Components } from '../../components/deployments/deployment.ts';
import type { WorkflowRecord } from '../../store/configuration/workflows.ts';
import type { Store } from '../../store/store.ts';
import { hitRunOf } from '../../workflows/executions/journal.ts';
import { readWorkflow } from '../../workflows/file/read.ts';
import { workflowFile } from '../../workflows/lifecycle/resolve-steps.ts';
import { compareExecutions } from './compare-executions.ts';
import { debugWorkflow, type DebugWorkflowParts } from './debug-workflow.ts';
import { findTestable, findWorkflow } from './find-workflow.ts';
import type { Handlers } from './operations.ts';
import { presentExecution, presentWorkflow } from './present-workflows.ts';
import { pageRequest, presentEvent, presentPage } from './present.ts';
import { listScheduled, type ScheduledEmitParts } from './scheduled-emits.ts';
import {
  executionNumber,
  findExecution,
  showExecution,
  showWhole,
  type ShowExecutionParts,
} from './show-execution.ts';
import { waitForEnd, type WaitParts } from './wait-for-end.ts';

type WorkflowHandlers = Pick<
  Handlers,
  | 'workflows.list'
  | 'workflows.get'
  | 'workflows.deploy'
  | 'workflows.check'
  | 'workflows.components'
  | 'workflows.component'
  | 'workflows.update'
  | 'workflows.delete'
  | 'workflows.events'
  | 'workflows.errors'
  | 'executions.list'
  | 'executions.get'
  | 'executions.compare'
  | 'executions.cancel'
  | 'executions.resume'
>;

export interface WorkflowHandlerParts
  extends
    DebugWorkflowParts,
    ShowExecutionParts,
    ScheduledEmitParts,
    Pick<ApiServices, 'bring' | 'workflows' | 'executions' | 'signals' | 'dist' | 'endpointUrl'> {
  readonly after: WaitParts['after'];
  readonly store: ShowExecutionParts['store'] & ScheduledEmitParts['store'] & Pick<Store, 'events'>;
  readonly components: DebugWorkflowParts['components'] & Pick<Components, 'get'>;
}

export function workflowHandlers(parts: WorkflowHandlerParts): WorkflowHandlers {
  const { store, workflows, executions } = parts;
  const find = (id: string) => findExecution(parts, id);
  const show = (record: WorkflowRecord): Workflow => presentWorkflow(parts, record);
  return {
    'workflows.list': (params) => presentPage(store.workflows.list(pageRequest(params)), show),
    'workflows.get': async ({ id, include_code: withCode }) => {
      const record = findWorkflow(store, id);
      const shown = show(record);
      return withCode === true ? { ...shown, inputs: await inputsOf(parts, record) } : shown;
    },
    'workflows.deploy': async (params, context) => {
      const { record, warnings } = await workflows.deploy(params, context);
      if (params.debug === true) {
        const letGo = await parts.bring?.(record.id);
        try {
          await debugWorkflow(parts, record, context);
        } finally {
          letGo?.();
        }
      }
      return { ...show(record), warnings: [...warnings] };
    },
    'workflows.check': ({ text }) => ({
      diagnostics: readWorkflow(text).diagnostics.map(({ endLine, endColumn, ...rest }) => ({
        ...rest,
        end_line: endLine,
        end_column: endColumn,
      })),
    }),
    'workflows.components': async ({ workflow_path: path }, { signal }) => {
      const found = await workflows.components(workflowFile(path).file, signal);
      return {
        data: found.map(({ componentId, ...rest }) => ({ ...rest, component_id: componentId })),
      };
    },
    'workflows.component': async ({ workflow_path: path, uses }, { signal }) => {
      const found = await workflows.component(workflowFile(path).file, uses, signal);
      if (found !== undefined) return { path: found.path, component_id: found.componentId };
      throw new WeirError(
        'not_found',
        `There is no component ${uses} here, neither published nor among the files and packages of the workspace.`,
      );
    },
    'workflows.update': async ({ id, name, active }) =>
      show(await workflows.update(findWorkflow(store, id).id, { name, active })),
    'workflows.delete': async (params) => {
      const { id } = findTestable(store, params.id);
      parts.debugging.stop(id);
      await workflows.delete(id);
      return {};
    },
    'workflows.events': async (params) => {
      const { id } = findWorkflow(store, params.id);
      const { event_name: channel } = params;
      if (channel === scheduledChannel) {
        const page = await listScheduled(parts, id, params);
        return { ...page, data: page.data.map((shown) => asRawEvent(shown)) };
      }
      const page = await store.events.list(id, {
        ...pageRequest(params),
        ...(channel !== undefined && { channel }),
        dropped: params.include_dropped === true,
      });
      return presentPage(page, (record) =>
        asRawEvent(presentEvent(record, params.expand === 'event')),
      );
    },
    'workflows.errors': async (params) => {
      const { id } = findWorkflow(store, params.id);
      const page = await store.events.list(id, {
        ...pageRequest(params),
        channel: '$errors',
        dropped: false,
      });
      return presentPage(page, (record) => presentEvent(record, params.expand === 'event'));
    },
    'executions.list': async (params) => {
      const { id } = findTestable(store, params.id);
      const page = await store.invocations.list(id, pageRequest(params));
      const states = await store.executions.states(page.rows.map(({ n }) => n));
      return presentPage(page, (record) =>
        presentExecution(parts, executions.recordOf(record), states.get(record.n)),
      );
    },
    'executions.get': async ({ id, wait }, { signal }) => {
      const n = executionNumber(id);
      if (wait === true) await waitForEnd(parts, n, signal);
      return showWhole(parts, n);
    },
    'executions.compare': async ({ id, with: later }) => {
      const [before, after] = [await find(id), await find(later)];
      if (before.emitterId !== after.emitterId) {
        throw new WeirError('bad_input', `${id} and ${later} are of two workflows.`);
      }
      const whole = [await showWhole(parts, before.n), await showWhole(parts, after.n)] as const;
      return {
        before: await showExecution(parts, before.n),
        after: await showExecution(parts, after.n),
        ...compareExecutions(...whole),
      };
    },
    'executions.cancel': async ({ id }) => {
      const record = await findExecution(parts, id);
      if (!(await executions.cancel(record))) throw hasEnded(id);
      // The end of one that does not run is on its way to the store.
      await store.flush();
      return showExecution(parts, record.n);
    },
    'executions.resume': async ({ id, path, event, as_due: asDue }) => {
      if (asDue === true && event !== undefined) {
        throw new WeirError('bad_input', 'Give event or as_due, not both: a time brings no event.');
      }
      const record = await findExecution(parts, id);
      const waiting = (await store.executions.steps(record.n)).filter(
        ({ status, ...step }) =>
          (status === 'paused' || status === 'retrying') &&
          (path === undefined || step.path === path),
      );
      const [only, ...others] = waiting;
      if (only === undefined || record.endedAt !== null) {
        throw new WeirError(
          'conflict',
          `${id} does not wait${path === undefined ? '' : ` at ${path}`}.`,
        );
      }
      if (others.length > 0) {
        const paths = waiting.map((step) => step.path).join(', ');
        throw new WeirError(
          'conflict',
          `Several steps of ${id} wait: give the path of one: ${paths}.`,
        );
      }
      const trigger: Trigger | undefined =
        event === undefined ? undefined : { kind: 'event', json: JSON.stringify(event) };
      const outcome = await executions.hit(
        { execution: record.n, path: only.path, run: hitRunOf(only) },
        asDue === true ? 'due' : 'resume',
        trigger,
      );
      if (outcome !== 'taken') throw hasEnded(id);
      return showExecution(parts, record.n);
    },
  };
}

/** As the platform lists what a workflow emitted. */
function asRawEvent(shown: EmittedEvent): EmittedEvent {
  return { ...shown, event: { raw_event: shown.event } };
}

function hasEnded(id: string): WeirError {
  return new WeirError('conflict', `${id} has ended, or goes on already.`);
}

/** The files that change it: none for steps in packages. */
async function inputsOf(
  { store, components, dist }: Pick<WorkflowHandlerParts, 'store' | 'components' | 'dist'>,
  { path, deploymentId }: WorkflowRecord,
): Promise<string[]> {
  const ids = Object.values(store.workflows.deployment(deploymentId)?.components ?? {});
  const deployments = await Promise.all(
    ids.map((id) => components.get(store.components.get(id)?.hash ?? '')),
  );
  const inputs = deployments.flatMap((deployment) => deployment?.inputs ?? []);
  const own = inputs.filter((input) => dirname(input) !== dist);
  return [...new Set([join(path, 'workflow.yaml'), ...own])];
}
