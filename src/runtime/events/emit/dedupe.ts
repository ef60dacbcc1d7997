/**
 * Dedupe, the pure part (P11). What it decides from is a `DedupeState`, which the owner of the emitter
 * has in memory; what it decided is a `DedupeChange`, which that memory and the store apply.
 */
import type { Emit } from '../../../protocol/host.ts';
import type { DedupeChange } from '../../store/commit.ts';
import { uniqueWindow } from './unique-window.ts';

export const dedupeStrategies = ['unique', 'greatest', 'last'] as const;
export type DedupeStrategy = (typeof dedupeStrategies)[number];

/** False for a name that validation has to refuse at deploy (P1.16). */
export function isDedupeStrategy(name: string): name is DedupeStrategy {
  return (dedupeStrategies as readonly string[]).includes(name);
}

/** Events emitted before this batch: a `DedupeRecord` in a form that is fast to query. */
export interface DedupeState {
  /** Null or '' without one. */
  readonly strategy: string | null;
  /** `unique`: in the order they were emitted, oldest first. */
  readonly ids: ReadonlySet<string>;
  readonly greatest?: number | undefined;
  readonly last?: string | undefined;
}

export interface Deduped {
  readonly emitted: readonly Emit[];
  readonly dropped: readonly Dropped[];
  /** Absent when there is nothing to remember. */
  readonly change?: DedupeChange;
}

export interface Dropped {
  readonly emit: Emit;
  /** One sentence. */
  readonly reason: string;
}

/** One strategy, applied to one batch. */
interface BatchFilter {
  /** Asked for each emit in order; undefined when it is emitted. */
  readonly reasonToDrop: (emit: Emit) => string | undefined;
  /** Asked once, after the last emit. */
  readonly change: () => Omit<DedupeChange, 'strategy' | 'reset'> | undefined;
}

const nothing: DedupeState = { strategy: null, ids: new Set() };

/**
 * Emits with a `delivery_ts` are separate from the rest (P11.15): among them, `unique` drops an id that it remembers of
 * them, and the strategies that compare an id with earlier events let them pass.
 *
 * @param emits the batch of one invocation, ordered (`orderEmits`). A strategy other than the one the state was made by
 * starts from nothing and resets what is stored.
 */
export function dedupe(
  strategy: DedupeStrategy | null,
  state: DedupeState,
  emits: readonly Emit[],
): Deduped {
  const reset = (state.strategy ?? '') !== '' && state.strategy !== strategy;
  const change = (made: Omit<DedupeChange, 'strategy' | 'reset'> | undefined) =>
    made !== undefined || reset
      ? { change: { strategy: strategy ?? '', ...made, ...(reset && { reset }) } }
      : {};
  if (strategy === null) return { emitted: emits, dropped: [], ...change(undefined) };

  const filter = filters[strategy](reset ? nothing : state, emits);
  const emitted: Emit[] = [];
  const dropped: Dropped[] = [];
  for (const emit of emits) {
    if (strategy !== 'unique' && emit.deliveryTs !== undefined) {
      emitted.push(emit);
      continue;
    }
    const reason = isMissing(emit.id)
      ? `No id was given to $emit, and dedupe "${strategy}" needs one.`
      : filter.reasonToDrop(emit);
    if (reason === undefined) emitted.push(emit);
    else dropped.push({ emit, reason });
  }
  return { emitted, dropped, ...change(filter.change()) };
}

const filters: Record<DedupeStrategy, (state: DedupeState, emits: readonly Emit[]) => BatchFilter> =
  {
    unique(state) {
      const window = uniqueWindow(state.ids);
      return {
        reasonToDrop(emit) {
          const key = keyOf(emit.id);
          if (window.add(emit.deliveryTs === undefined ? key : scheduledMark + key))
            return undefined;
          return `The id "${key}" is among the last 100 that were emitted (dedupe "unique").`;
        },
        change: () => (window.added.length === 0 ? undefined : { append: window.added }),
      };
    },

    // Compared with the maximum before the batch, so that a batch without ts may come in any order
    // (P11.5).
    greatest(state) {
      const before = state.greatest ?? -Infinity;
      const seen = new Set<number>();
      let greatest = before;
      return {
        reasonToDrop(emit) {
          const value = numberOf(emit.id);
          if (value === undefined) {
            return `The id "${keyOf(emit.id)}" is not a number, and dedupe "greatest" compares numbers.`;
          }
          if (value <= before) {
            return `The id ${value} is not greater than ${before}, the greatest so far (dedupe "greatest").`;
          }
          if (seen.has(value)) return `The id ${value} came twice in one run (dedupe "greatest").`;
          seen.add(value);
          greatest = Math.max(greatest, value);
          return undefined;
        },
        change: () => (greatest > before ? { greatest } : undefined),
      };
    },

    last(state, emits) {
      const known = state.last;
      const start =
        known === undefined
          ? -1
          : emits.findLastIndex((emit) => counts(emit) && keyOf(emit.id) === known);
      let toSkip = emits.slice(0, start + 1).filter(counts).length;
      let last: string | undefined;
      return {
        reasonToDrop(emit) {
          if (toSkip > 0) {
            toSkip--;
            return `It does not come after "${known}", the last one emitted (dedupe "last").`;
          }
          last = keyOf(emit.id);
          return undefined;
        },
        change: () => (last === undefined || last === known ? undefined : { last }),
      };
    },
  };

/**
 * Before the ids that `unique` remembers of emits with a `delivery_ts`, so that they are apart from the
 * others: a character that ids do not begin with.
 */
const scheduledMark = '\u{1}';

/** For `last`. */
function counts(emit: Emit): boolean {
  return emit.deliveryTs === undefined && !isMissing(emit.id);
}

/** `null` is not in the type, but a component may have given it. 0 is an id. */
function isMissing(id: unknown): boolean {
  return id === undefined || id === null || id === '';
}

/**
 * Only the first 64 characters count (P11.9); 1 and "1" are the same id (P11.10). Half a character, which a
 * cut may leave, does not come back from the store as it was.
 */
function keyOf(id: string | number | undefined): string {
  return String(id).slice(0, 64).toWellFormed();
}

function numberOf(id: string | number | undefined): number | undefined {
  const text = String(id).trim();
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
