import { readFile } from 'node:fs/promises';
import { WeirError } from '../../protocol/errors.ts';
import type { Trigger } from '../../protocol/host.ts';
import type { Committed } from '../signals.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentEvent, presentLog, presentPage } from './present.ts';
import { underDebugger, updateUnderDebugger } from './debug.ts';
import { findSource, showInvocationRecord, showSource, type Room } from './room.ts';
import { autoSubscribe } from './subscriptions.ts';

type SourceHandlers = Pick<
  Handlers,
  | 'sources.list'
  | 'sources.get'
  | 'sources.deploy'
  | 'sources.update'
  | 'sources.delete'
  | 'sources.invoke'
>;

export function sourceHandlers(room: Room): SourceHandlers {
  const { store, lifecycle } = room;
  return {
    'sources.list': (params) =>
      presentPage(store.sources.list(pageRequest(params)), (record) => showSource(room, record)),
    'sources.get': async (params) => {
      const record = findSource(room, params.id);
      const shown = showSource(room, record);
      return params.include_code === true
        ? { ...shown, code: await codeOf(room, record.id), inputs: inputsOf(room, record.id) }
        : shown;
    },
    'sources.deploy': async (params, context) => {
      const id = room.newId('dc_');
      const target = { sourceId: id, path: params.component_path ?? null };
      const deploy = () => lifecycle.deploy(params, context, id);
      const record = await (params.debug === true
        ? underDebugger(room, target, context, deploy)
        : deploy());
      await autoSubscribe(room, record.id);
      return showSource(room, record);
    },
    'sources.update': async (params, context) => {
      const { id } = findSource(room, params.id);
      return showSource(
        room,
        await (params.debug === true
          ? updateUnderDebugger(room, id, params, context)
          : lifecycle.update(id, params, context)),
      );
    },
    'sources.delete': async (params, context) => {
      await lifecycle.delete(
        findSource(room, params.id).id,
        params.ignore_hook_errors === true,
        context,
      );
      return {};
    },
    'sources.invoke': async (params) => {
      const record = findSource(room, params.id);
      requireActive(record);
      const trigger: Trigger = {
        kind: 'event',
        json: JSON.stringify(params.event ?? manualEvent(room, record.id)),
      };
      const committed = await new Promise<Committed>((ended, failed) => {
        room.invocations.accept(record.id, trigger, 'manual', { ended, failed });
      });
      return showInvocation(room, committed.commit.n);
    },
  };
}

/** Throws `conflict`: a source that is switched off takes no runs. */
export function requireActive(record: SourceRecord): void {
  if (record.active) return;
  throw new WeirError('conflict', `${record.name} is switched off. Activate it first.`);
}

/** Run now: a timer source is told the time as its timer would (P8.14), others get `{}`. */
export function manualEvent(room: Room, sourceId: string | undefined): unknown {
  const record = sourceId === undefined ? undefined : room.store.sources.get(sourceId);
  const timer = record?.interfaces.find(({ kind }) => kind === 'timer');
  if (timer === undefined) return {};
  const timestamp = Math.floor(room.now() / 1000);
  if (timer.cron !== undefined) return { timestamp, cron: timer.cron };
  return { timestamp, interval_seconds: timer.intervalSeconds };
}

/** One invocation with what it emitted and logged. Throws `not_found`. */
export function showInvocation(room: Room, n: number) {
  const record = room.store.invocations.get(n);
  if (record === undefined) throw new WeirError('not_found', `There is no invocation inv_${n}.`);
  return {
    ...showInvocationRecord(room, record),
    emitted: room.store.events.ofInvocation(n).map((event) => presentEvent(event, true)),
    logs: room.store.logs.ofInvocation(n).map(presentLog),
  };
}

function inputsOf({ instances }: Room, id: string): string[] {
  return [...(instances.get(id)?.deployment.inputs ?? [])];
}

async function codeOf(room: Room, id: string): Promise<string> {
  const instance = room.instances.get(id);
  const file = instance?.deployment.path ?? instance?.deployment.bundle;
  if (file === undefined || file === '')
    throw new WeirError('not_found', 'The code of this source is gone.');
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new WeirError('not_found', `${file} cannot be read.`, undefined, error);
  }
}
