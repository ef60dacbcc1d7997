import { WeirError } from '../../../protocol/errors.ts';
import type { Redelivery } from '../../../protocol/catalogue.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { Deliveries } from '../../events/delivery/deliveries.ts';
import { redeliverAll } from '../../events/delivery/redeliver-all.ts';
import type { DeliveryRecord } from '../../store/history/deliveries.ts';
import type { Store, UsesStore } from '../../store/store.ts';
import { lookUpNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import {
  deliveryNumber,
  pageRequest,
  presentAttempt,
  presentDelivery,
  presentPage,
} from './present.ts';

type DeliveryHandlers = Pick<
  Handlers,
  'deliveries.list' | 'deliveries.get' | 'deliveries.redeliver' | 'deliveries.redeliverAll'
>;

export interface DeliveryHandlerParts extends UsesStore<'deliveries' | 'webhooks'> {
  readonly deliveries: Pick<Deliveries, 'redeliver'>;
}

export function deliveryHandlers({ store, deliveries }: DeliveryHandlerParts): DeliveryHandlers {
  return {
    'deliveries.list': async (params) => {
      const page = await store.deliveries.list({
        ...pageRequest(params),
        ...(params.webhook_id === undefined
          ? {}
          : { webhookId: webhookIdOf(store, params.webhook_id) }),
        ...(params.status === undefined ? {} : { status: params.status }),
      });
      return presentPage(page, presentDelivery);
    },
    'deliveries.get': async ({ id }) => showAttempts(store, await findDelivery(store, id)),
    'deliveries.redeliver': async ({ id }) => {
      const { n } = await findDelivery(store, id);
      return presentRedelivery(await deliveries.redeliver(n));
    },
    'deliveries.redeliverAll': async ({ ids, failed, webhook_id, since }, context) => {
      if ((ids !== undefined) === (failed === true)) {
        throw new WeirError('bad_input', 'Give either ids of deliveries (del_…), or failed=true.');
      }
      const chosen =
        ids === undefined
          ? await store.deliveries.failed({
              ...(webhook_id === undefined ? {} : { webhookId: webhookIdOf(store, webhook_id) }),
              ...(since === undefined ? {} : { since: instantOf(since) }),
            })
          : await Promise.all(ids.map((id) => findDelivery(store, id)));
      const { sent, skipped } = await redeliverAll(chosen, {
        redeliver: (n) => deliveries.redeliver(n),
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

/** A delivery with all its attempts. */
export async function showAttempts(store: Pick<Store, 'deliveries'>, record: DeliveryRecord) {
  const attempts = await store.deliveries.attempts(record.n);
  return { ...presentDelivery(record), attempts: attempts.map(presentAttempt) };
}

/** By name as well (P21.11). The id of a webhook that was deleted counts: its deliveries are still listed. */
function webhookIdOf({ webhooks }: Pick<Store, 'webhooks'>, idOrName: string): string {
  const found = lookUpNamed(webhooks.all(), idOrName);
  if (found === undefined && kindOf(idOrName) !== 'webhook') {
    throw new WeirError('not_found', `There is no webhook ${idOrName}.`);
  }
  return found?.id ?? idOrName;
}

async function findDelivery(store: Pick<Store, 'deliveries'>, id: string): Promise<DeliveryRecord> {
  const n = deliveryNumber(id);
  const record = n === undefined ? undefined : await store.deliveries.get(n);
  if (record === undefined) throw new WeirError('not_found', `There is no delivery ${id}.`);
  return record;
}

/** Epoch ms. */
function instantOf(text: string): number {
  const ms = /^\d{10,}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new WeirError(
      'bad_input',
      `"${text}" is not a time. Write it as ISO 8601, such as 2026-11-20T22:04:14Z, or in epoch milliseconds.`,
    );
  }
  return ms;
}
