/** Which emits wait, and for how long they may (pure; P10.13, P10.20). */
import type { Emit } from '../../../protocol/host.ts';
import type { NewScheduledEmit } from '../../store/history/scheduled-emits.ts';
import type { RowsAndBytes } from '../../store/retention.ts';
import type { Dropped } from './dedupe.ts';

const dayMs = 86_400_000;

/** A time further ahead is one in another unit, such as microseconds. */
const furthestDays = 3650;

/** A run that waits this long before the next one does not run without end in a ring. */
const pauseMs = 60_000;

export interface Offered {
  readonly emits: readonly Emit[];
  readonly dropped: readonly Dropped[];
}

/** Epoch ms when the emit is due; undefined for one that goes at once. */
export function dueAtOf({ deliveryTs }: Emit, now: number): number | undefined {
  return deliveryTs !== undefined && deliveryTs > now ? Math.ceil(deliveryTs) : undefined;
}

/** At module level, because it is called for every run: it needs no closure. */
export function hasDeliveryTs({ deliveryTs }: Emit): boolean {
  return deliveryTs !== undefined;
}

/**
 * Holds back what may not wait: what is due in another age, and what there is no room for. Before dedupe,
 * which remembers what was emitted.
 * @param waiting of the emitter already
 * @param most of one emitter
 */
export function holdBack(
  emits: readonly Emit[],
  waiting: RowsAndBytes,
  most: RowsAndBytes,
  now: number,
): Offered {
  let { count, bytes } = waiting;
  const taken: Emit[] = [];
  const dropped: Dropped[] = [];
  for (const emit of emits) {
    const dueAt = dueAtOf(emit, now);
    if (dueAt === undefined) {
      taken.push(emit);
      continue;
    }
    if (dueAt > now + furthestDays * dayMs) {
      const reason = `Its delivery_ts ${emit.deliveryTs} is more than ten years ahead: give epoch milliseconds.`;
      dropped.push({ emit, reason });
      continue;
    }
    const size = Buffer.byteLength(emit.event);
    if (count >= most.count || bytes + size > most.bytes) {
      const reason = `${count} events of ${megabytes(bytes)} MB wait for their delivery_ts already, and no more than ${most.count} of ${megabytes(most.bytes)} MB may: raise scheduled.events or scheduled.megabytes, or cancel some.`;
      dropped.push({ emit, reason });
      continue;
    }
    count += 1;
    bytes += size;
    taken.push(emit);
  }
  return { emits: taken, dropped };
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0).replace(/\.0$/, '');
}

/** Divides a batch into emits that wait and emits that become events now. Order is kept. */
export function partByDueTime(
  emits: readonly Emit[],
  now: number,
  hops: number,
): { readonly now: readonly Emit[]; readonly later: readonly NewScheduledEmit[] } {
  const atOnce: Emit[] = [];
  const later: NewScheduledEmit[] = [];
  for (const emit of emits) {
    const dueAt = dueAtOf(emit, now);
    if (dueAt === undefined) atOnce.push(emit);
    else later.push(scheduled(emit, dueAt, now, hops));
  }
  return { now: atOnce, later };
}

function scheduled(emit: Emit, dueAt: number, now: number, hops: number): NewScheduledEmit {
  return {
    dueAt,
    scheduledAt: now,
    channel: emit.name ?? '',
    dedupeId: emit.id,
    summary: emit.summary,
    ts: emit.ts,
    payload: emit.event,
    hops: dueAt - now < pauseMs ? hops + 1 : 1,
  };
}
