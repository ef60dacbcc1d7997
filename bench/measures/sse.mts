import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { type Helper, startHelper } from '../harness/helper.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { postPaced } from '../harness/paced.mts';
import { usageOfTree } from '../harness/process-tree.mts';
import { startProgram } from '../harness/program.mts';
import type { Seen } from '../peers/sse-readers.mts';
import { startWeir } from '../peers/weir-program.mts';
import { atMost, formatAims, type Measure, type MeasureOptions } from './measure.mts';

const readers = 100;
/** The same for both, and well below what either can do: what counts is the CPU time of a message. */
const eventsASecond = 200;
const longestWaitMs = 60_000;
/** Until the code of both is compiled: what V8 does for that is not a cost of a message. */
const warmUpSeconds = 10;

interface Round {
  /** CPU time of the sender's process tree per message, in µs; an event is one message per reader. */
  readonly cpuMicros: number;
  /** After the last answer, until the last reader had the last message. */
  readonly behindMs: number;
}

export const sse: Measure = {
  summary: '100 readers follow the events of one source',
  async run(options) {
    const machine = describeMachine();
    const bare: Round[] = [];
    const weir: Round[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      options.note(`round ${round} of ${options.rounds}: bare SSE`);
      bare.push(await bareRound(options));
      options.note(`round ${round} of ${options.rounds}: Weir`);
      weir.push(await weirRound(options));
    }
    const ratio = median(
      weir.map(({ cpuMicros }, index) => cpuMicros / (bare[index]?.cpuMicros ?? Number.NaN)),
    );
    const aims = [atMost('CPU per message ÷ bare SSE', ratio, 2)];
    const row = (name: string, rounds: readonly Round[], beside: number) => [
      name,
      formatNumber(median(rounds.map(({ cpuMicros }) => cpuMicros))),
      formatNumber(beside),
      formatNumber(median(rounds.map(({ behindMs }) => behindMs))),
    ];
    const head = ['sender', 'CPU µs per message', '× bare', 'ms until all had the last'];
    return {
      report: { measure: 'sse', machine, readers, eventsASecond, bare, weir, ratio, aims },
      text: [
        'sse: one source, many readers',
        machineLine(machine),
        `${readers} readers, ${eventsASecond} events of 1 KB a second, ${options.rounds} × ${options.seconds} s, interleaved, median of rounds`,
        'Every reader of both saw every event once, all in the same order; otherwise there is no result.',
        '',
        formatTable(head, [row('bare SSE', bare, 1), row('Weir', weir, ratio)]),
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

async function bareRound({ seconds }: MeasureOptions): Promise<Round> {
  const program = await startProgram([join(import.meta.dirname, '../peers/sse-broadcast.mjs')]);
  const audience = await startHelper('peers/sse-readers.mts', [program.url, String(readers)]);
  try {
    return await measure(program.pid, program.url, audience, seconds);
  } finally {
    audience.stop();
    await program.stop();
  }
}

async function weirRound({ seconds, dist, profile }: MeasureOptions): Promise<Round> {
  const weir = await startWeir({ dist, profile });
  let audience: Helper | undefined;
  try {
    const component_path = join(import.meta.dirname, '../peers/weir-source.mjs');
    const source = (await weir.call('POST', 'sources', { component_path })) as {
      data: { id: string; endpoint_url: string };
    };
    const { id, endpoint_url } = source.data;
    const stream = new URL(`/v1/sources/${id}/sse`, weir.url).href;
    audience = await startHelper('peers/sse-readers.mts', [stream, String(readers), weir.apiKey]);
    return await measure(weir.pid, endpoint_url, audience, seconds);
  } finally {
    audience?.stop();
    await weir.stop();
  }
}

async function measure(
  pid: number,
  url: string,
  audience: Helper,
  seconds: number,
): Promise<Round> {
  const warm = await postPaced(url, eventsASecond, warmUpSeconds);
  await allSaw(audience, warm);
  const before = usageOfTree(pid);
  const count = await postPaced(url, eventsASecond, seconds);
  const answeredAt = performance.now();
  await allSaw(audience, warm + count);
  const { cpuMs } = usageOfTree(pid);
  return {
    cpuMicros: ((cpuMs - before.cpuMs) * 1000) / (count * readers),
    behindMs: performance.now() - answeredAt,
  };
}

/** Throws when an event is lost, comes twice, or the readers saw different things. */
async function allSaw(audience: Helper, count: number): Promise<void> {
  const until = performance.now() + longestWaitMs;
  for (;;) {
    const seen = await audience.ask<Seen>({});
    if (seen.most > count) throw new Error(`A reader saw ${seen.most} of ${count} events.`);
    if (seen.fewest === count) {
      if (seen.different > 0) throw new Error(`${seen.different} readers saw another order.`);
      return;
    }
    if (performance.now() > until)
      throw new Error(`A reader saw ${seen.fewest} of ${count} events.`);
    await pause(10);
  }
}
