import type { Machine } from '../harness/machine.mts';
import { payloadBytes } from '../harness/payload.mts';
import { formatNumber, formatTable } from '../harness/table.mts';
import type { Aim } from './http-trigger-aims.mts';
import { connections, type PeerResult } from './http-trigger.mts';

export interface Report {
  readonly measure: 'http-trigger';
  readonly machine: Machine;
  readonly connections: number;
  readonly payloadBytes: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly peers: readonly PeerResult[];
  readonly aims: readonly Aim[];
}

export function formatReport(report: Report): string {
  const { machine, seconds, rounds, peers, aims } = report;
  const load = machine.load.join(', ');
  const kept = peers.some((peer) => peer.name.startsWith('Weir'));
  return [
    'http-trigger: from an HTTP request to a kept event',
    `Node ${machine.node} · ${machine.system} · ${machine.cores} × ${machine.processor} · load ${load}`,
    `${connections} connections, ${payloadBytes} bytes of JSON each, ${rounds} × ${seconds} s per peer, rounds interleaved, median of rounds`,
    `CPU: ${machine.cpu}`,
    '',
    formatTable(
      [
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
      ],
      peers.map(({ name, keeps, median, ratio }) => [
        name,
        keeps,
        formatNumber(median.cpuMicros),
        formatNumber(ratio.cpu),
        formatNumber(median.perSecond),
        formatNumber(ratio.perSecond),
        formatNumber(median.p50Ms),
        formatNumber(median.p99Ms),
        formatNumber(median.idleMb),
        formatNumber(median.loadedMb),
      ]),
    ),
    ...(kept
      ? [
          '',
          'Weir: after each round the runtime was killed and started again, and every acknowledged event was read back, once.',
        ]
      : []),
    ...(aims.length === 0
      ? []
      : [
          '',
          formatTable(
            ['aim', 'is', 'aim', ''],
            aims.map((aim) => [
              aim.what,
              formatNumber(aim.value),
              aim.aim,
              aim.reached ? 'reached' : 'missed',
            ]),
          ),
        ]),
  ].join('\n');
}
