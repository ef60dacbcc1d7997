/** The short form of each resource in a list: enough to choose one and to ask further (pure). */
import type {
  Account,
  Component,
  Execution,
  Invocation,
  LogLine,
  Source,
  Workflow,
} from '../protocol/catalogue.ts';

export function briefSource(source: Source) {
  const {
    id,
    name,
    name_slug,
    active,
    endpoint_url,
    webhook,
    next_tick_at,
    path,
    last_invocation,
  } = source;
  const last = last_invocation && { id: last_invocation.id, status: last_invocation.status };
  return { id, name, name_slug, active, endpoint_url, webhook, next_tick_at, path, last_run: last };
}

export function briefWorkflow({ id, name, name_slug, active, path, triggers, steps }: Workflow) {
  return { id, name, name_slug, active, path, triggers, steps: steps.map((step) => step.path) };
}

export function briefComponent({ id, key, name, version, type, path }: Component) {
  return { id, key, name, version, type, path };
}

/** Never its credentials. */
export function briefAccount({ id, name, app, healthy }: Account) {
  return { id, name, app: app.id, healthy };
}

export function briefRun(run: Invocation) {
  const { id, status, cause, hook, attempt, created_at, ended_at, error } = run;
  const { emitted_count: emitted, dropped_count: dropped, replay_of } = run;
  const why = error && `${error.name}: ${error.message}`;
  return {
    id,
    status,
    cause,
    hook,
    attempt,
    created_at,
    ended_at,
    emitted,
    dropped,
    replay_of,
    error: why,
  };
}

export function briefExecution(execution: Execution) {
  const { id, status, reason, cause, test, created_at, ended_at, replay_of, error } = execution;
  const why = error && `${error.name}: ${error.message}`;
  return { id, status, reason, cause, test, created_at, ended_at, replay_of, error: why };
}

export function briefLog({ ts, level, kind, invocation_id, text }: LogLine) {
  return { ts, level, kind, run: invocation_id, text };
}
