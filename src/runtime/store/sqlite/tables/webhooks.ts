import { WeirError } from '../../../../protocol/errors.ts';
import type { Engine } from '../engine.ts';
import type { Row } from '../wasm/row.ts';
import type { WebhookRecord, WebhookTable } from '../../configuration/webhooks.ts';
import { resourceReader } from './resource.ts';

export interface Webhooks extends WebhookTable {
  /** Without a read of the disk: the hot path asks it for each delivery. */
  has(id: string): boolean;
}

export function createWebhooks({ db, groups }: Engine): Webhooks {
  const reader = resourceReader(db, 'webhooks', readWebhook);
  const ids = new Set(reader.all().map((webhook) => webhook.id));
  return {
    has: (id) => ids.has(id),
    get: (id) => reader.get(id),
    all: () => reader.all(),
    list: (request) => reader.list(request),
    insert: (record) =>
      groups.writeAlone(() => {
        db.prepare(
          `INSERT INTO webhooks
             (url, name, description, active, signing_secret, old_secret, old_secret_until,
              created_at, updated_at, id)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(...columns(record), record.id);
        ids.add(record.id);
      }),
    replace: (record) =>
      groups.writeAlone(() => {
        db.prepare(
          `UPDATE webhooks SET url = ?, name = ?, description = ?, active = ?, signing_secret = ?,
             old_secret = ?, old_secret_until = ?, created_at = ?, updated_at = ? WHERE id = ?`,
        ).run(...columns(record), record.id);
        if (db.changes === 0) throw new WeirError('not_found', `There is no webhook ${record.id}.`);
      }),
    delete: (id) =>
      groups.writeAlone(() => {
        db.prepare('DELETE FROM webhooks WHERE id = ?').run(id);
        db.prepare('DELETE FROM subscriptions WHERE listener_id = ?').run(id);
        db.prepare('DELETE FROM auto_subscriptions WHERE listener_id = ?').run(id);
        db.prepare(
          `UPDATE deliveries SET status = 'cancelled', next_at = NULL
           WHERE webhook_id = ? AND status IN ('pending', 'retrying')`,
        ).run(id);
        ids.delete(id);
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
