import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { startHelper } from '../harness/helper.mts';
import type { Phase, PhaseRequest } from '../harness/load.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { usageOfTree } from '../harness/process-tree.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import type { Peer } from '../peers/peers.mts';
import { startWeir } from '../peers/weir-program.mts';
import { workflowEngines } from '../peers/workflow-engines.mts';
import { atLeast, atMost, formatAims, type Measure, type MeasureOptions } from './measure.mts';

const steps = 3;
/** Executions at once, and the one after the other of a single caller. */
const connections = [64, 1] as const;
const warmUpSeconds = 3;

interface Round {
  /** Requests a second, each a whole execution. */
  readonly perSecond: number;
  /** CPU time of the process tree per request, in µs. */
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What is measured, on a fresh store. */
interface Subject {
  readonly name: string;
  readonly warmUpSeconds: number;
  start(options: MeasureOptions): Promise<Running>;
}

interface Running {
  readonly url: string;
  /** Root of the process tree that is measured. */
  readonly pid: number;
  stop(): Promise<void>;
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

/** @param deploy resolves with where it is called */
function inWeir(name: string, deploy: (call: Call, folder: string) => Promise<string>): Subject {
  return {
    name,
    warmUpSeconds,
    async start({ dist, profile }) {
      const folder = await temporaryFolder();
      const weir = await startWeir({ dist, profile });
      const stop = async () => {
        await weir.stop();
        await folder.remove();
      };
      try {
        return { pid: weir.pid, url: await deploy(weir.call, folder.path), stop };
      } catch (error) {
        await stop();
        throw error;
      }
    },
  };
}

/** A durable event: the yardstick of the same run. */
const event = inWeir('HTTP event', async (call) => {
  const component_path = join(import.meta.dirname, '../peers/weir-source.mjs');
  const { data } = (await call('POST', 'sources', { component_path })) as {
    data: { endpoint_url: string };
  };
  return data.endpoint_url;
});

/** Every step returns nothing, and the last one answers: what is left is what Weir costs. */
const workflow = inWeir(`workflow of ${steps} steps`, async (call, folder) => {
  const path = join(folder, 'workflow');
  const names = Array.from({ length: steps }, (_, index) => `step_${index + 1}`);
  for (const name of names) {
    await mkdir(join(path, name), { recursive: true });
    const run =
      name === names.at(-1) ? `await $.respond({ status: 200, body: 'ok' });` : 'return undefined;';
    await writeFile(
      join(path, name, 'entry.js'),
      `export default defineComponent({ async run({ steps, $ }) { ${run} } });\n`,
    );
  }
  const listed = names.map((name) => `  - namespace: ${name}\n    uses: ./${name}/entry.js\n`);
  await writeFile(
    join(path, 'workflow.yaml'),
    `schema: workflow/2022.04\nname: Bench\nsettings:\n  concurrency:\n    workers: 64\n  queue_size: 10000\ntriggers:\n  - uses: $.interface.http\n    props:\n      response: workflow\nsteps:\n${listed.join('')}`,
  );
  const { data } = (await call('POST', 'workflows', { workflow_path: path })) as {
    data: { triggers: readonly { endpoint_url: string }[] };
  };
  const url = data.triggers[0]?.endpoint_url;
  if (url === undefined) throw new Error('The workflow has no endpoint.');
  return url;
});

export const workflows: Measure = {
  summary: 'a request runs a workflow of three steps, each of them on disk before the next',
  async run(options) {
    const { rounds, note } = options;
    const machine = describeMachine();
    const { engines, absent } = await enginesThatRun(options);
    const found = new Map<string, Round[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const count of connections) {
        for (const subject of [event, workflow, ...engines]) {
          note(`round ${round} of ${rounds}: ${subject.name}, ${count} at once`);
          const key = keyOf(subject, count);
          found.set(key, [...(found.get(key) ?? []), await measure(subject, count, options)]);
        }
      }
    }
    const of = (subject: Subject, count: number, field: keyof Round): number[] =>
      (found.get(keyOf(subject, count)) ?? []).map((one) => one[field]);
    /** Of the workflow beside another in the same round, 64 at once. */
    const ratio = (field: keyof Round, beside: Subject, per: number) =>
      median(
        of(workflow, 64, field).map(
          (value, index) => (value * per) / (of(beside, 64, field)[index] ?? Number.NaN),
        ),
      );
    const added = (field: keyof Round): number =>
      (median(of(workflow, 1, field)) - median(of(event, 1, field))) / steps;
    const aims = [
      atMost('CPU per step ÷ durable event', ratio('cpuMicros', event, 1 / steps), 1.5),
      atLeast('steps/s ÷ events/s', ratio('perSecond', event, steps), 0.7),
      ...engines.flatMap((engine) => {
        const { cpu, perSecond } = engineAims[engine.name] ?? {};
        return [
          ...(cpu === undefined
            ? []
            : [atMost(`CPU per step ÷ ${engine.name}`, ratio('cpuMicros', engine, 1), cpu)]),
          ...(perSecond === undefined
            ? []
            : [atLeast(`steps/s ÷ ${engine.name}`, ratio('perSecond', engine, 1), perSecond)]),
        ];
      }),
      atMost('added per step, one at a time, p50 in ms', added('p50Ms'), 0.9),
      atMost('added per step, one at a time, p99 in ms', added('p99Ms'), 4),
      atMost('HTTP to answer, one at a time, p50 in ms', median(of(workflow, 1, 'p50Ms')), 5),
      atMost('HTTP to answer, one at a time, p99 in ms', median(of(workflow, 1, 'p99Ms')), 12),
    ];
    const rows = connections.flatMap((count) =>
      [event, workflow, ...engines].map((subject) => [
        subject.name,
        String(count),
        ...(['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms'] as const).map((field) =>
          formatNumber(median(of(subject, count, field))),
        ),
      ]),
    );
    const head = ['what', 'at once', 'requests/s', 'CPU µs each', 'p50 ms', 'p99 ms'];
    return {
      report: { measure: 'workflows', machine, absent, rounds: Object.fromEntries(found), aims },
      text: [
        'workflows: from a request through three durable steps to its answer',
        machineLine(machine),
        `1 KB of JSON, ${rounds} rounds interleaved, median of rounds`,
        ...absent,
        '',
        formatTable(head, rows),
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

/** What the CPU of a step, and steps a second, are to be beside an engine's. */
const engineAims: Readonly<Record<string, { readonly cpu?: number; readonly perSecond?: number }>> =
  {
    Restate: { cpu: 0.15, perSecond: 5 },
    DBOS: { cpu: 0.08, perSecond: 10 },
    n8n: { perSecond: 30 },
  };

/** Those that start here; of the others, what is wrong with them. */
async function enginesThatRun({ only, note }: MeasureOptions): Promise<{
  readonly engines: readonly Subject[];
  readonly absent: readonly string[];
}> {
  const wanted = workflowEngines.filter(
    ({ name }) => only === undefined || only.some((part) => name.toLowerCase().includes(part)),
  );
  const engines: Subject[] = [];
  const absent: string[] = [];
  for (const peer of wanted) {
    note(`does ${peer.name} start?`);
    try {
      await (await peer.start()).stop();
      engines.push(subjectOf(peer));
    } catch (error) {
      absent.push(`${peer.name} is missing: ${String(error)}`);
    }
  }
  return { engines, absent };
}

function subjectOf(peer: Peer): Subject {
  return { name: peer.name, warmUpSeconds: 5, start: () => peer.start() };
}

const keyOf = (subject: Subject, count: number) => `${subject.name}, ${count} at once`;

async function measure(subject: Subject, count: number, options: MeasureOptions): Promise<Round> {
  const running = await subject.start(options);
  try {
    const load = await startHelper('harness/load.mts', [String(count), running.url]);
    try {
      await load.ask<Phase>({ seconds: subject.warmUpSeconds } satisfies PhaseRequest);
      const before = usageOfTree(running.pid);
      const phase = await load.ask<Phase>({ seconds: options.seconds } satisfies PhaseRequest);
      const { cpuMs } = usageOfTree(running.pid);
      return {
        perSecond: phase.operations / phase.seconds,
        cpuMicros: ((cpuMs - before.cpuMs) * 1000) / phase.operations,
        p50Ms: phase.p50Ms,
        p99Ms: phase.p99Ms,
      };
    } finally {
      load.stop();
    }
  } finally {
    await running.stop();
  }
}
