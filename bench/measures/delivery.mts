import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { startHelper } from '../harness/helper.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { usageOfTree } from '../harness/process-tree.mts';
import type { Received } from '../peers/targets.mts';
import type { SendRequest, SendResult } from '../peers/undici-sender.mts';
import { startWeir } from '../peers/weir-program.mts';
import { atLeast, formatAims, type Measure, type MeasureOptions } from './measure.mts';

const targetCounts = [1, 100];
/** For one second of `--seconds`: a fixed number for both, so that neither stops in the middle. */
const deliveriesASecond = 2000;
/** Until the code of both is compiled. */
const warmUpDeliveries = 10_000;
const pollMs = 20;

interface Round {
  readonly perSecond: number;
  /** CPU time of the sender's process tree per delivery, in µs. Weir's emits the events as well. */
  readonly cpuMicros: number;
}

interface Comparison {
  readonly targets: number;
  readonly deliveries: number;
  readonly bare: Round;
  readonly weir: Round;
  /** Median of the ratios within a round. */
  readonly ratio: Round;
}

export const delivery: Measure = {
  summary: 'events go out to webhooks, with every attempt kept',
  async run(options) {
    const machine = describeMachine();
    const comparisons: Comparison[] = [];
    for (const targets of targetCounts) comparisons.push(await compare(targets, options));
    const aims = comparisons.map(({ targets, ratio }) =>
      atLeast(`deliveries/s ÷ bare undici, ${targets} target(s)`, ratio.perSecond, 0.4),
    );
    const rows = comparisons.flatMap(({ targets, bare, weir, ratio }) => [
      row(targets, 'undici request', bare, { perSecond: 1, cpuMicros: 1 }),
      row(targets, 'Weir', weir, ratio),
    ]);
    const head = ['sender', 'targets', 'deliveries/s', '× undici', 'CPU µs', '× undici'];
    return {
      report: { measure: 'delivery', machine, comparisons, aims },
      text: [
        'delivery: from a stored event to a kept attempt',
        machineLine(machine),
        `1 KB of JSON, one in flight per target, ${options.rounds} rounds interleaved, median of rounds`,
        '',
        formatTable(head, rows),
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

function row(targets: number, sender: string, round: Round, ratio: Round): string[] {
  const { perSecond, cpuMicros } = round;
  const figures = [perSecond, ratio.perSecond, cpuMicros, ratio.cpuMicros].map(formatNumber);
  return [sender, String(targets), ...figures];
}

async function compare(targets: number, options: MeasureOptions): Promise<Comparison> {
  const { rounds, seconds, note } = options;
  const each = Math.ceil((deliveriesASecond * seconds) / targets);
  const bare: Round[] = [];
  const weir: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    note(`round ${round} of ${rounds}: undici, ${targets} target(s)`);
    bare.push(await bareRound(targets, each));
    note(`round ${round} of ${rounds}: Weir, ${targets} target(s)`);
    weir.push(await weirRound(targets, each, options));
  }
  const middle = (all: readonly Round[], key: keyof Round) => median(all.map((one) => one[key]));
  const summary = (all: readonly Round[]): Round => ({
    perSecond: middle(all, 'perSecond'),
    cpuMicros: middle(all, 'cpuMicros'),
  });
  const ratios = weir.map((one, index) => ({
    perSecond: one.perSecond / (bare[index]?.perSecond ?? Number.NaN),
    cpuMicros: one.cpuMicros / (bare[index]?.cpuMicros ?? Number.NaN),
  }));
  return {
    targets,
    deliveries: each * targets,
    bare: summary(bare),
    weir: summary(weir),
    ratio: summary(ratios),
  };
}

async function bareRound(targets: number, each: number): Promise<Round> {
  const receiver = await startHelper('peers/targets.mts', [String(targets)]);
  const sender = await startHelper('peers/undici-sender.mts');
  try {
    const { urls } = await receiver.ask<Received>({});
    await sender.ask<SendResult>({
      urls,
      each: Math.ceil(warmUpDeliveries / targets),
    } satisfies SendRequest);
    const before = usageOfTree(sender.pid);
    const { elapsedMs } = await sender.ask<SendResult>({ urls, each } satisfies SendRequest);
    return rate(each * targets, elapsedMs, usageOfTree(sender.pid).cpuMs - before.cpuMs);
  } finally {
    sender.stop();
    receiver.stop();
  }
}

/** From the first delivery that arrives to the last attempt on disk. */
async function weirRound(
  targets: number,
  each: number,
  { dist, profile }: MeasureOptions,
): Promise<Round> {
  const receiver = await startHelper('peers/targets.mts', [String(targets)]);
  const weir = await startWeir({ dist, profile });
  try {
    const component_path = join(import.meta.dirname, '../peers/emit-many.mjs');
    const source = (await weir.call('POST', 'sources', { component_path })) as Data<{ id: string }>;
    const emitter_id = source.data.id;
    const { urls } = await receiver.ask<Received>({});
    for (const url of urls) {
      const made = (await weir.call('POST', 'webhooks', { url })) as Data<{ id: string }>;
      await weir.call('POST', 'subscriptions', { emitter_id, listener_id: made.data.id });
    }
    const delivered = async (count: number, arrived: number) => {
      // Asking Weir costs it time; the receiver is asked until all is there.
      while ((await receiver.ask<Received>({})).count < arrived) await pause(pollMs);
      for (;;) {
        const query = 'deliveries?status=delivered&limit=1';
        const page = (await weir.call('GET', query)) as { page_info: { total_count: number } };
        if (page.page_info.total_count >= count) break;
        await pause(pollMs);
      }
      // A read may see what is not synced yet; a write is answered when all before it is on disk.
      await weir.call('DELETE', `sources/${emitter_id}/events?end_id=0-0`);
    };
    const emit = (count: number) =>
      weir.call('POST', `sources/${emitter_id}/invocations`, { event: { count } });

    const warmUp = Math.ceil(warmUpDeliveries / targets);
    await emit(warmUp);
    await delivered(warmUp * targets, warmUp * targets);
    await receiver.ask({ reset: true });
    const before = usageOfTree(weir.pid);
    await emit(each);
    await delivered((warmUp + each) * targets, each * targets);
    const endedAt = performance.timeOrigin + performance.now();
    const { cpuMs } = usageOfTree(weir.pid);
    const { count, firstAt } = await receiver.ask<Received>({});
    if (count !== each * targets) {
      throw new Error(`${count} deliveries arrived instead of ${each * targets}.`);
    }
    return rate(count, endedAt - firstAt, cpuMs - before.cpuMs);
  } finally {
    await weir.stop();
    receiver.stop();
  }
}

interface Data<T> {
  readonly data: T;
}

function rate(count: number, elapsedMs: number, cpuMs: number): Round {
  return { perSecond: (count * 1000) / elapsedMs, cpuMicros: (cpuMs * 1000) / count };
}
