/** The sends of a leg's steps. Sends to others leave when they are on disk; the rest is done here. */
import type { TriggerSend } from '../../../../protocol/host-steps.ts';
import { executionPrefix, kindOf } from '../../../../protocol/ids.ts';
import type { StepCommit, TriggeredInvocation } from '../../commit.ts';
import type { NewSend, SendRecord } from '../../history/sends.ts';
import type { StreamMessage } from '../../history/streams.ts';
import type { Change } from '../change.ts';
import type { OwnedKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import type { Sends } from '../tables/sends.ts';
import type { Streams } from '../tables/streams.ts';
import { putInInbox } from './inbox.ts';

export interface SentByLeg {
  /** They go out now. */
  readonly sends: readonly SendRecord[];
  readonly messages: readonly StreamMessage[];
  /** Executions of other workflows. */
  readonly triggered: readonly TriggeredInvocation[];
}

/** @returns undefined where there is nothing to send */
export function writeSends(
  change: Change,
  { keys, numbers }: Pick<Engine, 'keys' | 'numbers'>,
  tables: { readonly sends: Pick<Sends, 'insert'>; readonly streams: Pick<Streams, 'insert'> },
  key: OwnedKey,
  { n, end, step, startedAt, forget, isTest, hops }: StepCommit,
  asked: readonly NewSend[],
): SentByLeg | undefined {
  if (asked.length === 0) return undefined;
  const at = end?.at ?? step?.endedAt ?? startedAt;
  const keep = (...rest: [NewSend, number, Parameters<Sends['insert']>[5]?]): SendRecord =>
    tables.sends.insert(change, key, n, ...rest);
  if (isTest === true) {
    for (const one of asked) keep(one, at, 'not_sent');
    return undefined;
  }
  const sends: SendRecord[] = [];
  const messages: StreamMessage[] = [];
  const triggered: TriggeredInvocation[] = [];
  for (const one of asked) {
    const { send } = one;
    if (send.kind === 'sse') {
      const message = tables.streams.insert(change, key, send);
      messages.push(message);
      if (forget !== true) keep(one, at, { answer: { id: message.id } });
    } else if (send.kind === 'trigger') {
      const started = trigger(send);
      if (started !== undefined) triggered.push(started);
      if (forget !== true) keep(one, at, started === undefined ? gone(send) : answerOf(started));
    } else sends.push(keep(one, at));
  }
  return { sends, messages, triggered };

  /** Undefined for one that was deleted since it was asked for. */
  function trigger({ workflow, payload }: TriggerSend): TriggeredInvocation | undefined {
    const listener = kindOf(workflow) === 'workflow' ? keys.get(workflow) : undefined;
    if (listener === undefined) return undefined;
    const made = {
      kind: 'event',
      json: payload,
      ...(hops !== undefined && { hops }),
      emitterId: key.id,
    } as const;
    const asked = { cause: 'workflow', trigger: made, at } as const;
    const number = putInInbox(change, numbers, listener, asked);
    return { n: number, emitterId: workflow, trigger: made, cause: 'workflow' };
  }
}

function answerOf({ n }: TriggeredInvocation) {
  return { answer: { execution_id: `${executionPrefix}${n}` } };
}

function gone({ workflow }: TriggerSend) {
  return { error: { name: 'NotFound', message: `There is no workflow ${workflow} any more.` } };
}
