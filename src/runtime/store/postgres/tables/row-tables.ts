/** The tables of the hot path, as it puts rows in. */
import * as schema from '../../schema/history.ts';
import { without } from '../../schema/table.ts';
import type { RowTable } from '../row-table.ts';

export const { leftForOwner, ends, logs, dedupeIds, kinds } = schema;

/** The rest is written when a run is paused or cut off. */
export const accepted = without(schema.accepted, ['started_at', 'emitted', 'dropped']);
export const events = without(schema.events, ['n', 'dedupe_id']);
export const scheduledEmits = without(schema.scheduledEmits, ['dedupe_id']);
/** The rest is written with attempts. */
export const deliveries = without(schema.deliveries, ['next_at', 'last_status', 'last_error']);

export const db: RowTable<keyof typeof schema.db.columns> = {
  ...schema.db,
  onConflict: 'ON CONFLICT (emitter, prop, key) DO UPDATE SET json = excluded.json',
  keyOf: ({ emitter, prop, key }) =>
    JSON.stringify([emitter, (prop as string).toWellFormed(), (key as string).toWellFormed()]),
};

export const dedupe: RowTable<keyof typeof schema.dedupe.columns> = {
  ...schema.dedupe,
  onConflict: `ON CONFLICT (emitter) DO UPDATE
    SET strategy = excluded.strategy, greatest = excluded.greatest, last = excluded.last`,
  keyOf: ({ emitter }) => String(emitter),
};
