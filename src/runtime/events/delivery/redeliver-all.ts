import type { DeliveryRecord } from '../../store/history/deliveries.ts';

export interface RedeliverParts {
  /** Makes one attempt now, with a new signature. */
  readonly redeliver: (n: number) => Promise<DeliveryRecord>;
  /** Called after every attempt: how many of how many are done. */
  readonly progress: (message: string) => void;
  readonly signal: AbortSignal;
}

export interface Redelivered {
  /** Their state after the attempt, in the order they were sent. */
  readonly sent: readonly DeliveryRecord[];
  /** Left out because their webhook failed too often in a row. */
  readonly skipped: number;
}

/** A target that fails this often in a row is down: a thousand more attempts would only take long. */
const mostFailuresInARow = 3;

/**
 * Sends deliveries again, those of one webhook in their order and one by one, those of several side
 * by side.
 */
export async function redeliverAll(
  deliveries: readonly DeliveryRecord[],
  { redeliver, progress, signal }: RedeliverParts,
): Promise<Redelivered> {
  const sent: DeliveryRecord[] = [];
  let skipped = 0;
  const oneWebhook = async (queue: readonly DeliveryRecord[]): Promise<void> => {
    let failures = 0;
    for (const { n } of queue) {
      if (failures === mostFailuresInARow || signal.aborted) {
        skipped += 1;
        continue;
      }
      const record = await redeliver(n);
      sent.push(record);
      failures = record.lastError === null ? 0 : failures + 1;
      progress(`${sent.length} of ${deliveries.length} sent`);
    }
  };
  await Promise.all([...byWebhook(deliveries).values()].map(oneWebhook));
  return { sent, skipped };
}

function byWebhook(deliveries: readonly DeliveryRecord[]): Map<string, DeliveryRecord[]> {
  const queues = new Map<string, DeliveryRecord[]>();
  for (const delivery of deliveries) {
    const queue = queues.get(delivery.webhookId) ?? [];
    queues.set(delivery.webhookId, queue);
    queue.push(delivery);
  }
  return queues;
}
