import { formatNumber, formatTable } from '../harness/table.mts';
import { median } from '../harness/statistics.mts';
import { type Aim, atMost } from './aim.mts';

/** All in ms. */
export interface Samples {
  /** From F5 until it stopped: the first of a fresh window, nothing deployed, no runtime yet. */
  readonly cold: readonly number[];
  /** … the next ones in the same window. */
  readonly warm: readonly number[];
  /** Of the warm ones, until the JavaScript debugger was told to attach: what is Weir's part. */
  readonly beforeAttach: readonly number[];
  /** From a save until a run answered with the new code, while a debugger is attached. */
  readonly saveDebugged: readonly number[];
  /** … in dev mode, without a debugger. */
  readonly saveFollowed: readonly number[];
}

/** What one window measured. */
export interface Figures {
  readonly samples: Samples;
  /** Median of a request to another source while one is debugged, and while none is. */
  readonly undebugged: { readonly besideDebugged: number; readonly alone: number };
}

const rows: readonly (readonly [keyof Samples, string])[] = [
  ['cold', 'F5 to stopped, the first of a window'],
  ['warm', 'F5 to stopped, the next ones'],
  ['beforeAttach', '  of it, until the debugger attaches'],
  ['saveDebugged', 'save to a run of the new code, debugged'],
  ['saveFollowed', 'save to a run of the new code, dev mode'],
];

export function formatFigures(windows: readonly Figures[]): string {
  return formatTable(
    ['ms', 'median', 'least', 'most', 'samples'],
    rows.map(([name, what]) => {
      const all = allOf(windows, name);
      const shown = [median(all), Math.min(...all), Math.max(...all)].map(formatNumber);
      return [what, ...shown, String(all.length)];
    }),
  );
}

export function aimsOf(windows: readonly Figures[]): Aim[] {
  const of = (name: keyof Samples) => median(allOf(windows, name));
  const beside = windows.map(({ undebugged: { besideDebugged, alone } }) => besideDebugged / alone);
  return [
    atMost('F5 to stopped, cold, ms', of('cold'), 3000),
    atMost('F5 to stopped, warm, ms', of('warm'), 1000),
    atMost('save to a run of the new code, ms', of('saveFollowed'), 300),
    atMost('× a request to a source beside a debugged one', median(beside), 1.1),
  ];
}

function allOf(windows: readonly Figures[], name: keyof Samples): number[] {
  return windows.flatMap(({ samples }) => samples[name]);
}
