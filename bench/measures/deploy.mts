import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHosts } from '../../src/runtime/processes/hosts.ts';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { bareDeploy, bareStart } from '../peers/bare-deploy.mts';
import { type DeployComponents, deployComponents } from '../peers/deploy-components.mts';
import { startWeir } from '../peers/weir-program.mts';
import { atMost, formatAims, type Measure, type MeasureOptions } from './measure.mts';

const perRound = 5;
/** A spare process is forked after each start: so long it has to get ready. */
const spareReadyMs = 300;

interface Timing {
  readonly what: string;
  readonly medianMs: number;
  readonly slowestMs: number;
  readonly bareMs: number;
  /** Median of the ratios within the pairs. */
  readonly ratio: number;
}

export const deploy: Measure = {
  summary: 'from a file to an active source, and the start of its process',
  async run(options) {
    const machine = describeMachine();
    const components = await deployComponents();
    try {
      const deploys = await deployTimings(options, components);
      const starts = await startTimings(options, components);
      const timings = [...deploys, ...starts];
      const limits = [150, 300, 50, 10];
      const aims = timings.map(({ what, medianMs }, index) =>
        atMost(`${what}, ms`, medianMs, limits[index] ?? 0),
      );
      const times = options.rounds * perRound;
      return {
        report: { measure: 'deploy', machine, times, timings, aims },
        text: [
          'deploy: from a file to an active source',
          machineLine(machine),
          `${times} times each, in turn with the bare way: esbuild's bundle and a forked process that imports it`,
          '',
          formatTable(['', 'median ms', 'slowest ms', 'bare ms', '× bare'], timings.map(row)),
          '',
          formatAims(aims),
        ].join('\n'),
      };
    } finally {
      await components.remove();
    }
  },
};

/** Over REST, to the answer: the source is active, and on disk. */
async function deployTimings(
  { dist, rounds, profile, note }: MeasureOptions,
  components: DeployComponents,
): Promise<Timing[]> {
  const weir = await startWeir({ dist, profile });
  const outfile = join(components.folder, 'bare.mjs');
  const timingOf = (what: string, file: () => Promise<string>) => {
    note(what);
    return inPairs(what, rounds, async () => {
      const component_path = await file();
      await pause(spareReadyMs);
      const weirMs = await timed(() => weir.call('POST', 'sources', { component_path }));
      return { weirMs, bareMs: await timed(() => bareDeploy(component_path, outfile)) };
    });
  };
  try {
    return [
      await timingOf('deploy of one file', () => components.oneFile()),
      await timingOf('deploy with axios and lodash', () => components.withPackages()),
    ];
  } finally {
    await weir.stop();
  }
}

async function startTimings(
  { dist, rounds, note }: MeasureOptions,
  components: DeployComponents,
): Promise<Timing[]> {
  const spareMemoryMb = 256;
  const entry = join(dist, 'component-host.js');
  const hosts = createHosts({ entry, execPath: process.execPath, env: process.env, spareMemoryMb });
  const bundle = await components.oneFile();
  const timingOf = (what: string, memoryMb: number) => {
    note(what);
    return inPairs(what, rounds, async () => {
      hosts.warm();
      await pause(spareReadyMs);
      const start = () =>
        hosts.start({
          bundle,
          sourceId: null,
          limits: { memoryMb, timeoutMs: 30_000, outputMb: 64 },
        });
      const weirMs = await timed(async () => (await start()).kill('was measured'));
      return { weirMs, bareMs: await timed(() => bareStart(bundle)) };
    });
  };
  try {
    return [
      // Another limit than the spare process has: a new one is forked.
      await timingOf('component host, forked anew', spareMemoryMb * 2),
      await timingOf('component host, spare ready', spareMemoryMb),
    ];
  } finally {
    await hosts.close();
  }
}

/** The first pair is not counted: it loads what all others find loaded. */
async function inPairs(
  what: string,
  rounds: number,
  pair: () => Promise<{ weirMs: number; bareMs: number }>,
): Promise<Timing> {
  await pair();
  const pairs: { weirMs: number; bareMs: number }[] = [];
  for (let n = 0; n < rounds * perRound; n += 1) pairs.push(await pair());
  const weirMs = pairs.map((one) => one.weirMs);
  return {
    what,
    medianMs: median(weirMs),
    slowestMs: Math.max(...weirMs),
    bareMs: median(pairs.map((one) => one.bareMs)),
    ratio: median(pairs.map((one) => one.weirMs / one.bareMs)),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function row({ what, ...figures }: Timing): string[] {
  const { medianMs, slowestMs, bareMs, ratio } = figures;
  return [what, ...[medianMs, slowestMs, bareMs, ratio].map(formatNumber)];
}
