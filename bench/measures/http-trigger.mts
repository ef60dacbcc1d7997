import { formatNumber, formatTable } from '../harness/figures.mts';
import { describeMachine, type Machine, machineLine } from '../harness/machine.mts';
import { payloadBytes } from '../harness/payload.mts';
import {
  functionsFramework,
  miniflareDurable,
  miniflareMemory,
  nodeHttp,
} from '../peers/peers.mts';
import { weir } from '../peers/weir.mts';
import { connections, measurePeers, type PeerResult } from './http-trigger-rounds.mts';
import { type Aim, atLeast, atMost, formatAims, type Measure } from './measure.mts';

export const httpTrigger: Measure = {
  summary: 'an HTTP request becomes a kept event (the default)',
  async run({ seconds, rounds, dist, builds, only, profile, note }) {
    const others = [
      weir({ name: 'Weir', dist, profile }),
      ...builds.map((build) => weir({ name: `Weir in ${build}`, dist: build })),
      functionsFramework,
      miniflareMemory,
      miniflareDurable,
    ];
    const isWanted = (name: string) =>
      only === undefined || only.some((part) => name.toLowerCase().includes(part));
    const peers = [nodeHttp, ...others.filter(({ name }) => isWanted(name))];
    const machine = describeMachine();
    const results = await measurePeers({ peers, seconds, rounds, note });
    const report: Report = {
      measure: 'http-trigger',
      machine,
      connections,
      payloadBytes,
      seconds,
      rounds,
      peers: results,
      aims: aimsOf(results),
    };
    return { report, text: formatReport(report) };
  },
};

interface Report {
  readonly measure: 'http-trigger';
  readonly machine: Machine;
  readonly connections: number;
  readonly payloadBytes: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly peers: readonly PeerResult[];
  readonly aims: readonly Aim[];
}

/** Aims whose peer was not measured are left out. */
function aimsOf(results: readonly PeerResult[]): Aim[] {
  const named = (name: string) => results.find((result) => result.name === name);
  const weir = named('Weir');
  if (weir === undefined) return [];
  const cpuBeside = (name: string, limit: number): Aim[] => {
    const other = named(name);
    if (other === undefined) return [];
    return [atMost(`CPU per event ÷ ${name}`, weir.ratio.cpu / other.ratio.cpu, limit)];
  };
  return [
    ...cpuBeside('functions-framework', 0.8),
    ...cpuBeside('miniflare, Durable Object', 0.2),
    ...cpuBeside('node:http', 3),
    ...(named('node:http') === undefined
      ? []
      : [atLeast('events/s ÷ node:http', weir.ratio.perSecond, 0.4)]),
    atMost('p99 ÷ p50', weir.median.p99Ms / weir.median.p50Ms, 10),
  ];
}

const head = [
  'peer',
  'keeps in',
  'CPU µs',
  '× node:http',
  'events/s',
  '× node:http',
  'p50 ms',
  'p99 ms',
  'MB idle',
  'MB loaded',
];

function formatReport({ machine, seconds, rounds, peers, aims }: Report): string {
  const rows = peers.map(({ name, keeps, median, ratio }) => {
    const { cpuMicros, perSecond, p50Ms, p99Ms, idleMb, loadedMb } = median;
    const figures = [cpuMicros, ratio.cpu, perSecond, ratio.perSecond];
    return [name, keeps, ...[...figures, p50Ms, p99Ms, idleMb, loadedMb].map(formatNumber)];
  });
  const hasWeir = peers.some((peer) => peer.name.startsWith('Weir'));
  return [
    'http-trigger: from an HTTP request to a kept event',
    machineLine(machine),
    `${connections} connections, ${payloadBytes} bytes of JSON each, ${rounds} × ${seconds} s per peer, rounds interleaved, median of rounds`,
    `CPU: ${machine.cpu}`,
    '',
    formatTable(head, rows),
    ...(hasWeir
      ? [
          '',
          'Weir: after each round the runtime was killed and started again, and every acknowledged event was read back, once.',
        ]
      : []),
    ...(aims.length === 0 ? [] : ['', formatAims(aims)]),
  ].join('\n');
}
