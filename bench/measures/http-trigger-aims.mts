import type { PeerResult } from './http-trigger.mts';

/** What Weir is meant to reach in this measure. */
export interface Aim {
  readonly what: string;
  readonly value: number;
  readonly aim: string;
  readonly reached: boolean;
}

/** Aims whose peer was not measured are left out. */
export function judge(results: readonly PeerResult[]): Aim[] {
  const named = (name: string) => results.find((result) => result.name === name);
  const weir = named('Weir');
  if (weir === undefined) return [];
  const aims: Aim[] = [];
  const add = (what: string, value: number, limit: number, at: 'most' | 'least') => {
    const reached = at === 'most' ? value <= limit : value >= limit;
    aims.push({ what, value, aim: `${at === 'most' ? '≤' : '≥'} ${limit}`, reached });
  };
  const cpuBeside = (name: string, limit: number) => {
    const other = named(name);
    if (other === undefined) return;
    add(`CPU per event ÷ ${name}`, weir.ratio.cpu / other.ratio.cpu, limit, 'most');
  };
  cpuBeside('functions-framework', 0.8);
  cpuBeside('miniflare, Durable Object', 0.2);
  cpuBeside('node:http', 3);
  if (named('node:http') !== undefined) {
    add('events/s ÷ node:http', weir.ratio.perSecond, 0.4, 'least');
  }
  add('p99 ÷ p50', weir.median.p99Ms / weir.median.p50Ms, 10, 'most');
  return aims;
}
