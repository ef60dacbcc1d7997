/** Tables that one engine has for itself: `db move` leaves them behind, and makes again what the other one needs. */
import type { Column } from './column.ts';
import { rowTable } from './table.ts';

const int = { type: 'bigint' } as const satisfies Column;
const text = { type: 'text' } as const satisfies Column;

export const ownTables = [
  rowTable(
    'workflow_components',
    { deployment: text, component_id: text },
    { key: ['deployment', 'component_id'], only: 'sqlite' },
  ),
  // The events of later legs of an execution.
  rowTable(
    'leg_events',
    { execution: int, first: int, count: int },
    { key: ['execution', 'first'], only: 'sqlite' },
  ),
  // Numbers that are set aside.
  rowTable('numbers', { name: text, next: int }, { key: ['name'], only: 'sqlite' }),
  // Up to which event of an emitter the words are indexed.
  rowTable(
    'indexed_events',
    { emitter: int, ms: int, seq: int, entries: { ...int, only: 'sqlite' } },
    { key: ['emitter'] },
  ),
  rowTable(
    'event_words',
    { emitter: int, ms: int, seq: int, words: { ...text, postgres: 'tsvector', nullable: true } },
    { key: ['emitter', 'ms', 'seq'], only: 'postgres' },
  ),
  rowTable(
    'nodes',
    {
      id: int,
      slot: { ...int, postgres: 'integer' },
      version: text,
      session: int,
      expires_at: { ...int, postgres: 'timestamp with time zone' },
      fenced_at: { ...int, postgres: 'timestamp with time zone', nullable: true },
      address: { ...text, nullable: true },
    },
    { key: ['id'], only: 'postgres' },
  ),
  // Groups of writes that a node has committed lately.
  rowTable('groups', { node: int, number: int }, { key: ['node', 'number'], only: 'postgres' }),
  rowTable(
    'cluster',
    {
      one: { type: 'boolean' },
      key_check: { ...text, nullable: true },
      active: { ...int, nullable: true },
    },
    { key: ['one'], only: 'postgres' },
  ),
  rowTable('schema_version', { version: int }, { key: [], only: 'postgres' }),
  rowTable('code', { hash: text, files: { type: 'bytea' } }, { key: ['hash'], only: 'postgres' }),
] as const;
