/** Emits that wait for their `delivery_ts`, which the runtime lists as a channel (P18.15). */
import { allPages } from '../../client/pages.ts';
import type { EmittedEvent } from '../../protocol/catalogue.ts';
import { scheduledChannel } from '../../protocol/channels.ts';
import type { RuntimeClient } from './runtime-client.ts';

type Client = Pick<RuntimeClient, 'call'>;

const channel = { event_name: scheduledChannel };
/** The largest page the runtime gives (P16.5). */
const pageSize = 100;

export interface Scheduled {
  readonly total: number;
  /** When the next one is due, in epoch ms; undefined where more wait than one page holds. */
  readonly nextAt: number | undefined;
}

/** Counts those of one emitter. */
export async function countScheduled(client: Client, id: string): Promise<Scheduled> {
  const page = await client.call('events.list', { id, ...channel, limit: pageSize });
  const { total_count: total } = page.page_info;
  // The last to be due comes first.
  const nextAt = total > pageSize ? undefined : page.data.at(-1)?.metadata.delivery_ts;
  return { total, nextAt };
}

/** All of one emitter, the next to be due first. */
export async function listScheduled(client: Client, id: string): Promise<EmittedEvent[]> {
  const all = await allPages((page) => client.call('events.list', { id, ...channel, ...page }));
  return all.toReversed();
}

/** @param eventId of the one to cancel; all without it */
export async function cancelScheduled(client: Client, id: string, eventId?: string): Promise<void> {
  const which = eventId === undefined ? {} : { start_id: eventId, end_id: eventId };
  await client.call('events.delete', { id, ...which, ...channel });
}
