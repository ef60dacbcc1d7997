/** The tables of the hot path, as it puts rows in. */
import type { Column } from '../../schema/column.ts';
import * as schema from '../../schema/history.ts';
import { type Table, without } from '../../schema/table.ts';
import type { RowTable } from '../row-table.ts';

/** With all columns that PostgreSQL has. */
const whole = <C extends string>(
  table: Table & { readonly columns: Readonly<Record<C, Column>> },
): RowTable<C> => table;

export const { leftForOwner, ends, dedupeIds, kinds } = schema;

/** The rest is written when a run is paused or cut off. */
export const accepted = whole(without(schema.accepted, ['started_at', 'emitted', 'dropped']));
export const events = whole(without(schema.events, ['n', 'dedupe_id']));
export const scheduledEmits = whole(without(schema.scheduledEmits, ['dedupe_id']));
export const logs = whole(schema.logs);
/** The rest is written with attempts. */
export const deliveries = whole(
  without(schema.deliveries, ['next_at', 'last_status', 'last_error']),
);

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
