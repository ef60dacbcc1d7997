/** Runs of actions by themselves, as every face shows them (pure). */
import type { ActionRun, KeptActionRun, WholeActionRun } from '../../../protocol/catalogue.ts';
import type { ConsoleLine, ThrownError } from '../../../protocol/host.ts';
import { actionRunId } from '../../../protocol/ids.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import type { OutgoingRequest } from '../../../protocol/outgoing-request.ts';
import type { RanAction } from '../../sources/one-off-runs/run-action.ts';
import type {
  ActionRunRecord,
  WholeActionRun as WholeRecord,
} from '../../store/history/action-runs.ts';

interface Did {
  readonly exports: ReadonlyMap<string, unknown>;
  readonly returnValue: string | null;
  readonly logs: readonly ConsoleLine[];
  readonly error: ThrownError | null;
}

/** If two exports have one name, the last counts (P13.4). */
export function presentActionRun({ n, exports, result, logs, error }: RanAction): ActionRun {
  return {
    id: actionRunId(n),
    ...presentOutcome({
      exports: new Map(exports.map(({ name, json }) => [name, valueOfJson(json)])),
      returnValue: result ?? null,
      logs,
      error: error ?? null,
    }),
  };
}

export function presentKeptActionRun(record: ActionRunRecord): KeptActionRun {
  return {
    id: actionRunId(record.n),
    name: record.name,
    key: record.key,
    version: record.version,
    path: record.path,
    agent: record.agent,
    status: record.status,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    error: record.error,
  };
}

export function presentWholeActionRun(record: WholeRecord): WholeActionRun {
  const { outcome, error } = record;
  const exports = outcome === null ? {} : (JSON.parse(outcome.exports) as object);
  const { error: _error, ...did } = presentOutcome({
    exports: new Map(Object.entries(exports)),
    returnValue: outcome?.returnValue ?? null,
    logs: JSON.parse(outcome?.logs ?? '[]') as ConsoleLine[],
    error,
  });
  return {
    ...presentKeptActionRun(record),
    configured_props: JSON.parse(record.props) as Record<string, unknown>,
    ...did,
    requests: JSON.parse(outcome?.requests ?? '[]') as WholeActionRun['requests'] &
      OutgoingRequest[],
  };
}

function presentOutcome({ exports, returnValue, logs, error }: Did): Omit<ActionRun, 'id'> {
  const summary = exports.get('$summary');
  return {
    exports: Object.fromEntries(exports),
    return_value: returnValue === null ? null : valueOfJson(returnValue),
    summary: summary === undefined || summary === null ? null : textOf(summary),
    logs: logs.map(({ at, level, text }) => ({ ts: at, level, text })),
    ...(error === null ? {} : { error }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
