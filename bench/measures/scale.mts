import { startPostgres } from '../../test/support/postgres.ts';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { startHelper } from '../harness/helper.mts';
import type { Phase, PhaseRequest } from '../harness/load.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { usageOfTree } from '../harness/process-tree.mts';
import { atLeast, atMost, formatAims, type Measure } from './measure.mts';
import { type Gaps, measureGaps } from './scale-gaps.mts';
import {
  embedded,
  nodesOnPostgres,
  sourceCount,
  type Subject,
  subjects,
} from './scale-subjects.mts';

const writersPerSource = 64;
const warmUpSeconds = 3;

interface Round {
  /** Counted to the moment the last one is worked off. */
  readonly perSecond: number;
  /** CPU time of all nodes per event, in µs. */
  readonly nodeMicros: number;
  /** The same of PostgreSQL. */
  readonly serverMicros: number;
}

export const scale: Measure = {
  summary: 'one, two and four nodes on PostgreSQL beside the embedded store, and when a node goes',
  async run(options) {
    const { rounds, seconds, note } = options;
    const machine = describeMachine();
    const undo: (() => void | Promise<void>)[] = [];
    try {
      const postgres = await startPostgres((one) => void undo.push(one));
      const all = subjects(options, postgres);
      const found = new Map(all.map(({ name }): [string, Round[]] => [name, []]));
      for (let round = 1; round <= rounds; round += 1) {
        for (const subject of all) {
          note(`round ${round} of ${rounds}: ${subject.name}`);
          found.get(subject.name)?.push(await measure(subject, seconds, () => postgres.pid));
        }
      }
      const gaps = await measureGaps(options, postgres);
      return result(found, gaps, options.rounds, machine);
    } finally {
      for (const one of undo.toReversed()) await one();
    }
  },
};

async function measure(
  subject: Subject,
  seconds: number,
  server: () => number | undefined,
): Promise<Round> {
  const running = await subject.start();
  const cpu = () => {
    const pid = server();
    return {
      nodes: running.pids.reduce((sum, one) => sum + usageOfTree(one).cpuMs, 0),
      server: pid === undefined ? 0 : usageOfTree(pid).cpuMs,
    };
  };
  try {
    const connections = String(sourceCount * writersPerSource);
    const load = await startHelper('harness/load.mts', [connections, ...running.urls]);
    try {
      const warm = await load.ask<Phase>({ seconds: warmUpSeconds } satisfies PhaseRequest);
      await running.settled(total(warm));
      const before = cpu();
      const startedAt = performance.now();
      const phase = await load.ask<Phase>({ seconds } satisfies PhaseRequest);
      await running.settled(total(phase));
      const elapsedMs = performance.now() - startedAt;
      const after = cpu();
      const each = (ms: number) => (ms * 1000) / phase.operations;
      return {
        perSecond: (phase.operations * 1000) / elapsedMs,
        nodeMicros: each(after.nodes - before.nodes),
        serverMicros: each(after.server - before.server),
      };
    } finally {
      load.stop();
    }
  } finally {
    await running.stop();
  }
}

function total({ acknowledged }: Phase): number {
  return acknowledged.reduce((sum, count) => sum + count, 0);
}

function result(
  found: ReadonlyMap<string, readonly Round[]>,
  gaps: Gaps,
  rounds: number,
  machine: ReturnType<typeof describeMachine>,
) {
  const of = (name: string, field: keyof Round) =>
    (found.get(name) ?? []).map((round) => round[field]);
  const ratio = (name: string, beside: string, field: keyof Round) => {
    const other = of(beside, field);
    return median(of(name, field).map((value, round) => value / (other[round] ?? Number.NaN)));
  };
  const [one, two, four] = [1, 2, 4].map(nodesOnPostgres) as [string, string, string];
  const aims = [
    atLeast('events/s, one node ÷ embedded', ratio(one, embedded, 'perSecond'), 0.7),
    atMost("nodes' CPU per event, 2 ÷ 1 nodes", ratio(two, one, 'nodeMicros'), 1.25),
    atMost("nodes' CPU per event, 4 ÷ 1 nodes", ratio(four, one, 'nodeMicros'), 1.25),
    atMost(
      'passed on − own, p50 of one caller in ms',
      median(gaps.forwardedMs.map((ms, round) => ms - (gaps.ownMs[round] ?? Number.NaN))),
      2,
    ),
    atMost('no answers at a release, ms', median(gaps.releaseMs), 200),
    atMost('no answers after kill -9, lease of 5 s, ms', median(gaps.killMs), 7000),
  ];
  const rows = [...found.keys()].map((name) => [
    name,
    ...(['perSecond', 'nodeMicros', 'serverMicros'] as const).map((field) =>
      formatNumber(median(of(name, field))),
    ),
    formatNumber(ratio(name, one, 'perSecond')),
  ]);
  const head = ['', 'events/s', 'CPU µs of nodes', 'of PostgreSQL', `events/s ÷ ${one}`];
  return {
    report: { measure: 'scale', machine, rounds: Object.fromEntries(found), gaps, aims },
    text: [
      `scale: ${sourceCount} sources, ${writersPerSource} callers of each`,
      machineLine(machine),
      `1 KB of JSON, ${rounds} rounds interleaved, median of rounds; all on one machine, PostgreSQL with its defaults`,
      '',
      formatTable(head, rows),
      '',
      formatAims(aims),
    ].join('\n'),
  };
}
