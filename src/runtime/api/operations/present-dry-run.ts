/** A dry run, as every interface shows it (pure). */
import type { DryRun } from '../../../protocol/catalogue.ts';
import type { DataStoreRequest, Emit, HostResponse } from '../../../protocol/host.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import type { DryRunResult } from '../../sources/one-off-runs/dry-run.ts';

export function presentDryRun(run: DryRunResult): DryRun {
  const exports = new Map(run.exports.map(({ name, json }) => [name, parsed(json)]));
  return {
    status: run.error === undefined ? 'succeeded' : 'failed',
    error: run.error ?? null,
    emits: run.emits.map(presentEmit),
    db: run.db.map(({ prop, key, json }) => ({ prop, key, value: parsed(json) })),
    data_stores: run.dataStores.map(presentWrite),
    response: run.response === undefined ? null : presentResponse(run.response),
    exports: Object.fromEntries(exports),
    return_value: parsed(run.result),
    logs: run.logs.map(({ at, level, text }) => ({ ts: at, level, text })),
  };
}

function presentEmit({ event, id, name, summary, ts }: Emit): DryRun['emits'][number] {
  return {
    event: parsed(event),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(summary === undefined ? {} : { summary }),
    ...(ts === undefined ? {} : { ts }),
  };
}

function presentWrite({ store, call }: DataStoreRequest): DryRun['data_stores'][number] {
  const { op } = call;
  const key = 'key' in call ? call.key : null;
  return { store, op, key, value: 'json' in call ? parsed(call.json) : null };
}

function presentResponse({ status, headers, body }: HostResponse): DryRun['response'] {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  return { status, headers: { ...headers }, body: text };
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? null : valueOfJson(json);
}
