/** The consequences of an attempt (pure). The schedule is P19.10. */
import type { Random } from '../../base/ids.ts';
import type { DeliveryRecord, DeliveryStatus } from '../../store/history/deliveries.ts';
import type { Answer, Failure } from './failure.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Wait before the second, third, … attempt. After the last of them a delivery is given up. */
export const retryDelays: readonly number[] = [
  second,
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
];

/** Each wait is up to 20 % shorter or longer, so that what failed together does not return together. */
const jitter = 0.2;
const retryAfterLimit = hour;

/** No retry is ever further away. */
export const longestRetryDelay = Math.max(...retryDelays) * (1 + jitter);

/** The receiver wants no more of it: the one answer that is not tried again (Standard Webhooks). */
const gone = 410;

export interface Attempted {
  readonly failure: Failure | undefined;
  readonly answer: Answer | null;
  /** By a person: it moves a delivery on when it succeeds, and otherwise leaves it and its schedule. */
  readonly manual: boolean;
}

export interface Next {
  readonly status: DeliveryStatus;
  readonly nextAt: number | null;
}

/** @param delivery its state before the attempt is counted. Every attempt counts, also one by hand: eight in all. */
export function planNext(
  delivery: Pick<DeliveryRecord, 'status' | 'attempts' | 'nextAt'>,
  { failure, answer, manual }: Attempted,
  now: number,
  random: Random,
): Next {
  if (failure === undefined) return { status: 'delivered', nextAt: null };
  if (manual || !isOpen(delivery)) return { status: delivery.status, nextAt: delivery.nextAt };
  const delay = retryDelays[delivery.attempts];
  if (delay === undefined || answer?.status === gone || isFinal(failure)) {
    return { status: 'exhausted', nextAt: null };
  }
  const wished = retryAfter(answer?.headers['retry-after'], now);
  return { status: 'retrying', nextAt: Math.round(now + (wished ?? spread(delay, random))) };
}

/** An event that is no longer stored will not be there next time, and a ring is one then, too. */
function isFinal(failure: Failure): boolean {
  return failure.class === 'gone' || failure.class === 'ring';
}

/** Not yet delivered nor given up. */
export function isOpen({ status }: Pick<DeliveryRecord, 'status'>): boolean {
  return status === 'pending' || status === 'retrying';
}

function spread(delay: number, random: Random): number {
  return delay * (1 - jitter + 2 * jitter * random());
}

/** Seconds or an HTTP date, as ms from now: a second at least, an hour at most. */
function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, second), retryAfterLimit);
}
