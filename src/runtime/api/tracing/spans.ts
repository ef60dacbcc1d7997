/** The spans of a run, a step and a delivery in a trace (pure). */
import { SpanKind, type Attributes } from '@opentelemetry/api';
import { runId } from '../../../protocol/ids.ts';
import type { DeliveryRecord } from '../../store/history/deliveries.ts';
import type { StepRun } from '../../store/history/executions.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';

/** A span that is over; times in epoch ms. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly error: { readonly name: string; readonly message: string } | null;
}

export interface TracedEmitter {
  readonly name: string;
  readonly kind: string;
}

const kinds: Partial<Record<InvocationRecord['cause'], SpanKind>> = {
  http: SpanKind.SERVER,
  event: SpanKind.CONSUMER,
};

/** @param now where it has no end */
export function runSpan(
  record: InvocationRecord,
  { name, kind }: TracedEmitter,
  now: number,
): EndedSpan {
  const startedAt = record.startedAt ?? record.createdAt;
  return {
    name: `${kind === 'workflow' ? 'execution' : 'run'} ${name}`,
    kind: kinds[record.cause] ?? SpanKind.INTERNAL,
    startedAt,
    endedAt: Math.max(startedAt, record.endedAt ?? now),
    attributes: {
      'weir.emitter.id': record.emitterId,
      'weir.emitter.name': name,
      'weir.run.id': runId(record.emitterId, record.n),
      'weir.run.cause': record.cause,
      'weir.run.status': record.status,
      'weir.run.attempt': record.attempt,
      'weir.run.waited_ms': startedAt - record.createdAt,
      'weir.events.emitted': record.emitted,
      'weir.events.dropped': record.dropped,
      ...(record.hook !== null && { 'weir.run.hook': record.hook }),
    },
    error: record.error,
  };
}

export function stepSpan(step: StepRun): EndedSpan {
  return {
    name: `step ${step.path}`,
    kind: SpanKind.INTERNAL,
    startedAt: step.startedAt,
    endedAt: Math.max(step.startedAt, step.endedAt),
    attributes: {
      'weir.step.path': step.path,
      'weir.step.status': step.status,
      'weir.step.run': step.run,
      'weir.step.attempt': step.attempt,
      'weir.step.leg': step.leg,
    },
    error: step.error,
  };
}

/** From the commit of its event to its last attempt. Undefined while there is another attempt to come. */
export function deliverySpan(delivery: DeliveryRecord, now: number): EndedSpan | undefined {
  const { status, lastError } = delivery;
  if (status === 'pending' || status === 'retrying') return undefined;
  return {
    name: 'deliver',
    kind: SpanKind.PRODUCER,
    startedAt: delivery.createdAt,
    endedAt: Math.max(delivery.createdAt, now),
    attributes: {
      'weir.webhook.id': delivery.webhookId,
      'weir.event.id': delivery.eventId,
      'weir.delivery.status': status,
      'weir.delivery.attempts': delivery.attempts,
      ...(delivery.lastStatus !== null && { 'http.response.status_code': delivery.lastStatus }),
    },
    error:
      status === 'delivered'
        ? null
        : { name: 'DeliveryError', message: lastError ?? `The delivery is ${status}.` },
  };
}
