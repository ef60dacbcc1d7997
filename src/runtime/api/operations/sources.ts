import type { Source } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Trigger } from '../../../protocol/host.ts';
import { timerEvent } from '../../../protocol/timer-event.ts';
import { deployedCode } from '../../components/deployments/deployed-code.ts';
import type { Components, Deployment } from '../../components/deployments/deployment.ts';
import type { Lifecycle } from '../../sources/lifecycle.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';
import type { Store } from '../../store/store.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage } from './present.ts';
import type { Inbox } from '../../events/inbox.ts';
import { runToEnd } from './run-to-end.ts';
import { type DebugHandlerParts, underDebugger, updateUnderDebugger } from './debug.ts';
import { findSource, showInvocation, showSource, type ShowSourceParts } from './show-source.ts';

type SourceHandlers = Pick<
  Handlers,
  | 'sources.list'
  | 'sources.get'
  | 'sources.deploy'
  | 'sources.update'
  | 'sources.delete'
  | 'sources.invoke'
>;

export type SourceHandlerParts = DebugHandlerParts &
  ShowSourceParts & {
    readonly store: Pick<Store, 'invocations' | 'events' | 'logs'>;
    readonly lifecycle: Pick<Lifecycle, 'deploy' | 'update' | 'delete'>;
    readonly inbox: Inbox;
    readonly components: Pick<Components, 'get'>;
    readonly newId: (prefix: 'dc_') => string;
  };

export function sourceHandlers(parts: SourceHandlerParts): SourceHandlers {
  const { store, lifecycle, inbox, debugging, newId, now } = parts;
  const show = (record: SourceRecord): Source => showSource(parts, record);
  return {
    'sources.list': (params) => presentPage(store.sources.list(pageRequest(params)), show),
    'sources.get': async (params) => {
      const record = findSource(store, params.id);
      const shown = show(record);
      if (params.include_code !== true) return shown;
      const deployment = await deploymentOf(parts, record);
      return {
        ...shown,
        code: await codeOf(deployment),
        inputs: [...(deployment?.inputs ?? [])],
      };
    },
    'sources.deploy': async (params, context) => {
      const id = newId('dc_');
      const target = { sourceId: id, path: params.component_path ?? null };
      const deploy = () => lifecycle.deploy(params, context, id);
      const record = await (params.debug === true
        ? underDebugger(parts, target, context, deploy)
        : deploy());
      return show(record);
    },
    'sources.update': async (params, context) => {
      const { id } = findSource(store, params.id);
      if (params.debug === true) return show(await updateUnderDebugger(parts, id, params, context));
      const update = () => lifecycle.update(id, params, context);
      // The deactivate hook would wait for the debugger, and the call for the hook.
      return show(await (params.active === false ? debugging.hurry(id, update) : update()));
    },
    'sources.delete': async (params, context) => {
      const { id } = findSource(store, params.id);
      const ignoreHookErrors = params.ignore_hook_errors === true;
      await debugging.hurry(id, () => lifecycle.delete(id, ignoreHookErrors, context));
      return {};
    },
    'sources.invoke': async (params, { signal }) => {
      const record = findSource(store, params.id);
      requireActive(record);
      const trigger: Trigger = {
        kind: 'event',
        json: JSON.stringify(params.event ?? manualEvent(record, now())),
      };
      const byHand = { cause: 'manual', trigger } as const;
      const committed = await runToEnd(inbox, record.id, byHand, signal);
      return showInvocation(parts, committed.commit.n);
    },
  };
}

/** Throws `conflict`: a source that is switched off takes no runs. */
export function requireActive(record: SourceRecord): void {
  if (record.active) return;
  throw new WeirError('conflict', `${record.name} is switched off. Activate it first.`);
}

/** Run now: a timer source gets the time as from its timer (P8.14), others get `{}`. */
export function manualEvent(record: SourceRecord | undefined, now: number): unknown {
  const timer = record?.interfaces.find(({ kind }) => kind === 'timer');
  if (timer === undefined) return {};
  return timerEvent({ ...timer, timestamp: Math.floor(now / 1000) });
}

/** Also of a source that another node runs. */
async function deploymentOf(
  { instances, store, components }: SourceHandlerParts,
  { id, componentId }: SourceRecord,
): Promise<Deployment | undefined> {
  const here = instances.get(id)?.deployment;
  const component = store.components.get(componentId);
  return here ?? (component && components.get(component.hash));
}

async function codeOf(deployment: Deployment | undefined): Promise<string> {
  if (deployment === undefined || deployment.bundle === '') {
    throw new WeirError('not_found', 'The code of this source is gone.');
  }
  return deployedCode(deployment);
}
