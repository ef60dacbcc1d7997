import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleForEditor } from '../../scripts/editor/bundle.mts';
import { launch } from '../../scripts/editor/launch.mts';
import { formatNumber, formatTable, median } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { type Aim, atMost, formatAims, type Measure } from './measure.mts';

/** All in ms. */
export interface Samples {
  /** From F5 until it stopped: the first of a fresh window, nothing deployed, no runtime yet. */
  readonly cold: readonly number[];
  /** … the next ones in the same window. */
  readonly warm: readonly number[];
  /** Of the warm ones, until the JavaScript debugger was told to attach: what is Weir's part. */
  readonly beforeAttach: readonly number[];
  /** From a save until a run answered with the new code, while a debugger is attached. */
  readonly saveDebugged: readonly number[];
  /** … in dev mode, without a debugger. */
  readonly saveFollowed: readonly number[];
}

/** All in ms, of a workflow of three steps. */
export interface WorkflowSamples {
  /** From F5 until it stopped in the third step: the first of a fresh window, nothing deployed, no runtime yet. */
  readonly cold: readonly number[];
  /** … the next ones in the same window. */
  readonly warm: readonly number[];
  /** From the save of a step until it has run by itself, as "Run This Step" does it. */
  readonly editTested: readonly number[];
  /** … until an update of what is deployed, and the request after it, has answered with the new code. */
  readonly editDeployed: readonly number[];
  /** … until a request was answered by the new code while a debugger is attached, which updates it by itself. */
  readonly editDebugged: readonly number[];
}

/** What a window measured of a source. */
export interface SourceFigures {
  readonly samples: Samples;
  /** Median of a request to another source while one is debugged, and while none is. */
  readonly undebugged: { readonly besideDebugged: number; readonly alone: number };
}

/** Of each window. */
interface Figures {
  readonly sources: SourceFigures[];
  readonly workflows: WorkflowSamples[];
}

const leastWindows = 10;

/** From F5 to a breakpoint and from a save to the new code, in windows of a real editor, one by one. */
export const debugging: Measure = {
  summary: 'F5 to a breakpoint, a save to the new code, in a real VS Code',
  async run({ rounds, note }) {
    const windows = Math.max(leastWindows, rounds);
    const machine = describeMachine();
    const source = await bundleForEditor(join('bench', 'editor', 'debugging.ts'));
    const workflow = await bundleForEditor(join('bench', 'editor', 'debugging-workflow.ts'));
    const figures: Figures = { sources: [], workflows: [] };
    for (let window = 1; window <= windows; window += 1) {
      note(`windows ${window} of ${windows}`);
      figures.sources.push(await measureWindow<SourceFigures>(source, note));
      figures.workflows.push(await measureWindow<WorkflowSamples>(workflow, note));
    }
    const aims = aimsOf(figures);
    return {
      report: { measure: 'debugging', machine, figures, aims },
      text: [
        'debugging: F5 and save in a real workbench',
        machineLine(machine),
        `${windows} fresh windows on fresh folders for a source, and as many for a workflow`,
        '',
        formatFigures(figures),
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

async function measureWindow<Figures extends object>(
  entry: string,
  note: (line: string) => void,
): Promise<Figures> {
  const workspace = await mkdtemp(join(tmpdir(), 'weir-bench-'));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const said = new Promise<string>((resolve, reject) => {
    server.once('connection', (socket) => void text(socket).then(resolve, reject));
  });
  const { port } = server.address() as AddressInfo;
  const opened = await launch({ workspace, entry, env: { WEIR_BENCH_PORT: String(port) } }, note);
  try {
    const figures = JSON.parse(await Promise.race([said, opened.ended])) as
      | Figures
      | { readonly error: string };
    if ('error' in figures) {
      const shown = join('test-results', 'screenshots', 'bench-debugging.png');
      await opened.screenshot(shown);
      throw new Error(`${figures.error}\nThe window then: ${shown}`);
    }
    return figures;
  } finally {
    server.close();
    await opened.stop();
    await rm(workspace, { recursive: true, force: true, maxRetries: 5 });
  }
}

const sourceRows: readonly (readonly [keyof Samples, string])[] = [
  ['cold', 'F5 to stopped, the first of a window'],
  ['warm', 'F5 to stopped, the next ones'],
  ['beforeAttach', '  of it, until the debugger attaches'],
  ['saveDebugged', 'save to a run of the new code, debugged'],
  ['saveFollowed', 'save to a run of the new code, dev mode'],
];

const workflowRows: readonly (readonly [keyof WorkflowSamples, string])[] = [
  ['cold', 'workflow: F5 to stopped in the third step, the first of a window'],
  ['warm', 'workflow: F5 to stopped in the third step, the next ones'],
  ['editTested', 'workflow: save of a step to its run by itself'],
  ['editDeployed', 'workflow: save of a step, update, to an answer of the new code'],
  ['editDebugged', 'workflow: save of a step to an answer of the new code, debugged'],
];

function formatFigures({ sources, workflows }: Figures): string {
  const row = (what: string, all: readonly number[]): string[] => [
    what,
    ...[median(all), Math.min(...all), Math.max(...all)].map(formatNumber),
    String(all.length),
  ];
  return formatTable(
    ['ms', 'median', 'least', 'most', 'samples'],
    [
      ...sourceRows.map(([name, what]) =>
        row(
          what,
          sources.flatMap(({ samples }) => samples[name]),
        ),
      ),
      ...workflowRows.map(([name, what]) =>
        row(
          what,
          workflows.flatMap((samples) => samples[name]),
        ),
      ),
    ],
  );
}

function aimsOf({ sources, workflows }: Figures): Aim[] {
  const of = (name: keyof Samples) => median(sources.flatMap(({ samples }) => samples[name]));
  const ofWorkflows = (name: keyof WorkflowSamples) =>
    median(workflows.flatMap((samples) => samples[name]));
  const beside = sources.map(({ undebugged: { besideDebugged, alone } }) => besideDebugged / alone);
  return [
    atMost('F5 to stopped, cold, ms', of('cold'), 3000),
    atMost('F5 to stopped, warm, ms', of('warm'), 1000),
    atMost('save to a run of the new code, ms', of('saveFollowed'), 300),
    atMost('× a request to a source beside a debugged one', median(beside), 1.1),
    atMost('workflow: F5 to stopped, cold, ms', ofWorkflows('cold'), 3000),
    atMost('workflow: F5 to stopped, warm, ms', ofWorkflows('warm'), 700),
    atMost('workflow: save of a step to its run, ms', ofWorkflows('editTested'), 300),
  ];
}
