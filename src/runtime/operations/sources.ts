import { readFile } from 'node:fs/promises';
import { WeirError } from '../../protocol/errors.ts';
import type { Trigger } from '../../protocol/host.ts';
import type { Committed } from '../signals.ts';
import type { Handlers } from './operations.ts';
import { load } from '../lifecycle/prepare.ts';
import {
  pageRequest,
  presentComponent,
  presentEvent,
  presentInvocation,
  presentLog,
  presentPage,
} from './present.ts';
import { findSource, showSource, type Room } from './room.ts';

type SourceHandlers = Pick<
  Handlers,
  | 'components.inspect'
  | 'components.list'
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
    'components.inspect': async (params, context) => {
      const { host, definition, deployment, warnings } = await load(
        room.prepare,
        null,
        params,
        context,
      );
      await host.end();
      const { name, key, type, version, description, dedupe, props } = definition;
      const code_hash = deployment.hash;
      return {
        name,
        key,
        type,
        version,
        description,
        dedupe,
        code_hash,
        configurable_props: [...props],
        warnings: [...warnings],
      };
    },
    'components.list': (params) =>
      presentPage(store.components.list(pageRequest(params)), presentComponent),
    'sources.list': (params) =>
      presentPage(store.sources.list(pageRequest(params)), (record) => showSource(room, record)),
    'sources.get': async (params) => {
      const record = findSource(room, params.id);
      const shown = showSource(room, record);
      return params.include_code === true
        ? { ...shown, code: await codeOf(room, record.id) }
        : shown;
    },
    'sources.deploy': async (params, context) =>
      showSource(room, await lifecycle.deploy(params, context)),
    'sources.update': async (params, context) => {
      const { id } = findSource(room, params.id);
      return showSource(room, await lifecycle.update(id, params, context));
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
      if (!record.active) {
        throw new WeirError('conflict', `${record.name} is switched off. Activate it first.`);
      }
      const trigger: Trigger = {
        kind: 'event',
        json: JSON.stringify(params.event ?? manualEvent(room, record.id)),
      };
      const committed = await new Promise<Committed>((ended) => {
        room.invocations.accept(record.id, trigger, 'manual', { ended });
      });
      return showInvocation(room, committed.commit.n);
    },
  };
}

/** Run now: a timer source is told the time as its timer would (reference §3.4), others get `{}`. */
function manualEvent(room: Room, sourceId: string): unknown {
  const timer = room.store.sources.get(sourceId)?.interfaces.find(({ kind }) => kind === 'timer');
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
    ...presentInvocation(record),
    emitted: room.store.events.ofInvocation(n).map((event) => presentEvent(event, true)),
    logs: room.store.logs.ofInvocation(n).map(presentLog),
  };
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
