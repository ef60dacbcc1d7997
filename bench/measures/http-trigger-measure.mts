import { describeMachine } from '../harness/machine.mts';
import { payloadBytes } from '../harness/payload.mts';
import {
  functionsFramework,
  miniflareDurable,
  miniflareMemory,
  nodeHttp,
} from '../peers/peers.mts';
import { weir } from '../peers/weir.mts';
import { judge } from './http-trigger-aims.mts';
import { formatReport, type Report } from './http-trigger-report.mts';
import { connections, httpTrigger } from './http-trigger.mts';
import type { Measure } from './measure.mts';

export const httpTriggerMeasure: Measure = {
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
    const results = await httpTrigger({ peers, seconds, rounds, note });
    const report: Report = {
      measure: 'http-trigger',
      machine,
      connections,
      payloadBytes,
      seconds,
      rounds,
      peers: results,
      aims: judge(results),
    };
    return { report, text: formatReport(report) };
  },
};
