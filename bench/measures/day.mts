import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Sent, sendDay } from '../harness/day-load.mts';
import { readEvents } from '../harness/event-reader.mts';
import { formatNumber, formatTable } from '../harness/figures.mts';
import { bytesOf } from '../harness/folder-size.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { limitMemory } from '../harness/memory-limit.mts';
import { memoryOfTree, usageOfTree } from '../harness/process-tree.mts';
import { type Program, startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { addressIn, restClient } from '../peers/weir-program.mts';
import { atMost, formatAims, type Measure } from './measure.mts';

const memoryMb = 512;
/** In the mean of the day, from all senders together. */
const perSecond = 200;
/** What sends requests, each with its part of them. */
const shares = {
  orders: 0.4,
  payments: 0.15,
  stock: 0.1,
  returns: 0.1,
  reviews: 0.08,
  carts: 0.07,
  signups: 0.07,
  workflow: 0.03,
} as const;
/** Its events go to a webhook. */
const delivered = 'payments';
/** At its middle, when there is most to do. */
const killAtHour = 14;
/** `RestartSec` of deploy/weir.service. */
const restartMs = 2000;
const sampleMs = 2000;
/** Until streams and deliveries have caught up, at most. */
const catchUpMs = 120_000;

/** What one sender got, and what was found of it. */
interface Part {
  readonly name: string;
  readonly sent: number;
  readonly kept: number;
  readonly lost: number;
  /** Kept twice although their request was sent once. */
  readonly twice: number;
  readonly again: number;
}

export const day: Measure = {
  summary: `a day in 24 rounds (--seconds 150: in an hour) on a server with one core and ${memoryMb} MB, killed in the middle`,
  async run({ dist, seconds, note }) {
    const machine = describeMachine();
    const core = String(availableParallelism() - 1);
    // The senders leave the server its core.
    execFileSync('taskset', ['-acp', '0', String(process.pid)]);
    const limit = limitMemory(memoryMb);
    const folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    await mkdir(data);
    const receiver = await startReceiver();
    let port = 0;
    // As deploy/weir.service starts it; default retention.
    const start = () =>
      startProgram(
        [
          join(dist, 'cli.js'),
          'serve',
          '--data',
          data,
          '--port',
          String(port),
          '--trust-proxy',
          '--request-log',
          '-',
        ],
        { XDG_CONFIG_HOME: folder.path, MALLOC_TRIM_THRESHOLD_: String(128 * 1024) },
        120_000,
        [...(limit?.command ?? []), 'taskset', '-c', core],
      );
    let program: Program = await start();
    let isUp = true;
    let cpuBefore = 0;
    try {
      port = Number(new URL(program.url).port);
      const call = restClient(await addressIn(data));
      const sources = Object.keys(shares).filter((name) => name !== 'workflow');
      const urls = new Map<string, string>();
      const ids = new Map<string, string>();
      for (const name of sources) {
        const { id, endpoint_url } = await deploySource(call, folder.path, name);
        urls.set(name, endpoint_url);
        ids.set(name, id);
      }
      urls.set('workflow', await deployWorkflow(call, folder.path));
      await deployTimer(call, folder.path, seconds);
      const { data: hook } = (await call('POST', 'webhooks', {
        url: receiver.url,
        name: 'Receiver',
      })) as { data: { id: string } };
      await call('POST', 'subscriptions', {
        emitter_id: ids.get(delivered),
        listener_id: hook.id,
      });
      const readers = new Map(
        [...ids].map(([name, id]) => [name, readEvents(() => addressIn(data), id)]),
      );
      await pause(1000);

      let peakMb = 0;
      let peakDiskMb = 0;
      let cpuMs = 0;
      const first = usageOfTree(program.pid).cpuMs;
      const sample = (): void => {
        if (!isUp) return;
        peakMb = Math.max(peakMb, memoryOfTree(program.pid) / 1e6);
        cpuMs = usageOfTree(program.pid).cpuMs;
      };
      const watching = setInterval(sample, sampleMs);
      const begun = performance.now();
      let hour = 0;
      const byHour: { hour: number; diskMb: number; memoryMb: number; corePercent: number }[] = [];
      let cpuAtHour = first;
      const hourly = setInterval(() => {
        hour += 1;
        void bytesOf(data).then((bytes) => {
          const diskMb = bytes / 1e6;
          peakDiskMb = Math.max(peakDiskMb, diskMb);
          const cpu = cpuBefore + cpuMs;
          const corePercent = (cpu - cpuAtHour) / seconds / 10;
          cpuAtHour = cpu;
          byHour.push({
            hour,
            diskMb,
            memoryMb: isUp ? memoryOfTree(program.pid) / 1e6 : 0,
            corePercent,
          });
          note(
            `hour ${hour}: ${formatNumber(diskMb)} MB on disk, at most ${formatNumber(peakMb)} MB of memory, ${formatNumber(corePercent)} % of the core`,
          );
        });
      }, seconds * 1000);

      let backAfterMs = 0;
      const kill = async (): Promise<void> => {
        await pause(killAtHour * seconds * 1000);
        sample();
        isUp = false;
        cpuBefore += cpuMs;
        cpuMs = 0;
        const killedAt = performance.now();
        await program.stop('SIGKILL');
        await pause(restartMs);
        program = await start();
        isUp = true;
        backAfterMs = performance.now() - killedAt;
        note(`killed, and back after ${formatNumber(backAfterMs)} ms`);
      };
      const requests = perSecond * seconds * 24;
      const results = new Map<string, Sent>();
      await Promise.all([
        kill(),
        ...Object.entries(shares).map(async ([name, share], sender) => {
          const check = name === 'workflow' ? checkAnswer : undefined;
          const url = urls.get(name) ?? '';
          results.set(
            name,
            await sendDay(url, sender, Math.round(requests * share), seconds, check),
          );
        }),
      ]);
      const tookSeconds = (performance.now() - begun) / 1000;
      clearInterval(hourly);
      const sentTo = (name: string) => results.get(name)?.requests ?? 0;
      const caughtUp = () =>
        receiver.times.size === sentTo(delivered) &&
        [...readers].every(([name, { times }]) => times.size === sentTo(name));
      for (let waited = 0; !caughtUp() && waited < catchUpMs; waited += 500) await pause(500);
      sample();
      clearInterval(watching);
      for (const reader of readers.values()) reader.stop();

      const parts = [
        ...[...readers].map(([name, { times }]) => partOf(name, results.get(name), times)),
        partOf(`${delivered}, at the webhook`, results.get(delivered), receiver.times),
      ];
      const total = (key: 'sent' | 'kept' | 'lost' | 'twice' | 'again') =>
        parts.slice(0, -1).reduce((sum, part) => sum + part[key], 0);
      const executions = sentTo('workflow');
      const all = [...results.values()].reduce((sum, one) => sum + one.requests, 0);
      const latencies = Float64Array.from(
        [...results.values()].flatMap((one) => [...one.latencies]),
      ).sort();
      const p = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
      const kept: number[] = [];
      const again = restClient(await addressIn(data));
      for (const id of ids.values()) {
        const { page_info } = (await again('GET', `sources/${id}/event_summaries?limit=1`)) as {
          page_info: { total_count: number };
        };
        kept.push(page_info.total_count);
      }
      const endedByLimit = limit?.killed() ?? 0;
      const cpuAll = cpuBefore + cpuMs - first;
      await program.stop();
      isUp = false;
      const diskMb = (await bytesOf(data)) / 1e6;
      const log = await readLog(join(data, 'logs'));
      const errors = log.filter((line) => / error /.test(line));
      const warnings = log.filter((line) => / warn /.test(line));
      const lost = parts.reduce((sum, part) => sum + part.lost, 0);
      const aims = [
        atMost('acknowledged events that are lost', lost, 0),
        atMost('events kept twice that were sent once', total('twice'), 0),
        atMost('memory at its highest, MB', peakMb, memoryMb),
        atMost('processes ended by the limit of memory', endedByLimit, 0),
        atMost('lines in the log of level error', errors.length, 0),
      ];
      const rows = [
        ['requests', all.toLocaleString('en-US')],
        ['seconds', formatNumber(tookSeconds)],
        ['events acknowledged', total('sent').toLocaleString('en-US')],
        ['events kept, each once', total('kept').toLocaleString('en-US')],
        ['lost', String(lost)],
        ['sent again after the kill', String(total('again'))],
        ['kept twice though sent once', String(total('twice'))],
        ['deliveries to the webhook', sentTo(delivered).toLocaleString('en-US')],
        ['of them twice, with the same webhook-id', String(receiver.twice())],
        ['executions of three steps, answered', executions.toLocaleString('en-US')],
        ['memory at its highest, MB', formatNumber(peakMb)],
        [
          'processes ended by the limit',
          limit === undefined ? 'no limit here' : String(endedByLimit),
        ],
        ['CPU of a request, µs', formatNumber((cpuAll / all) * 1000)],
        ['of the core, %', formatNumber(cpuAll / tookSeconds / 10)],
        ['answer p50, ms', formatNumber(p(0.5))],
        ['answer p99, ms', formatNumber(p(0.99))],
        ['from the kill to serving again, s', formatNumber(backAfterMs / 1000)],
        [
          'events kept at the end, of one source at most',
          Math.max(...kept).toLocaleString('en-US'),
        ],
        ['data folder at its largest, MB', formatNumber(peakDiskMb)],
        ['data folder at the end, MB', formatNumber(diskMb)],
        ['errors in the log', String(errors.length)],
        ['warnings in the log', String(warnings.length)],
      ];
      const figures = {
        all,
        tookSeconds,
        parts,
        executions,
        peakMb,
        isLimited: limit !== undefined,
        endedByLimit,
        cpuMs: cpuAll,
        p50Ms: p(0.5),
        p99Ms: p(0.99),
        backAfterMs,
        kept,
        peakDiskMb,
        diskMb,
        errors,
        warnings,
        byHour,
      };
      return {
        report: { measure: 'day', machine, figures, aims },
        text: [
          `day: ${perSecond} requests/s in the mean, ${formatNumber(seconds)} s for an hour of it`,
          machineLine(machine),
          limit === undefined
            ? 'memory was not limited, as cgroups cannot be made here; a page that processes share counted once'
            : `one core, ${memoryMb} MB with the page cache by a limit of the kernel; memory without it, a page that processes share counted once`,
          '',
          formatTable(['', ''], rows),
          '',
          formatTable(
            ['', 'sent', 'kept', 'lost', 'again', 'twice'],
            parts.map((part) => [
              part.name,
              ...[part.sent, part.kept, part.lost, part.again, part.twice].map(String),
            ]),
          ),
          '',
          ...errors,
          ...warnings.slice(0, 10),
          formatAims(aims),
        ].join('\n'),
      };
    } finally {
      receiver.close();
      if (isUp) await program.stop();
      limit?.remove();
      await folder.remove();
    }
  },
};

function partOf(name: string, sent: Sent | undefined, times: ReadonlyMap<number, number>): Part {
  const { requests = 0, again = new Set<number>() } = sent ?? {};
  return {
    name,
    sent: requests,
    kept: times.size,
    lost: Array.from({ length: requests }, (_, n) => n).filter((n) => !times.has(n)).length,
    twice: [...times].filter(([n, count]) => count > 1 && !again.has(n)).length,
    again: again.size,
  };
}

type Call = ReturnType<typeof restClient>;

async function deploySource(call: Call, folder: string, name: string) {
  const file = join(folder, `${name}.mjs`);
  await writeFile(
    file,
    `export default { name: '${name}', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body, { summary: body.id }) } };`,
  );
  const { data } = (await call('POST', 'sources', { component_path: file })) as {
    data: { id: string; endpoint_url: string };
  };
  return data;
}

/** One that ticks once an hour of the day. */
async function deployTimer(call: Call, folder: string, hourSeconds: number): Promise<void> {
  const file = join(folder, 'hourly.mjs');
  await writeFile(
    file,
    `export default { name: 'hourly', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: ${Math.ceil(hourSeconds)} } } }, run() { this.$emit({ at: Date.now() }) } };`,
  );
  await call('POST', 'sources', { component_path: file });
}

/** Two steps that look at the order, and one that answers with what they found. */
async function deployWorkflow(call: Call, folder: string): Promise<string> {
  const path = join(folder, 'workflow');
  const steps = {
    order:
      'return { id: steps.trigger.event.body.id, items: steps.trigger.event.body.data.items };',
    total:
      'return steps.order.$return_value.items.reduce((sum, one) => sum + one.quantity * one.price, 0);',
    answer:
      'await $.respond({ status: 200, body: { id: steps.order.$return_value.id, total: steps.total.$return_value } });',
  };
  for (const [name, run] of Object.entries(steps)) {
    await mkdir(join(path, name), { recursive: true });
    await writeFile(
      join(path, name, 'entry.js'),
      `export default defineComponent({ async run({ steps, $ }) { ${run} } });\n`,
    );
  }
  const listed = Object.keys(steps).map(
    (name) => `  - namespace: ${name}\n    uses: ./${name}/entry.js\n`,
  );
  await writeFile(
    join(path, 'workflow.yaml'),
    `schema: workflow/2022.04\nname: Totals\ntriggers:\n  - uses: $.interface.http\n    props:\n      response: workflow\nsteps:\n${listed.join('')}`,
  );
  const { data } = (await call('POST', 'workflows', { workflow_path: path })) as {
    data: { triggers: readonly { endpoint_url: string }[] };
  };
  const url = data.triggers[0]?.endpoint_url;
  if (url === undefined) throw new Error('The workflow has no endpoint.');
  return url;
}

/** 1 × 19.99 + 2 × 19.99 + … + 6 × 19.99. */
function checkAnswer(id: string, text: string): void {
  const body = JSON.parse(text) as { id: string; total: number };
  if (body.id !== id || Math.abs(body.total - 21 * 19.99) > 0.001)
    throw new Error(`The workflow answered ${text} to ${id}.`);
}

/** A webhook's receiver, which counts how often each event came. */
async function startReceiver() {
  const times = new Map<number, number>();
  const webhookIds = new Map<string, number>();
  const server = createServer((request, response) => {
    const webhookId = String(request.headers['webhook-id']);
    webhookIds.set(webhookId, (webhookIds.get(webhookId) ?? 0) + 1);
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const number = Number(/"id":"\d{4}-(\d{9})"/.exec(text)?.[1]);
      times.set(number, (times.get(number) ?? 0) + 1);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    times,
    twice: () => [...webhookIds.values()].filter((count) => count > 1).length,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readLog(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('runtime.log'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n'));
}
