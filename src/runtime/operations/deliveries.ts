import { WeirError } from '../../protocol/errors.ts';
import type { Redelivery } from '../../protocol/catalogue.ts';
import { redeliverAll } from '../delivery/redeliver-all.ts';
import type { DeliveryRecord } from '../store/history/deliveries.ts';
import type { Handlers } from './operations.ts';
import {
  deliveryNumber,
  pageRequest,
  presentAttempt,
  presentDelivery,
  presentPage,
} from './present.ts';
import type { Room } from './room.ts';

type DeliveryHandlers = Pick<
  Handlers,
  'deliveries.list' | 'deliveries.get' | 'deliveries.redeliver' | 'deliveries.redeliverAll'
>;

export function deliveryHandlers(room: Room): DeliveryHandlers {
  const { store } = room;
  return {
    'deliveries.list': (params) => {
      const page = store.deliveries.list({
        ...pageRequest(params),
        ...(params.webhook_id === undefined ? {} : { webhookId: params.webhook_id }),
        ...(params.status === undefined ? {} : { status: params.status }),
      });
      return presentPage(page, presentDelivery);
    },
    'deliveries.get': (params) => {
      const record = findDelivery(room, params.id);
      return {
        ...presentDelivery(record),
        attempts: store.deliveries.attempts(record.n).map(presentAttempt),
      };
    },
    'deliveries.redeliver': async (params) =>
      presentRedelivery(await room.deliveries.redeliver(findDelivery(room, params.id).n)),
    'deliveries.redeliverAll': async ({ ids, failed, webhook_id, since }, context) => {
      if ((ids !== undefined) === (failed === true)) {
        throw new WeirError('bad_input', 'Give either ids of deliveries (del_…), or failed=true.');
      }
      const chosen =
        ids?.map((id) => findDelivery(room, id)) ??
        store.deliveries.failed({
          ...(webhook_id === undefined ? {} : { webhookId: webhook_id }),
          ...(since === undefined ? {} : { since: instantOf(since) }),
        });
      const { sent, skipped } = await redeliverAll(chosen, {
        redeliver: (n) => room.deliveries.redeliver(n),
        progress: (message) => context.progress(message),
        signal: context.signal,
      });
      return { sent: sent.map(presentRedelivery), skipped };
    },
  };
}

function presentRedelivery(record: DeliveryRecord): Redelivery {
  return { ...presentDelivery(record), signed: 'now' };
}

function findDelivery(room: Room, id: string): DeliveryRecord {
  const n = deliveryNumber(id);
  const record = n === undefined ? undefined : room.store.deliveries.get(n);
  if (record === undefined) throw new WeirError('not_found', `There is no delivery ${id}.`);
  return record;
}

/** Epoch ms. */
function instantOf(text: string): number {
  const ms = /^\d{10,}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new WeirError(
      'bad_input',
      `"${text}" is no time. Write it as ISO 8601, such as 2026-11-20T22:04:14Z, or in epoch milliseconds.`,
    );
  }
  return ms;
}
