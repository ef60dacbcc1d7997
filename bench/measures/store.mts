import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { usageOfProcess } from '../harness/process-tree.mts';
import { startAsEditor, startWeir, type WeirProgram } from '../peers/weir-program.mts';
import { atMost, formatAims, type Measure, type MeasureOptions } from './measure.mts';

const events = 100_000;
const aRun = 1000;
const times = 20;
const idleSeconds = 10;
/** Until what a start leaves behind is tidied up. */
const settleSeconds = 25;

interface Timing {
  readonly what: string;
  readonly medianMs: number;
  readonly slowestMs: number;
}

export const store: Measure = {
  summary: '100,000 stored events: pages, search, memory; and the runtime at rest',
  async run(options) {
    const machine = describeMachine();
    options.note('at rest after a deploy');
    const rest = await atRest(options);
    options.note(`${events} events`);
    const { timings, memory } = await filled(options);
    const slowest = (start: string) =>
      Math.max(...timings.filter(({ what }) => what.startsWith(start)).map((one) => one.slowestMs));
    const aims = [
      atMost('first page, slowest, ms', slowest('first page'), 50),
      atMost('text search, slowest, ms', slowest('search'), 500),
      atMost('runtime after the searches, MB', memory.searched, 200),
      atMost('runtime ten seconds later, MB', memory.later, 200),
      atMost('runtime at rest, MB', rest.memoryMb, 80),
      atMost('runtime at rest, % CPU', rest.cpuPercent, 0.2),
    ];
    const rows = timings.map(({ what, medianMs, slowestMs }) => [
      what,
      formatNumber(medianMs),
      formatNumber(slowestMs),
    ]);
    return {
      report: { measure: 'store', machine, events, timings, memory, rest, aims },
      text: [
        `store: ${events} events of one source, 1 KB each`,
        machineLine(machine),
        `over REST, ${times} times each; the memory is the resident memory of the runtime's process`,
        '',
        formatTable(['', 'median ms', 'slowest ms'], rows),
        '',
        `${formatNumber(memory.filled)} MB the moment the events were in`,
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

interface Rest {
  readonly memoryMb: number;
  readonly cpuPercent: number;
}

/** As the editor starts it; `weir serve` has the CLI in its process as well. */
async function atRest({ dist }: MeasureOptions): Promise<Rest> {
  const weir = await startAsEditor(dist);
  try {
    await weir.call('POST', 'sources', { component_path: peer('weir-source.mjs') });
    await pause(settleSeconds * 1000);
    const before = usageOfProcess(weir.pid);
    await pause(idleSeconds * 1000);
    const after = usageOfProcess(weir.pid);
    return {
      memoryMb: after.rssBytes / 2 ** 20,
      cpuPercent: (after.cpuMs - before.cpuMs) / (idleSeconds * 10),
    };
  } finally {
    await weir.stop();
  }
}

async function filled({ dist, profile, note }: MeasureOptions) {
  const weir = await startWeir({ dist, profile });
  try {
    const component_path = peer('emit-many.mjs');
    const made = (await weir.call('POST', 'sources', { component_path })) as {
      data: { id: string };
    };
    const source = `sources/${made.data.id}`;
    for (let from = 0; from < events; from += aRun) {
      await weir.call('POST', `${source}/invocations`, { event: { count: aRun, from } });
    }
    const full = memoryMb(weir);
    const list = `${source}/event_summaries`;
    const timings: Timing[] = [];
    const time = async (what: string, query: string, found: number) =>
      timings.push(await timed(weir, what, `${list}?${query}`, found));
    const searches = async (when: string) => {
      await time(`search, in every event${when}`, 'q=fragile&limit=100', 100);
      await time(`search, in one event${when}`, 'q=0000-000012345', 1);
      await time(`search, two words${when}`, 'q=order+77777', 1);
      await time(`search, in none${when}`, 'q=nowhere', 0);
    };
    await time('first page', 'limit=100', 100);
    await time('first page with payloads', 'limit=100&expand=event', 100);
    note('searching while the index is made');
    await searches(', index not made yet');
    note('waiting for the index');
    await settled(weir);
    await time('first page, index made', 'limit=100', 100);
    await searches('');
    const searched = memoryMb(weir);
    note('waiting until memory is given back');
    await pause(idleSeconds * 1000);
    return { timings, memory: { filled: full, searched, later: memoryMb(weir) } };
  } finally {
    await weir.stop();
  }
}

/** Until the runtime does nothing any more: the words of the events are in the index then. */
async function settled({ pid }: WeirProgram): Promise<void> {
  for (;;) {
    const before = usageOfProcess(pid).cpuMs;
    await pause(2000);
    if (usageOfProcess(pid).cpuMs - before < 20) return;
  }
}

function memoryMb({ pid }: WeirProgram): number {
  return usageOfProcess(pid).rssBytes / 2 ** 20;
}

async function timed(
  { call }: WeirProgram,
  what: string,
  path: string,
  found: number,
): Promise<Timing> {
  const all: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const startedAt = performance.now();
    const page = (await call('GET', path)) as { data: readonly unknown[] };
    all.push(performance.now() - startedAt);
    if (page.data.length !== found) {
      throw new Error(`${what}: ${page.data.length} events instead of ${found}.`);
    }
  }
  return { what, medianMs: median(all), slowestMs: Math.max(...all) };
}

function peer(name: string): string {
  return join(import.meta.dirname, '../peers', name);
}
