/**
 * All parts of a store, as both engines have them. A table is read with the same columns from either engine, so that
 * the written rows can be compared with the read ones; columns named here are those of PostgreSQL. The words of the
 * search, and SQLite's places of a run's events (see to-sqlite.ts), are not moved but made again.
 */
import { movedTo } from '../postgres/moved-setting.ts';
import type { Column, Engine } from '../schema/column.ts';
import * as configuration from '../schema/configuration.ts';
import * as history from '../schema/history.ts';
import { expressionOf, type Table } from '../schema/table.ts';

export interface MovedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** In which SQLite takes its rows best. */
  readonly order: string;
  /** SQL for the row of the emitter that a row belongs to; undefined of what belongs to none. */
  readonly emitter?: string;
  /** How an engine has it, where its descriptor does not say so. */
  readonly sqlite?: Source;
  readonly postgres?: Source;
}

export interface Source {
  /** A table, a join or a subquery. */
  readonly from?: string;
  /** SQL for columns that have another name or form there. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** Settings that say something of a move, and so stay where they are. */
export const ownSettings = {
  /** In PostgreSQL: the move that inserted it. */
  movedFrom: 'moved_from',
  /** In PostgreSQL: where it is now. */
  movedTo,
  /** In PostgreSQL: the next numbers of the embedded store, and its fence, for the way back. */
  numbers: 'embedded_numbers',
} as const;

/** Columns that each opening of the embedded store writes. */
const ofOpenings = ['opened_at', 'fence'];

const settingsBut = (keys: readonly string[]): Source => ({
  from: `(SELECT * FROM settings WHERE key NOT IN ('${keys.join("', '")}')) s`,
});

interface Options {
  readonly order?: string;
  readonly emitter?: string;
  readonly sqlite?: Source;
  readonly postgres?: Source;
  /** Columns that another table has of these rows. */
  readonly also?: Readonly<Record<string, Column>>;
}

/** By its descriptor: the columns that both engines have, sorted by its key. */
function moved(
  { name, columns, key }: Table,
  { also, order = key.join(', '), ...options }: Options = {},
): MovedTable {
  const shared = Object.entries({ ...columns, ...also }).filter(([, { only }]) => !only);
  return {
    name,
    columns: Object.fromEntries(shared),
    order,
    ...('emitter' in columns && { emitter: 'emitter' }),
    ...options,
  };
}

const ofEmitter = { order: 'emitter, n' };
const ofExecution = {
  emitter: '(SELECT x.emitter FROM executions x WHERE x.n = execution)',
};

/** In the order they are written: what rows refer to comes before them. */
export const movedTables: readonly MovedTable[] = [
  moved(configuration.settings, {
    sqlite: settingsBut(ofOpenings),
    postgres: settingsBut(Object.values(ownSettings)),
  }),
  moved(configuration.components),
  moved(configuration.published),
  moved(configuration.emitters, { emitter: 'row' }),
  moved(configuration.sources, { emitter: 'row' }),
  moved(configuration.workflows, {
    emitter: '(SELECT e.row FROM emitters e WHERE e.id = workflows.id)',
  }),
  moved(configuration.workflowDeployments, {
    emitter: '(SELECT e.row FROM emitters e WHERE e.id = workflow)',
  }),
  moved(configuration.workflowSubscriptions),
  moved(configuration.interfaces),
  moved(configuration.webhooks),
  moved(configuration.subscriptions),
  moved(configuration.autoSubscriptions),
  moved(configuration.accounts),
  moved(configuration.agentOffers),
  moved(configuration.dataStores),
  moved(configuration.dataStoreRecords),
  // The request and its end; for a run without one, SQLite may still have an end that was undone.
  moved(history.invocations, {
    ...ofEmitter,
    also: {
      meta: history.accepted.columns.meta,
      body: history.accepted.columns.body,
    },
    sqlite: {
      from: 'invocations LEFT JOIN triggers USING (n)',
      columns: {
        started_at:
          'CASE WHEN ended_at IS NULL THEN started_at ELSE coalesce(started_at, ended_at) END',
        error: 'CASE WHEN ended_at IS NOT NULL THEN error END',
        first_log: 'CASE WHEN ended_at IS NOT NULL THEN coalesce(first_log, 0) END',
        logs: 'CASE WHEN ended_at IS NOT NULL THEN logs END',
      },
    },
    postgres: {
      from: '(SELECT i.*, a.meta, a.body FROM invocations i JOIN accepted a ON a.emitter = i.emitter AND a.n = i.n) i',
    },
  }),
  // Events of a run are adjacent in SQLite, with notices after them.
  moved(history.events, {
    order: 'invocation, CASE WHEN kind = 2 THEN 1 ELSE 0 END, ms, seq',
  }),
  moved(history.scheduledEmits, ofEmitter),
  moved(history.logs),
  moved(history.db),
  moved(history.dedupe),
  moved(history.dedupeIds),
  moved(history.deliveries),
  // In the order they were made, from 1 for each delivery.
  moved(history.attempts, {
    emitter: '(SELECT d.emitter FROM deliveries d WHERE d.n = delivery)',
    // Before schema 4 it lay within the record.
    sqlite: { columns: { body: `coalesce(body, json_extract(record, '$.request.body'), '')` } },
    postgres: {
      from: '(SELECT delivery, row_number() OVER (PARTITION BY delivery ORDER BY number) AS number, record, body FROM attempts) a',
    },
  }),
  moved(history.executions),
  moved(history.stepRuns, ofExecution),
  moved(history.outgoingRequests, ofExecution),
  moved(history.resumeHits, ofExecution),
  moved(history.sends),
  moved(history.actionRuns),
  moved(history.streamMessages),
  moved(history.errorNotifications),
];

/** Column `owner` is the row of the emitter it belongs to. @param sorted in the table's order, which costs a sort */
export function selectOf(table: MovedTable, engine: Engine, sorted = false): string {
  const { from = table.name, columns = {} } = table[engine] ?? {};
  const expression = (name: string, column: Column): string =>
    columns[name] ?? expressionOf(name, column, engine);
  const expressions = Object.entries(table.columns).map(([name, column]) => {
    const sql = expression(name, column);
    return sql === name ? name : `${sql} AS ${name}`;
  });
  const { emitter = 'NULL' } = table;
  const described = table.columns[emitter];
  const owner = described === undefined ? emitter : expression(emitter, described);
  const select = `SELECT ${expressions.join(', ')}, ${owner} AS owner FROM ${from}`;
  return sorted ? `${select} ORDER BY ${table.order}` : select;
}
