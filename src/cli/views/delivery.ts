/** A delivery and what became of each attempt, as a person reads them. */
import type { Attempt, Result } from '../../protocol/catalogue.ts';
import { fields } from './fields.ts';
import { when } from './when.ts';

export function deliveryText(delivery: Result<'deliveries.get'>): string {
  const { attempts, next_attempt_at: next } = delivery;
  const head = fields({
    id: delivery.id,
    status: delivery.status,
    webhook: delivery.webhook_id,
    emitter: delivery.emitter_id,
    event: delivery.event_id,
    created: when(delivery.created_at),
    'next attempt': next === null ? null : when(next),
  });
  return [head, ...attempts.map(attemptText)].join('\n\n');
}

function attemptText({ at, request, response, timing, error, manual }: Attempt): string {
  return fields({
    attempt: `${when(at)}${manual ? ', by hand' : ''}`,
    request: `${request.method} ${request.url}`,
    'sent headers': request.headers,
    'sent body': request.body,
    error: error === null ? null : `${error.class}: ${error.message}`,
    answer: response?.status,
    headers: response?.headers,
    body: response?.body === '' ? null : response?.body,
    timing: timingText(timing),
  });
}

function timingText({ total_ms, ...phases }: Attempt['timing']): string {
  const steps = Object.entries(phases).flatMap(([name, ms]) =>
    ms === null ? [] : [`${name.replace(/_ms$/, '').replace('_', ' ')} ${ms}`],
  );
  return [`${total_ms} ms`, ...(steps.length > 0 ? [`(${steps.join(', ')})`] : [])].join(' ');
}
