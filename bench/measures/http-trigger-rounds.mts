import { median } from '../harness/figures.mts';
import { type Helper, startHelper } from '../harness/helper.mts';
import type { Phase, PhaseRequest } from '../harness/load.mts';
import { usageOfTree } from '../harness/process-tree.mts';
import type { Peer } from '../peers/peers.mts';

/** 64 callers, each waiting for its answer before it asks again. */
export const connections = 64;
/** V8 compiles a program while it runs: the fewer requests a busy machine lets through, the more that would weigh. */
const warmUpEnd = { requests: 10_000, mostSeconds: 10 };

interface Round {
  /** CPU time of the peer's process tree per request, in µs. */
  readonly cpuMicros: number;
  /** Requests per second, counted to the moment the last one is worked off. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly idleMb: number;
  readonly loadedMb: number;
  readonly operations: number;
}

export interface PeerResult {
  readonly name: string;
  readonly keeps: string;
  /** Median over the rounds, each value for itself. */
  readonly median: Round;
  /** Median of the ratio to the first peer within each round. */
  readonly ratio: { readonly cpu: number; readonly perSecond: number };
  readonly rounds: readonly Round[];
}

export interface RoundsOptions {
  readonly peers: readonly Peer[];
  readonly seconds: number;
  readonly rounds: number;
  readonly note: (line: string) => void;
}

/**
 * From an HTTP request to a kept event. Rounds go through all peers before the next one begins
 * (A B C A B C), so that noise on the machine hits all alike; the first peer is the baseline.
 */
export async function measurePeers(options: RoundsOptions): Promise<PeerResult[]> {
  const { peers, seconds, rounds, note } = options;
  const results = peers.map((): Round[] => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, peer] of peers.entries()) {
      note(`round ${round} of ${rounds}: ${peer.name}`);
      try {
        results[index]?.push(await measure(peer, seconds));
      } catch (error) {
        throw new Error(`${peer.name}: no result in round ${round}.`, { cause: error });
      }
    }
  }
  const baseline = results[0] ?? [];
  return peers.map((peer, index) => summarise(peer, results[index] ?? [], baseline));
}

/** One round on fresh processes. */
async function measure(peer: Peer, seconds: number): Promise<Round> {
  const started = await peer.start();
  try {
    const idle = usageOfTree(started.pid);
    const load = await startHelper('harness/load.mts', [String(connections), started.url]);
    try {
      const warm = await warmUp(load);
      await started.settled?.(total(warm.acknowledged));

      const before = usageOfTree(started.pid);
      const startedAt = performance.now();
      const phase = await loadFor(load, seconds);
      await started.settled?.(total(phase.acknowledged));
      const elapsedMs = performance.now() - startedAt;
      const after = usageOfTree(started.pid);

      await started.verify?.(phase.acknowledged);
      return {
        cpuMicros: ((after.cpuMs - before.cpuMs) * 1000) / phase.operations,
        perSecond: (phase.operations * 1000) / elapsedMs,
        p50Ms: phase.p50Ms,
        p99Ms: phase.p99Ms,
        idleMb: idle.rssBytes / 2 ** 20,
        loadedMb: after.rssBytes / 2 ** 20,
        operations: phase.operations,
      };
    } finally {
      load.stop();
    }
  } finally {
    await started.stop();
  }
}

/** Returns the last phase: what it counts as acknowledged goes over all of them. */
async function warmUp(load: Helper): Promise<Phase> {
  for (let seconds = 1; ; seconds += 1) {
    const phase = await loadFor(load, 1);
    const enough =
      total(phase.acknowledged) >= warmUpEnd.requests || seconds === warmUpEnd.mostSeconds;
    if (enough) return phase;
  }
}

/** Keeps every connection busy for so long. Rejects when a request was not answered with 200. */
function loadFor(load: Helper, seconds: number): Promise<Phase> {
  return load.ask<Phase>({ seconds } satisfies PhaseRequest);
}

function summarise(
  { name, keeps }: Peer,
  rounds: readonly Round[],
  baseline: readonly Round[],
): PeerResult {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]));
  const ratioOf = (key: keyof Round) =>
    median(rounds.map((round, index) => round[key] / (baseline[index]?.[key] ?? Number.NaN)));
  return {
    name,
    keeps,
    median: {
      cpuMicros: of('cpuMicros'),
      perSecond: of('perSecond'),
      p50Ms: of('p50Ms'),
      p99Ms: of('p99Ms'),
      idleMb: of('idleMb'),
      loadedMb: of('loadedMb'),
      operations: of('operations'),
    },
    ratio: { cpu: ratioOf('cpuMicros'), perSecond: ratioOf('perSecond') },
    rounds,
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
