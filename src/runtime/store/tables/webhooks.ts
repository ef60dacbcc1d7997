import { WeirError } from '../../../protocol/errors.ts';
import type { WebhookRecord, WebhookTable } from '../configuration/webhooks.ts';
import { webhooks } from '../schema/configuration.ts';
import type { TableEngine } from './engine.ts';
import { Records } from './records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

export interface Webhooks extends WebhookTable {
  has(id: string): boolean;
  reread: Records<WebhookRecord>['reread'];
}

export async function createWebhooks(
  engine: TableEngine,
  subscriptions: Subscriptions,
  autoSubscriptions: AutoSubscriptions,
): Promise<Webhooks> {
  const records = await Records.load(engine, webhooks);
  const { memory } = records;
  const replace = (
    id: string,
    changed: (before: WebhookRecord) => WebhookRecord,
  ): Promise<WebhookRecord> =>
    engine.write((change) => {
      const before = memory.get(id);
      if (before === undefined) throw new WeirError('not_found', `There is no webhook ${id}.`);
      return records.update(change, changed(before));
    });
  return {
    has: (id) => memory.has(id),
    reread: () => records.reread(),
    get: (id) => memory.get(id),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    insert: (record) => engine.write((change) => records.insert(change, record)),
    update: (id, changes) => replace(id, (before) => ({ ...before, ...changes })),
    rotateSecret: (id, sealed, until, updatedAt) =>
      replace(id, (before) => ({
        ...before,
        signingSecret: sealed,
        oldSecret: { sealed: before.signingSecret, until },
        updatedAt,
      })),
    delete: (id) =>
      engine.write((change) => {
        records.delete(change, id);
        change.statement(
          `UPDATE deliveries SET status = 'cancelled', next_at = NULL
           WHERE webhook_id = ? AND status IN ('pending', 'retrying')`,
          [id],
        );
        autoSubscriptions.deleteOf(change, id);
        return subscriptions.deleteOf(change, id);
      }),
  };
}
