import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { startHelper } from '../harness/helper.mts';
import type { Phase, PhaseRequest } from '../harness/load.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { usageOfTree } from '../harness/process-tree.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { startWeir } from '../peers/weir-program.mts';
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

/** What is measured: how it is deployed, and where it is called. */
interface Subject {
  readonly name: string;
  deploy(call: Call, folder: string): Promise<string>;
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

/** A durable event: the yardstick of the same run. */
const event: Subject = {
  name: 'HTTP event',
  async deploy(call) {
    const component_path = join(import.meta.dirname, '../peers/weir-source.mjs');
    const { data } = (await call('POST', 'sources', { component_path })) as {
      data: { endpoint_url: string };
    };
    return data.endpoint_url;
  },
};

/** Every step returns nothing, and the last one answers: what is left is what Weir costs. */
const workflow: Subject = {
  name: `workflow of ${steps} steps`,
  async deploy(call, folder) {
    const path = join(folder, 'workflow');
    const names = Array.from({ length: steps }, (_, index) => `step_${index + 1}`);
    for (const name of names) {
      await mkdir(join(path, name), { recursive: true });
      const run =
        name === names.at(-1)
          ? `await $.respond({ status: 200, body: 'ok' });`
          : 'return undefined;';
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
  },
};

export const workflows: Measure = {
  summary: 'a request runs a workflow of three steps, each of them on disk before the next',
  async run(options) {
    const { rounds, note } = options;
    const machine = describeMachine();
    const found = new Map<string, Round[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const count of connections) {
        for (const subject of [event, workflow]) {
          note(`round ${round} of ${rounds}: ${subject.name}, ${count} at once`);
          const key = keyOf(subject, count);
          found.set(key, [...(found.get(key) ?? []), await measure(subject, count, options)]);
        }
      }
    }
    const of = (subject: Subject, count: number, field: keyof Round): number[] =>
      (found.get(keyOf(subject, count)) ?? []).map((one) => one[field]);
    const ratio = (field: keyof Round, per: number) =>
      median(
        of(workflow, 64, field).map(
          (value, index) => (value * per) / (of(event, 64, field)[index] ?? Number.NaN),
        ),
      );
    const aims = [
      atMost('CPU per step ÷ durable event', ratio('cpuMicros', 1 / steps), 1.5),
      atLeast('steps/s ÷ events/s', ratio('perSecond', steps), 0.7),
      atMost('added per step, one at a time, p50 in ms', added('p50Ms'), 0.9),
      atMost('HTTP to answer, one at a time, p50 in ms', median(of(workflow, 1, 'p50Ms')), 5),
      atMost('HTTP to answer, one at a time, p99 in ms', median(of(workflow, 1, 'p99Ms')), 12),
    ];
    function added(field: keyof Round): number {
      return (median(of(workflow, 1, field)) - median(of(event, 1, field))) / steps;
    }
    const rows = connections.flatMap((count) =>
      [event, workflow].map((subject) => [
        subject.name,
        String(count),
        ...(['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms'] as const).map((field) =>
          formatNumber(median(of(subject, count, field))),
        ),
      ]),
    );
    const head = ['what', 'at once', 'requests/s', 'CPU µs each', 'p50 ms', 'p99 ms'];
    return {
      report: { measure: 'workflows', machine, rounds: Object.fromEntries(found), aims },
      text: [
        'workflows: from a request through three durable steps to its answer',
        machineLine(machine),
        `1 KB of JSON, ${rounds} rounds interleaved, median of rounds`,
        '',
        formatTable(head, rows),
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

const keyOf = (subject: Subject, count: number) => `${subject.name}, ${count} at once`;

async function measure(
  subject: Subject,
  count: number,
  { dist, profile, seconds }: MeasureOptions,
): Promise<Round> {
  const folder = await temporaryFolder();
  const weir = await startWeir({ dist, profile });
  try {
    const url = await subject.deploy(weir.call, folder.path);
    const load = await startHelper('harness/load.mts', [url, String(count)]);
    try {
      await load.ask<Phase>({ seconds: warmUpSeconds } satisfies PhaseRequest);
      const before = usageOfTree(weir.pid);
      const phase = await load.ask<Phase>({ seconds } satisfies PhaseRequest);
      const { cpuMs } = usageOfTree(weir.pid);
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
    await weir.stop();
    await folder.remove();
  }
}
