/** Decides about a request that an app sent (pure). */
import { createHash } from 'node:crypto';
import type { AppWebhook } from '../../accounts/apps/webhook-schema.ts';
import { type AppRequest, expand, fits, valuesAt } from './request.ts';
import { signatureProblem } from './signature.ts';

export type Decision =
  | { readonly is: 'refused'; readonly status: number; readonly why: string }
  /** A question of the app: what it is answered. */
  | { readonly is: 'challenge'; readonly type: string; readonly body: string }
  | {
      readonly is: 'event';
      /** The argument of `run(event)`, as JSON text. */
      readonly json: string;
      /** Under which it may be asked for. */
      readonly names: ReadonlySet<string>;
      /** The same for each delivery of an event; undefined if the app sends nothing that identifies it. */
      readonly delivery: string | undefined;
    }
  /** Signed, and of no kind that a source could ask for. */
  | { readonly is: 'nothing' };

/** @param now epoch ms */
export function decide(webhook: AppWebhook, request: AppRequest, now: number): Decision {
  const unsigned = webhook.challenges.find(({ signed, when }) => !signed && fits(request, when));
  if (unsigned !== undefined) return answerTo(unsigned.answer, request);
  const why = signatureProblem(webhook, request, now);
  if (why !== undefined) return { is: 'refused', status: webhook.refused, why };
  const challenge = webhook.challenges.find(({ signed, when }) => signed && fits(request, when));
  if (challenge !== undefined) return answerTo(challenge.answer, request);
  if (request.content === undefined) {
    return { is: 'refused', status: 400, why: 'its body is not JSON' };
  }
  const kind = webhook.events.find(({ when }) => fits(request, when));
  const [event] = kind === undefined ? [] : valuesAt(request.content, kind.event);
  if (kind === undefined || event === undefined) return { is: 'nothing' };
  const [delivery] = kind.delivery === undefined ? [] : expand(request, kind.delivery);
  return {
    is: 'event',
    json: JSON.stringify(event),
    names: new Set(kind.names.flatMap((name) => expand(request, name))),
    delivery: delivery === undefined ? undefined : digest(delivery),
  };
}

function answerTo(
  answer: string | Readonly<Record<string, string>>,
  request: AppRequest,
): Decision {
  const filled = (text: string): string => expand(request, text)[0] ?? '';
  if (typeof answer === 'string') {
    return { is: 'challenge', type: 'text/plain; charset=utf-8', body: filled(answer) };
  }
  const values = Object.entries(answer).map(([name, text]) => [name, filled(text)] as const);
  return {
    is: 'challenge',
    type: 'application/json',
    body: JSON.stringify(Object.fromEntries(values)),
  };
}

/** Digest of any text, so that kept delivery ids have one length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
