import { WeirError } from '../../../../protocol/errors.ts';
import type { WebhookRecord, WebhookTable } from '../../configuration/webhooks.ts';
import { type Engine, write } from '../engine.ts';
import { flag, number, text, textOrNull } from '../fields.ts';
import { Records, type RecordTable } from './records.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

const table: RecordTable<WebhookRecord> = {
  name: 'webhooks',
  columnsOf: (record) => ({
    url: record.url,
    name: record.name,
    description: record.description,
    active: record.active,
    signing_secret: record.signingSecret,
    old_secret: record.oldSecret?.sealed,
    old_secret_until: record.oldSecret?.until,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  }),
  read(row) {
    const sealed = textOrNull(row, 'old_secret');
    return {
      id: text(row, 'id'),
      url: text(row, 'url'),
      name: textOrNull(row, 'name'),
      description: textOrNull(row, 'description'),
      active: flag(row, 'active'),
      signingSecret: text(row, 'signing_secret'),
      ...(sealed !== null && { oldSecret: { sealed, until: number(row, 'old_secret_until') } }),
      createdAt: number(row, 'created_at'),
      updatedAt: number(row, 'updated_at'),
    };
  },
};

export interface Webhooks extends WebhookTable {
  has(id: string): boolean;
  reread: Records<WebhookRecord>['reread'];
}

export async function createWebhooks(
  engine: Engine,
  subscriptions: Subscriptions,
  autoSubscriptions: AutoSubscriptions,
): Promise<Webhooks> {
  const records = await Records.load(engine, table);
  const { memory } = records;
  const replace = (
    id: string,
    changed: (before: WebhookRecord) => WebhookRecord,
  ): Promise<WebhookRecord> =>
    write(engine, (change) => {
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
    insert: (record) => write(engine, (change) => records.insert(change, record)),
    update: (id, changes) => replace(id, (before) => ({ ...before, ...changes })),
    rotateSecret: (id, sealed, until, updatedAt) =>
      replace(id, (before) => ({
        ...before,
        signingSecret: sealed,
        oldSecret: { sealed: before.signingSecret, until },
        updatedAt,
      })),
    delete: (id) =>
      write(engine, (change) => {
        records.delete(change, id);
        change.run(
          `UPDATE deliveries SET status = 'cancelled', next_at = NULL
           WHERE webhook_id = $1 AND status IN ('pending', 'retrying')`,
          [id],
        );
        autoSubscriptions.deleteOf(change, id);
        return subscriptions.deleteOf(change, id);
      }),
  };
}
