import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { formatNumber, formatTable } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { usageOfTree } from '../harness/process-tree.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { addressIn, restClient, serve } from '../peers/weir-program.mts';
import { atMost, formatAims, type Measure } from './measure.mts';

const count = 10_000;
/** Paused before the memory is measured, so that what grows once has grown. */
const warmUp = 2000;
const idleSeconds = 20;
const hourMs = 3_600_000;
const callsAtOnce = 32;
/** Until the workflow's process has ended, and memory that is not needed was given back. */
const settledMs = 45_000;
/** A pause is due so long after the time that its step asked for, at most: from its clock to the runtime's. */
const jitterMs = 50;
/** From the first call to the time when the first is due: all must be paused by then. */
const leadMs = 150_000;

/** Waits until the time that the event names; then emits it, one execution after the other. */
const steps = {
  wait: `await $.flow.delay(Math.max(1, steps.trigger.event.query.due - Date.now()));`,
  tell: `$.send.emit({ raw_event: { due: Number(steps.trigger.event.query.due), at: Date.now() } });`,
};

interface Told {
  readonly due: number;
  readonly at: number;
}

export const paused: Measure = {
  summary: `${count} executions that wait: what they cost, and how they go on when all are overdue at the start`,
  async run({ dist, profile, note }) {
    const machine = describeMachine();
    const folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    await mkdir(data);
    try {
      const waiting = await measureWaiting(data, folder.path, { dist, profile }, note);
      note('all of them overdue');
      const overdue = await measureOverdue(data, { dist, profile }, waiting.lastDue);
      const aims = [
        atMost('CPU while they wait, % of a core', waiting.cpuPercent, 0.1),
        atMost('memory of one that waits, KB', waiting.kilobytesEach, 1),
        atMost('start to the first leg of those overdue, ms', overdue.firstMs, 2000),
        atMost('legs that went before one due earlier', overdue.outOfOrder, 0),
        atMost('executions lost', count - overdue.told, 0),
      ];
      const rows = [
        ['memory before, MB', formatNumber(waiting.before / 1e6)],
        ['memory with them, MB', formatNumber(waiting.after / 1e6)],
        ['all legs done after, s', formatNumber(overdue.lastMs / 1000)],
      ];
      return {
        report: { measure: 'paused', machine, waiting, overdue, aims },
        text: [
          `paused: ${count} executions that wait`,
          machineLine(machine),
          `memory and CPU time of the whole process tree, its workflow's process ended`,
          '',
          formatTable(['', ''], rows),
          '',
          formatAims(aims),
        ].join('\n'),
      };
    } finally {
      await folder.remove();
    }
  },
};

interface Build {
  readonly dist: string;
  readonly profile: string | undefined;
}

async function measureWaiting(
  data: string,
  folder: string,
  build: Build,
  note: (line: string) => void,
) {
  const program = await serve(data, build);
  try {
    const { call, url, id } = await deploy(data, folder);
    note(`${warmUp} that wait, as a start`);
    await start(url, warmUp, () => Date.now() + hourMs);
    await allWait(call, id);
    await pause(settledMs);
    const before = usageOfTree(program.pid).rssBytes;
    note(`${count} that wait`);
    const firstDue = Date.now() + leadMs;
    // In an order of their own, so that the order in which they came does not do.
    await start(url, count, (index) => firstDue + ((index * 7919) % count));
    await allWait(call, id);
    await pause(settledMs);
    const { rssBytes: after, cpuMs } = usageOfTree(program.pid);
    await pause(idleSeconds * 1000);
    const spent = usageOfTree(program.pid).cpuMs - cpuMs;
    if (Date.now() > firstDue) throw new Error('Some went on before all was measured.');
    return {
      before,
      after,
      kilobytesEach: (after - before) / 1024 / count,
      cpuPercent: spent / idleSeconds / 10,
      lastDue: firstDue + count,
    };
  } finally {
    await program.stop();
  }
}

async function measureOverdue(data: string, build: Build, lastDue: number) {
  await pause(Math.max(0, lastDue - Date.now()) + 1000);
  const program = await serve(data, build);
  const startedAt = Date.now();
  try {
    const call = restClient(await addressIn(data));
    const { data: workflows } = (await call('GET', 'workflows')) as {
      data: readonly { id: string }[];
    };
    const id = workflows[0]?.id ?? '';
    const found = await allTold(call, id);
    let latest = 0;
    const outOfOrder = found.filter(({ due }) => {
      latest = Math.max(latest, due);
      return due < latest - jitterMs;
    }).length;
    return {
      told: found.length,
      firstMs: (found[0]?.at ?? Number.NaN) - startedAt,
      lastMs: (found.at(-1)?.at ?? Number.NaN) - startedAt,
      outOfOrder,
    };
  } finally {
    await program.stop();
  }
}

type Call = ReturnType<typeof restClient>;

async function deploy(data: string, folder: string) {
  const path = join(folder, 'workflow');
  for (const [name, run] of Object.entries(steps)) {
    await mkdir(join(path, name), { recursive: true });
    const code = `export default defineComponent({ async run({ steps, $ }) { ${run} } });\n`;
    await writeFile(join(path, name, 'entry.js'), code);
  }
  await writeFile(
    join(path, 'workflow.yaml'),
    `schema: workflow/2022.04
name: Paused
settings:
  concurrency:
    workers: 1
  queue_size: 10000
triggers:
  - uses: $.interface.http
    props:
      response: default
steps:
  - namespace: wait
    uses: ./wait/entry.js
  - namespace: tell
    uses: ./tell/entry.js
`,
  );
  const call = restClient(await addressIn(data));
  const { data: deployed } = (await call('POST', 'workflows', { workflow_path: path })) as {
    data: { id: string; triggers: readonly { endpoint_url: string }[] };
  };
  return { call, id: deployed.id, url: deployed.triggers[0]?.endpoint_url ?? '' };
}

async function start(url: string, many: number, due: (index: number) => number): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < many) {
      const index = next;
      next += 1;
      const answer = await fetch(`${url}?due=${due(index)}`, { method: 'POST', body: 'x' });
      if (!answer.ok) throw new Error(`An execution was not started: ${answer.status}`);
      await answer.text();
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, caller));
}

/** The newest is the last that begins. */
async function allWait(call: Call, id: string): Promise<void> {
  for (;;) {
    const { data } = (await call('GET', `workflows/${id}/executions?limit=100`)) as {
      data: readonly { status: string }[];
    };
    if (data.every(({ status }) => status === 'paused')) return;
    await pause(200);
  }
}

/** What those that were overdue emitted, in order. */
async function allTold(call: Call, id: string): Promise<Told[]> {
  for (;;) {
    const found = await emitted(call, id);
    if (found.length >= count) return found;
    await pause(1000);
  }
}

async function emitted(call: Call, id: string): Promise<Told[]> {
  const found: Told[] = [];
  let after = '';
  for (;;) {
    const page = (await call(
      'GET',
      `workflows/${id}/event_summaries?limit=100&expand=event${after}`,
    )) as {
      data: readonly { event: { raw_event: Told } }[];
      page_info: { end_cursor: string | null; count: number };
    };
    found.push(...page.data.map(({ event }) => event.raw_event));
    const { end_cursor: cursor } = page.page_info;
    if (page.data.length < 100 || cursor === null) return found.toReversed();
    after = `&after=${encodeURIComponent(cursor)}`;
  }
}
