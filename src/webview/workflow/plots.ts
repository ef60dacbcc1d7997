/** The positions of the plots' marks (pure). */
import type { ExecutionStatus } from '../../protocol/catalogue.ts';
import type { Point } from './messages.ts';

/** How an execution went, as the plots tell it apart. */
export type Outcome = 'succeeded' | 'failed' | 'open' | 'other';

export function outcomeOf(status: ExecutionStatus): Outcome {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'failed' || status === 'crashed' || status === 'timed_out') return 'failed';
  return status === 'cancelled' || status === 'dropped' ? 'other' : 'open';
}

export interface DurationMark {
  readonly point: Point;
  /** From 0 (left, oldest) to 1. */
  readonly x: number;
  /** From 0 (no time) to 1 (the top of the scale). */
  readonly y: number;
}

export interface DurationPlot {
  readonly marks: readonly DurationMark[];
  /** Ms, and the position from 0 to 1. */
  readonly ticks: readonly { readonly ms: number; readonly y: number }[];
  readonly median: number | null;
  /** The longest. */
  readonly most: number | null;
}

/** The longest is so many times the median: then each line stands for ten times the one below. */
const logarithmicFrom = 20;

/** Those that have ended, side by side, oldest first. */
export function durationPlot(points: readonly Point[]): DurationPlot {
  const ended = points.filter((point) => point.took !== null);
  const sorted = ended.map(({ took }) => took ?? 0).toSorted((a, b) => a - b);
  const most = sorted.at(-1) ?? null;
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
  if (most === null || median === null) return { marks: [], ticks: [], median: null, most: null };
  const { ticks, place } = scaleOf(Math.max(1, most), Math.max(1, median));
  const marks = ended.map((point, at) => ({
    point,
    x: (at + 0.5) / ended.length,
    y: place(point.took ?? 0),
  }));
  return { marks, ticks: ticks.map((ms) => ({ ms, y: place(ms) })), median, most };
}

function scaleOf(most: number, median: number) {
  if (most / median < logarithmicFrom) {
    const step = roundStep(most / 3);
    const count = Math.ceil(most / step);
    const top = step * count;
    const ticks = Array.from({ length: count + 1 }, (_, at) => at * step);
    return { ticks, place: (ms: number) => ms / top };
  }
  const powers = Math.max(1, Math.ceil(Math.log10(most)));
  const every = Math.ceil(powers / 4);
  const ticks = [];
  for (let power = 0; power <= powers; power += every) ticks.push(10 ** power);
  return { ticks, place: (ms: number) => Math.log10(Math.max(1, ms)) / powers };
}

/** 1, 2 or 5 times a power of ten, at least `ms`. */
function roundStep(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ms)));
  const factor = [1, 2, 5, 10].find((one) => one * power >= ms) ?? 10;
  return Math.max(1, factor * power);
}

export interface SuccessBar {
  /** Epoch ms, the end exclusive. */
  readonly from: number;
  readonly to: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly other: number;
  /** The newest that failed, else the newest: what the bar opens. */
  readonly shown: Point;
}

export interface SuccessPlot {
  readonly bars: readonly SuccessBar[];
  /** Of all bars. */
  readonly from: number;
  readonly to: number;
  /** Executions in the highest bar. */
  readonly most: number;
  /** From 0 to 1, of those that succeeded or failed; null without any. */
  readonly rate: number | null;
}

const mostBars = 24;

/** How those that have ended went, by when they came. Stretches without any have no bar. */
export function successPlot(points: readonly Point[]): SuccessPlot | undefined {
  const ended = points.filter(({ status }) => outcomeOf(status) !== 'open');
  const [first] = ended;
  const last = ended.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const from = first.at;
  const width = Math.max(1, Math.ceil((last.at - from + 1) / Math.min(mostBars, ended.length)));
  const inBars = new Map<number, Point[]>();
  for (const point of ended) {
    const at = Math.floor((point.at - from) / width);
    inBars.set(at, [...(inBars.get(at) ?? []), point]);
  }
  const bars = [...inBars].map(([at, inside]): SuccessBar => {
    const count = (outcome: Outcome): number =>
      inside.filter(({ status }) => outcomeOf(status) === outcome).length;
    const failed = inside.findLast(({ status }) => outcomeOf(status) === 'failed');
    return {
      from: from + at * width,
      to: from + (at + 1) * width,
      succeeded: count('succeeded'),
      failed: count('failed'),
      other: count('other'),
      shown: failed ?? inside.at(-1) ?? first,
    };
  });
  const sum = (of: 'succeeded' | 'failed'): number => bars.reduce((all, bar) => all + bar[of], 0);
  const [good, bad] = [sum('succeeded'), sum('failed')];
  return {
    bars,
    from,
    to: Math.max(...bars.map((bar) => bar.to)),
    most: Math.max(...bars.map((bar) => bar.succeeded + bar.failed + bar.other)),
    rate: good + bad === 0 ? null : good / (good + bad),
  };
}
