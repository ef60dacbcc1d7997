import { WeirError } from '../../../../protocol/errors.ts';
import { ResourceMemory } from '../../configuration/memory.ts';
import type { WebhookRecord, WebhookTable } from '../../configuration/webhooks.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import type { AutoSubscriptions, Subscriptions } from './subscriptions.ts';

export interface Webhooks extends WebhookTable {
  has(id: string): boolean;
}

export function createWebhooks(
  { db, groups }: Engine,
  subscriptions: Subscriptions,
  autoSubscriptions: AutoSubscriptions,
): Webhooks {
  const memory = new ResourceMemory(
    db.prepare('SELECT * FROM webhooks ORDER BY row').all(readWebhook),
  );
  const replace = (
    id: string,
    changed: (before: WebhookRecord) => WebhookRecord,
  ): Promise<WebhookRecord> =>
    groups.writeAlone(() => {
      const before = memory.get(id);
      if (before === undefined) throw new WeirError('not_found', `There is no webhook ${id}.`);
      const record = changed(before);
      db.prepare(
        `UPDATE webhooks SET url = ?, name = ?, description = ?, active = ?, signing_secret = ?,
           old_secret = ?, old_secret_until = ?, created_at = ?, updated_at = ? WHERE id = ?`,
      ).run(...columns(record), id);
      memory.set(record);
      return record;
    });
  return {
    has: (id) => memory.has(id),
    get: (id) => memory.get(id),
    all: () => memory.all(),
    list: (request) => memory.list(request),
    insert: (record) =>
      groups.writeAlone(() => {
        db.prepare(
          `INSERT INTO webhooks
             (url, name, description, active, signing_secret, old_secret, old_secret_until,
              created_at, updated_at, id)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(...columns(record), record.id);
        memory.set(record);
      }),
    update: (id, change) => replace(id, (before) => ({ ...before, ...change })),
    rotateSecret: (id, sealed, until, updatedAt) =>
      replace(id, (before) => ({
        ...before,
        signingSecret: sealed,
        oldSecret: { sealed: before.signingSecret, until },
        updatedAt,
      })),
    delete: (id) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM webhooks WHERE id = ?').run(id);
        db.prepare(
          `UPDATE deliveries SET status = 'cancelled', next_at = NULL
           WHERE webhook_id = ? AND status IN ('pending', 'retrying')`,
        ).run(id);
        memory.delete(id);
        autoSubscriptions.deleteOf(id);
        return subscriptions.deleteOf(id);
      }),
  };
}

function columns(record: WebhookRecord) {
  return [
    record.url,
    record.name,
    record.description,
    record.active,
    record.signingSecret,
    record.oldSecret?.sealed,
    record.oldSecret?.until,
    record.createdAt,
    record.updatedAt,
  ];
}

function readWebhook(row: Row): WebhookRecord {
  const sealed = row.textOrNull('old_secret');
  return {
    id: row.text('id'),
    url: row.text('url'),
    name: row.textOrNull('name'),
    description: row.textOrNull('description'),
    active: row.flag('active'),
    signingSecret: row.text('signing_secret'),
    ...(sealed !== null && { oldSecret: { sealed, until: row.number('old_secret_until') } }),
    createdAt: row.number('created_at'),
    updatedAt: row.number('updated_at'),
  };
}
