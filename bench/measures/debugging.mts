import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleForEditor } from '../../scripts/editor/bundle.mts';
import { launch } from '../../scripts/editor/launch.mts';
import { describeMachine } from '../harness/machine.mts';
import { formatAims } from './aim.mts';
import { aimsOf, type Figures, formatFigures } from './debugging-figures.mts';
import type { Measure } from './measure.mts';

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
        `Node ${machine.node} · ${machine.cores} × ${machine.processor} · load ${machine.load.join(', ')}`,
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
  const launched = await launch({ workspace, entry, env: { WEIR_BENCH_PORT: String(port) } }, note);
  try {
    const figures = JSON.parse(await Promise.race([said, launched.ended])) as
      | Figures
      | { readonly error: string };
    if ('error' in figures) {
      const shown = join('test-results', 'screenshots', 'bench-debugging.png');
      await launched.screenshot(shown);
      throw new Error(`${figures.error}\nThe window then: ${shown}`);
    }
    return figures;
  } finally {
    server.close();
    await launched.stop();
    await rm(workspace, { recursive: true, force: true, maxRetries: 5 });
  }
}
