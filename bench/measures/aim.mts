import { formatNumber, formatTable } from '../harness/table.mts';

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
