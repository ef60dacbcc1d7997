import type { ApiServices } from './api-services.ts';
import { isAbsolute } from 'node:path';
import type { Parsed } from '../../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { DebugSession } from '../../components/debug/session.ts';
import { type DebugTarget, keyOf } from '../../processes/debugged.ts';
import type { Instances } from '../../sources/instances.ts';
import type { Lifecycle } from '../../sources/lifecycle.ts';
import { resolveOrigin } from '../../components/origin.ts';
import type { SavedComponents } from '../../components/saved-components.ts';
import type { SourceRecord } from '../../store/configuration/sources.ts';
import type { UsesStore } from '../../store/store.ts';
import { debugWorkflow, type DebugWorkflowParts } from './debug-workflow.ts';
import { findWorkflow } from './find-workflow.ts';
import type { CallContext, Handlers } from './operations.ts';
import { presentDebugState } from './present-debug.ts';
import { findSource } from './show-source.ts';
import type { Services } from '../../events/services.ts';

type DebugHandlers = Pick<Handlers, 'debug.start' | 'debug.stop' | 'debug.paused'>;

export interface DebugHandlerParts
  extends
    DebugWorkflowParts,
    UsesStore<'sources' | 'workflows'>,
    Pick<Services, 'signals' | 'now'>,
    Pick<ApiServices, 'prepare'> {
  readonly lifecycle: Pick<Lifecycle, 'restart' | 'update'>;
  readonly instances: Pick<Instances, 'get'>;
  readonly savedComponents: Pick<SavedComponents, 'adding'>;
}

export function debugHandlers(parts: DebugHandlerParts): DebugHandlers {
  const { debugging } = parts;
  /** A source that is still being deployed is known by its id alone. */
  const keyNamed = (id: string): string =>
    debugging.find(id) === undefined ? keyOf(targetNamed(parts, id)) : id;
  return {
    'debug.start': async ({ id }, context) => {
      if (kindOf(id) === 'workflow') {
        const session = await debugWorkflow(parts, findWorkflow(parts.store, id), context);
        return presentDebugState(session) ?? { paused: false, processes: [] };
      }
      const target = targetNamed(parts, id);
      const { sourceId } = target;
      return underDebugger(parts, target, context, async (session) => {
        if (sourceId !== null && session.processes.length === 0) {
          await processOf(parts, sourceId, context);
        }
        return presentDebugState(session) ?? { paused: false, processes: [] };
      });
    },
    'debug.stop': ({ id }) => {
      debugging.stop(keyNamed(id));
      return {};
    },
    'debug.paused': ({ id, paused }) => {
      debugging.paused(keyNamed(id), paused);
      return {};
    },
  };
}

function targetNamed(parts: DebugHandlerParts, id: string): DebugTarget {
  if (isAbsolute(id)) return { sourceId: null, path: id };
  const record = findSource(parts.store, id);
  return { sourceId: record.id, path: parts.instances.get(record.id)?.deployment.path ?? null };
}

/** Debugs from before the work starts. Work that fails and leaves no process leaves no session. */
export async function underDebugger<T>(
  parts: DebugHandlerParts,
  target: DebugTarget,
  context: CallContext,
  work: (session: DebugSession) => Promise<T>,
): Promise<T> {
  const session = parts.debugging.start(target, context.connection);
  try {
    return await work(session);
  } catch (error) {
    if (session.processes.length === 0) parts.debugging.stop(keyOf(target));
    throw error;
  }
}

/**
 * Brings a source up to its code and debugs it. Where the code is deployed already, its hooks have no
 * reason to run: it only gets a fresh process.
 */
export async function updateUnderDebugger(
  parts: DebugHandlerParts,
  id: string,
  params: Parsed<'sources.update'>,
  context: CallContext,
): Promise<SourceRecord> {
  const { lifecycle, instances, savedComponents } = parts;
  const target = targetNamed(parts, id);
  return underDebugger(parts, target, context, async () => {
    const { component_path, install, name, configured_props, active } = params;
    const onlyCode = [name, configured_props, active].every((value) => value === undefined);
    if (!onlyCode || component_path === undefined) return lifecycle.update(id, params, context);
    return savedComponents.adding(async () => {
      const built = await resolveOrigin(parts.prepare, { component_path, install }, context);
      if (built.hash !== instances.get(id)?.deployment.hash) {
        return lifecycle.update(id, { ...params, built }, context);
      }
      await restart(parts, id);
      return findSource(parts.store, id);
    });
  });
}

/**
 * Starts a fresh process, or uses the current one if a run in it does not end, because the user wants to inspect that
 * run.
 */
async function restart(parts: DebugHandlerParts, id: string): Promise<void> {
  const { debugging, instances, lifecycle } = parts;
  if (await lifecycle.restart(id)) return;
  const session = debugging.find(id);
  const instance = instances.get(id);
  const host = instance?.runner.host;
  if (session === undefined || instance === undefined || host === undefined) return;
  await debugging.adopt(session, host, instance.deployment);
}

/**
 * Resolves when a process waits for the debugger: it is loaded only after one is attached. Also resolves if the process
 * ended meanwhile: the next process waits.
 */
async function processOf(
  parts: DebugHandlerParts,
  id: string,
  { signal }: CallContext,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      parts.signals.off('debug', opened);
      signal.removeEventListener('abort', aborted);
    };
    const opened = ({ target }: { readonly target: DebugTarget }): void => {
      if (target.sourceId !== id) return;
      stop();
      resolve();
    };
    const aborted = (): void => {
      stop();
      reject(new WeirError('cancelled', 'Cancelled.'));
    };
    parts.signals.on('debug', opened);
    signal.addEventListener('abort', aborted, { once: true });
    restart(parts, id).then(
      () => {
        stop();
        resolve();
      },
      (error: unknown) => {
        stop();
        reject(error);
        // The caller may have got the answer long ago, so the source's log has the error, too.
        const line = { at: parts.now(), level: 'error', text: messageOf(error) } as const;
        parts.prepare.hostEvents(id).onLog?.([line]);
      },
    );
  });
}
