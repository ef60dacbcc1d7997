/**
 * The positions of times on a line when the pauses do not matter: long stretches in which nothing runs are drawn short,
 * with their length written, so that a run of 300 ms with a pause of two days can be read (pure).
 */

/** Epoch ms; `to` is not before `from`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stretch of the line; `start` and `end` are shares of its width, from 0 to 1. */
export interface Stretch extends Span {
  readonly start: number;
  readonly end: number;
  /** Nothing runs, and it is drawn shorter than it lasts. */
  readonly isGap: boolean;
}

export interface Tick {
  /** Share of the width. */
  readonly at: number;
  /** Ms since the stretch began; 0 means the time of day. */
  readonly offset: number;
  readonly time: number;
}

export interface TimeScale {
  readonly stretches: readonly Stretch[];
  readonly ticks: readonly Tick[];
}

/** Shorter ones are drawn as they are. */
const shortestGapMs = 20;
const gapWidth = 0.12;
/** Of all gaps together. */
const mostGaps = 0.45;

/**
 * @param busy when something ran, in any order
 * @param whole all that is to be seen
 * @param tickDistance least share of the width between two ticks
 */
export function timeScale(busy: readonly Span[], whole: Span, tickDistance: number): TimeScale {
  const spans = merged(busy, whole);
  const sum = spans.reduce((total, { from, to }) => total + to - from, 0);
  const longest = Math.max(shortestGapMs, sum / 2);
  const pieces: { from: number; to: number; isGap: boolean }[] = [];
  const add = (from: number, to: number, isGap: boolean): void => {
    const last = pieces.at(-1);
    // Gaps that are short belong to what is around them.
    if (last !== undefined && !last.isGap && !isGap) last.to = to;
    // What runs for no time at all has a place as well.
    else if (to > from || !isGap) pieces.push({ from, to, isGap });
  };
  let at = whole.from;
  for (const { from, to } of spans) {
    add(at, from, from - at > longest);
    add(from, to, false);
    at = to;
  }
  add(at, whole.to, spans.length > 0 && whole.to - at > longest);
  return laidOut(pieces, tickDistance);
}

/** Position of a time, as a share of the width. */
export function placeOf({ stretches }: TimeScale, time: number): number {
  for (const { from, to, start, end } of stretches) {
    if (time > to) continue;
    if (time <= from || to === from) return start;
    return start + ((time - from) / (to - from)) * (end - start);
  }
  return 1;
}

function laidOut(
  pieces: readonly { from: number; to: number; isGap: boolean }[],
  tickDistance: number,
): TimeScale {
  const gaps = pieces.filter(({ isGap }) => isGap).length;
  const perGap = gaps === 0 ? 0 : Math.min(gapWidth, mostGaps / gaps);
  const rest = 1 - perGap * gaps;
  const running = pieces.filter(({ isGap }) => !isGap);
  const sum = running.reduce((total, { from, to }) => total + to - from, 0);
  let at = 0;
  const stretches = pieces.map(({ from, to, isGap }): Stretch => {
    const share = sum === 0 ? 1 / Math.max(1, running.length) : (to - from) / sum;
    const start = at;
    at += isGap ? perGap : share * rest;
    return { from, to, isGap, start, end: at };
  });
  const step = niceStep((sum * tickDistance) / rest);
  return { stretches, ticks: stretches.flatMap((one) => ticksOf(one, step, tickDistance)) };
}

/** The time of day where a stretch begins, and then what has passed since. */
function ticksOf(
  { from, to, start, end, isGap }: Stretch,
  step: number,
  tickDistance: number,
): Tick[] {
  if (isGap || end - start < tickDistance / 2) return [];
  const ticks: Tick[] = [{ at: start, offset: 0, time: from }];
  for (let offset = step; offset < to - from; offset += step) {
    const at = start + (offset / (to - from)) * (end - start);
    const isClear = at - start >= tickDistance && end - at >= tickDistance / 2;
    if (isClear) ticks.push({ at, offset, time: from + offset });
  }
  return ticks;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const longSteps = [1, 2, 5, 10, 15, 30].flatMap((n) => [n * second, n * minute]);
const longest = [1, 2, 3, 6, 12, 24].map((n) => n * hour);
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, ...longSteps, ...longest].toSorted(
  (a, b) => a - b,
);

function niceStep(least: number): number {
  return steps.find((step) => step >= least) ?? Math.ceil(least / (24 * hour)) * 24 * hour;
}

function merged(spans: readonly Span[], whole: Span): Span[] {
  const sorted = spans
    .map(({ from, to }) => ({
      from: Math.max(from, whole.from),
      to: Math.min(Math.max(to, from), whole.to),
    }))
    .filter(({ from, to }) => to >= from)
    .toSorted((a, b) => a.from - b.from);
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = result.at(-1);
    if (last === undefined || from > last.to) result.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return result;
}
