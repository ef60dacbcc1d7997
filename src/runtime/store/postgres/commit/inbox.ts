import type { Trigger } from '../../../../protocol/host.ts';
import { requestLineOf } from '../../../../protocol/request-line.ts';
import type { NewInvocation } from '../../history/invocations.ts';
import type { Change } from '../change.ts';
import type { EmitterKey } from '../emitter-keys.ts';
import { json, textOrNull } from '../fields.ts';
import type { Numbers } from '../numbers.ts';
import type { Row } from '../row-table.ts';
import { accepted, leftForOwner } from '../tables/row-tables.ts';

type InInbox = Pick<NewInvocation, 'n' | 'cause' | 'hook' | 'trigger' | 'replayOf' | 'at'>;

/** Puts an invocation into the inbox, and says so where another node owns the emitter. @returns its number */
export function putInInbox(
  change: Change,
  numbers: Numbers,
  { row, owned }: EmitterKey,
  invocation: InInbox,
): number {
  const n = invocation.n ?? numbers.next();
  owned?.open.add(n);
  change.insert(accepted, inboxRow(row, n, invocation));
  if (owned === undefined) change.insert(leftForOwner, { emitter: row, n });
  return n;
}

/** A row of `accepted`. */
export function inboxRow(
  emitter: number,
  n: number,
  { cause, hook, trigger, replayOf, at }: InInbox,
) {
  return {
    emitter,
    n,
    cause,
    hook,
    attempt: 1,
    replay_of: replayOf,
    created_at: at,
    method: null,
    path: null,
    ...requestLineOf(trigger),
    ...columnsOfTrigger(trigger),
    status: 'queued',
  } as const;
}

/** The columns of a trigger: its description, and its payload exactly as it came. */
export function columnsOfTrigger(trigger: Trigger | undefined) {
  if (trigger === undefined) return { meta: null, body: null };
  if (trigger.kind === 'timer') return { meta: JSON.stringify(trigger), body: null };
  if (trigger.kind === 'event') {
    const { json: payload, ...meta } = trigger;
    return { meta: JSON.stringify(meta), body: Buffer.from(payload) };
  }
  const { body, ...meta } = trigger;
  return { meta: JSON.stringify(meta), body };
}

/** The trigger of a row; if `body` is NULL, without its payload, see `withoutPayload`. Undefined for a hook. */
export function triggerOf(row: Row): Trigger | undefined {
  if (textOrNull(row, 'meta') === null) return undefined;
  const meta = json(row, 'meta') as Trigger;
  const body = row['body'] as Buffer | null | undefined;
  if (meta.kind === 'event') return { ...meta, json: body?.toString() ?? '' };
  return meta.kind === 'timer' ? meta : { ...meta, body: new Uint8Array(body ?? []) };
}
