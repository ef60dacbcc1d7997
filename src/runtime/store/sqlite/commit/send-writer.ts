/** Within a write: what the steps of a leg send. What goes to others does when it is on disk; the rest is done here. */
import type { StreamMessage } from '../../history/streams.ts';
import type { NewSend, SendRecord } from '../../history/sends.ts';
import type { TriggerSend } from '../../../../protocol/host-steps.ts';
import { executionPrefix, kindOf } from '../../../../protocol/ids.ts';
import type { StepCommit, TriggeredInvocation } from '../../commit.ts';
import type { EmitterKey } from '../emitter-keys.ts';
import type { Engine } from '../engine.ts';
import type { Sends } from '../tables/sends.ts';
import type { Streams } from '../tables/streams.ts';
import type { Inbox } from './inbox.ts';

export interface SentByLeg {
  /** They go out now. */
  readonly sends: readonly SendRecord[];
  readonly messages: readonly StreamMessage[];
  /** Executions of other workflows. */
  readonly triggered: readonly TriggeredInvocation[];
}

/** @returns undefined where there is nothing to send */
export type SendWriter = (
  key: EmitterKey,
  commit: StepCommit,
  asked: readonly NewSend[],
) => SentByLeg | undefined;

export function createSendWriter(
  { keys }: Pick<Engine, 'keys'>,
  inbox: Inbox,
  sends: Pick<Sends, 'insert'>,
  streams: Pick<Streams, 'insert'>,
): SendWriter {
  return (key, commit, asked) => {
    if (asked.length === 0) return undefined;
    const { n, end, step, startedAt, forget, isTest } = commit;
    const at = end?.at ?? step?.endedAt ?? startedAt;
    const out: SendRecord[] = [];
    const messages: StreamMessage[] = [];
    const triggered: TriggeredInvocation[] = [];
    if (isTest === true) {
      for (const one of asked) sends.insert(key, n, one, at, 'not_sent');
      return undefined;
    }
    for (const one of asked) {
      const { send } = one;
      if (send.kind === 'sse') {
        const message = streams.insert(key, send);
        messages.push(message);
        if (forget !== true) sends.insert(key, n, one, at, { answer: { id: message.id } });
      } else if (send.kind === 'trigger') {
        const started = trigger(key, send, commit.hops, at);
        if (started !== undefined) triggered.push(started);
        if (forget !== true) {
          sends.insert(key, n, one, at, started === undefined ? gone(send) : answerOf(started));
        }
      } else out.push(sends.insert(key, n, one, at));
    }
    return { sends: out, messages, triggered };
  };

  /** Undefined for one that was deleted since it was asked for. */
  function trigger(
    key: EmitterKey,
    { workflow, payload }: TriggerSend,
    hops: number | undefined,
    at: number,
  ): TriggeredInvocation | undefined {
    const listener = kindOf(workflow) === 'workflow' ? keys.get(workflow) : undefined;
    if (listener === undefined) return undefined;
    const made = {
      kind: 'event',
      json: payload,
      ...(hops !== undefined && { hops }),
      emitterId: key.id,
    } as const;
    const n = inbox(listener.row, { cause: 'workflow', trigger: made, at });
    return { n, emitterId: workflow, trigger: made, cause: 'workflow' };
  }
}

function answerOf({ n }: TriggeredInvocation) {
  return { answer: { execution_id: `${executionPrefix}${n}` } };
}

function gone({ workflow }: TriggerSend) {
  return { error: { name: 'NotFound', message: `There is no workflow ${workflow} any more.` } };
}
