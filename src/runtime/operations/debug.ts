import { isAbsolute } from 'node:path';
import type { Parsed } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { type DebugSession, keyOf, type DebugTarget } from '../debug/session.ts';
import { resolveOrigin } from '../components/origin.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { CallContext, Handlers } from './operations.ts';
import { presentDebugState } from './present-debug.ts';
import { findSource, type Room } from './room.ts';

type DebugHandlers = Pick<Handlers, 'debug.start' | 'debug.stop' | 'debug.paused'>;

export function debugHandlers(room: Room): DebugHandlers {
  const { debugging } = room;
  /** A source that is still being deployed is known by its id alone. */
  const keyNamed = (id: string): string =>
    debugging.find(id) === undefined ? keyOf(targetNamed(room, id)) : id;
  return {
    'debug.start': async ({ id }, context) => {
      const target = targetNamed(room, id);
      const { sourceId } = target;
      return underDebugger(room, target, context, async (session) => {
        if (sourceId !== null && session.processes.length === 0) {
          await processOf(room, sourceId, context);
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

function targetNamed(room: Room, id: string): DebugTarget {
  if (isAbsolute(id)) return { sourceId: null, path: id };
  const record = findSource(room, id);
  return { sourceId: record.id, path: room.instances.get(record.id)?.deployment.path ?? null };
}

/** Debugs from before the work starts. Work that fails and leaves no process leaves no session. */
export async function underDebugger<T>(
  room: Room,
  target: DebugTarget,
  context: CallContext,
  work: (session: DebugSession) => Promise<T>,
): Promise<T> {
  const session = room.debugging.start(target, context.connection);
  try {
    return await work(session);
  } catch (error) {
    if (session.processes.length === 0) room.debugging.stop(keyOf(target));
    throw error;
  }
}

/**
 * Brings a source up to its code and debugs it. Where the code is deployed already, its hooks have no
 * reason to run: it only gets a fresh process.
 */
export async function updateUnderDebugger(
  room: Room,
  id: string,
  params: Parsed<'sources.update'>,
  context: CallContext,
): Promise<SourceRecord> {
  const { lifecycle, instances } = room;
  const target = targetNamed(room, id);
  return underDebugger(room, target, context, async () => {
    const { component_path, install, name, configured_props, active } = params;
    const onlyCode = [name, configured_props, active].every((value) => value === undefined);
    if (!onlyCode || component_path === undefined) return lifecycle.update(id, params, context);
    const built = await resolveOrigin(room.prepare, { component_path, install }, context);
    if (built.hash !== instances.get(id)?.deployment.hash) {
      return lifecycle.update(id, params, context);
    }
    await restart(room, id);
    return findSource(room, id);
  });
}

/** A fresh process, or the present one where a run goes on and on: a look at it is what is wanted. */
async function restart(room: Room, id: string): Promise<void> {
  const { debugging, instances, lifecycle } = room;
  if (await lifecycle.restart(id)) return;
  const session = debugging.find(id);
  const instance = instances.get(id);
  const host = instance?.live.host;
  if (session === undefined || instance === undefined || host === undefined) return;
  await debugging.adopt(session, host, instance.deployment);
}

/** Resolves when a process waits for the debugger: it is loaded only after one is attached. */
async function processOf(room: Room, id: string, { signal }: CallContext): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      room.signals.off('debug', opened);
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
    room.signals.on('debug', opened);
    signal.addEventListener('abort', aborted, { once: true });
    restart(room, id).catch((error: unknown) => {
      stop();
      reject(error);
      // Whoever asked may have got his answer long ago: the source's log has it too.
      const line = { at: room.now(), level: 'error', text: messageOf(error) } as const;
      room.prepare.hostEvents(id).onLog?.([line]);
    });
  });
}
