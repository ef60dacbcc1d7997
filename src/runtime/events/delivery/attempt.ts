/** One attempt at one delivery: build, sign, send. */
import { messageOf } from '../../../protocol/errors.ts';
import { hopsHeader } from '../../../protocol/hops.ts';
import type { AttemptRecord } from '../../store/history/deliveries.ts';
import type { Outgoing } from '../../store/history/deliveries.ts';
import type { Failure } from './failure.ts';
import type { Sender } from './send.ts';
import { signedHeaders } from './sign.ts';
import type { Target } from './targets.ts';
import type { BaseServices } from '../../base/services.ts';

export interface AttemptParts extends Pick<BaseServices, 'now'> {
  readonly sender: Sender;
}

export interface Attempt {
  readonly record: AttemptRecord;
  readonly failure: Failure | undefined;
}

/** Undefined when the runtime stopped before it was over. Never rejects. */
export async function attemptDelivery(
  { sender, now }: AttemptParts,
  { delivery, message }: Outgoing,
  target: Target,
): Promise<Attempt | undefined> {
  const at = now();
  const request = { method: 'POST', url: target.url, headers: {}, body: '' };
  const unsent = (failure: Failure): Attempt => ({
    record: { at, request, response: null, totalMs: 0, error: failure },
    failure,
  });

  if (message === undefined) {
    return unsent({ class: 'gone', message: 'The event is no longer stored.' });
  }
  let headers: Record<string, string>;
  try {
    const { emitId: messageId, payload: body, hops } = message;
    const { emitterId } = delivery;
    headers = {
      ...signedHeaders(target.keys(at), { messageId, emitterId, body }, at),
      [hopsHeader]: String(hops),
    };
  } catch (error) {
    return unsent({ class: 'secret', message: messageOf(error) });
  }
  const signed = { ...request, headers, body: message.payload };
  const sent = await sender.send(signed);
  if (sent === undefined) return undefined;
  const { answer, failure, totalMs, phases } = sent;
  return {
    record: { at, request: signed, response: answer, totalMs, phases, error: failure ?? null },
    failure,
  };
}
