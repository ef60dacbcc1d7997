/** A measure, and what Weir aims at in it. */
import { formatNumber, formatTable } from '../harness/figures.mts';

/** What `npm run bench -- NAME` runs. */
export interface Measure {
  /** One line for the usage text. */
  readonly summary: string;
  run(options: MeasureOptions): Promise<MeasureResult>;
}

export interface MeasureOptions {
  /** Length of a round, where a measure goes by time. */
  readonly seconds: number;
  readonly rounds: number;
  /** Folder of the build that is measured. */
  readonly dist: string;
  /** Only peers whose name contains one of these, in lower case; all when it is undefined. */
  readonly only: readonly string[] | undefined;
  /** Further builds of Weir. */
  readonly builds: readonly string[];
  /** Folder for a CPU profile of Weir's runtime. */
  readonly profile: string | undefined;
  /** Tells a person how far it is. */
  readonly note: (line: string) => void;
}

export interface MeasureResult {
  /** For `--json`. */
  readonly report: object;
  /** The same for a terminal. */
  readonly text: string;
}

/** What Weir is meant to reach in a measure. */
export interface Aim {
  readonly what: string;
  readonly value: number;
  readonly aim: string;
  readonly reached: boolean;
}

export function atMost(what: string, value: number, limit: number): Aim {
  return { what, value, aim: `≤ ${limit}`, reached: value <= limit };
}

export function atLeast(what: string, value: number, limit: number): Aim {
  return { what, value, aim: `≥ ${limit}`, reached: value >= limit };
}

export function formatAims(aims: readonly Aim[]): string {
  const rows = aims.map(({ what, value, aim, reached }) => [
    what,
    formatNumber(value),
    aim,
    reached ? 'reached' : 'missed',
  ]);
  return formatTable(['aim', 'is', 'aim', ''], rows);
}
