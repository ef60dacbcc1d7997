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

/** What one window measured. */
export interface Figures {
  readonly samples: Samples;
  /** Median of a request to another source while one is debugged, and while none is. */
  readonly undebugged: { readonly besideDebugged: number; readonly alone: number };
}

const leastWindows = 10;

/** From F5 to a breakpoint and from a save to the new code, in windows of a real editor, one by one. */
export const debugging: Measure = {
  summary: 'F5 to a breakpoint, a save to the new code, in a real VS Code',
  async run({ rounds, note }) {
    const windows = Math.max(leastWindows, rounds);
    const machine = describeMachine();
    const entry = await bundleForEditor(join('bench', 'editor', 'debugging.ts'));
    const figures: Figures[] = [];
    for (let window = 1; window <= windows; window += 1) {
      note(`window ${window} of ${windows}`);
      figures.push(await measureWindow(entry, note));
    }
    const aims = aimsOf(figures);
    return {
      report: { measure: 'debugging', machine, figures, aims },
      text: [
        'debugging: F5 and save in a real workbench',
        machineLine(machine),
        `${windows} fresh windows on fresh folders`,
        '',
        formatFigures(figures),
        '',
        formatAims(aims),
      ].join('\n'),
    };
  },
};

async function measureWindow(entry: string, note: (line: string) => void): Promise<Figures> {
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

const rows: readonly (readonly [keyof Samples, string])[] = [
  ['cold', 'F5 to stopped, the first of a window'],
  ['warm', 'F5 to stopped, the next ones'],
  ['beforeAttach', '  of it, until the debugger attaches'],
  ['saveDebugged', 'save to a run of the new code, debugged'],
  ['saveFollowed', 'save to a run of the new code, dev mode'],
];

function formatFigures(windows: readonly Figures[]): string {
  return formatTable(
    ['ms', 'median', 'least', 'most', 'samples'],
    rows.map(([name, what]) => {
      const all = allOf(windows, name);
      const shown = [median(all), Math.min(...all), Math.max(...all)].map(formatNumber);
      return [what, ...shown, String(all.length)];
    }),
  );
}

function aimsOf(windows: readonly Figures[]): Aim[] {
  const of = (name: keyof Samples) => median(allOf(windows, name));
  const beside = windows.map(({ undebugged: { besideDebugged, alone } }) => besideDebugged / alone);
  return [
    atMost('F5 to stopped, cold, ms', of('cold'), 3000),
    atMost('F5 to stopped, warm, ms', of('warm'), 1000),
    atMost('save to a run of the new code, ms', of('saveFollowed'), 300),
    atMost('× a request to a source beside a debugged one', median(beside), 1.1),
  ];
}

function allOf(windows: readonly Figures[], name: keyof Samples): number[] {
  return windows.flatMap(({ samples }) => samples[name]);
}
