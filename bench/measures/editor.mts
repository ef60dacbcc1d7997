import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../../scripts/bundles.mts';
import { packageForHere } from '../../scripts/editor/package.mts';
import { startWorkbench, type Workbench } from '../../scripts/editor/web.mts';
import { contentsOf, targetOf } from '../../scripts/package/contents.mts';
import { inPage } from '../editor/in-page.mts';
import { interactions, type Interactions } from '../editor/interactions.mts';
import { scrolling, type Scrolling } from '../editor/scrolling.mts';

import { formatNumber, median } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { type Aim, atMost, formatAims, type Measure } from './measure.mts';

const leastRounds = 10;

/** The extension as it is installed from its VSIX, in a real workbench. */
export const editor: Measure = {
  summary: 'the extension in a real VS Code: start, deploy, events, form, scrolling, size',
  async run({ rounds: asked, note }) {
    const rounds = Math.max(leastRounds, asked);
    const machine = describeMachine();
    const folder = await temporaryFolder();
    try {
      const vsix = await packageForHere(folder.path);
      const outdir = join(folder.path, 'dist');
      await build({ names: ['extension'], outdir, production: true, watch: false });
      const bundle = join(outdir, 'extension.js');
      const coldLoads: number[] = [];
      for (let round = 0; round < rounds; round += 1) coldLoads.push(await coldLoad(bundle));
      const workbench = await startWorkbench({ vsix, installed: {}, env: {} }, note);
      try {
        await workbench.context.addInitScript(inPage);
        const all = await allInteractions(workbench, rounds, note);
        const scrolled = await scrolling(workbench, rounds, note);
        const aims = [
          atMost('bundle, KB minified', (await stat(bundle)).size / 1000, 250),
          atMost('VSIX, MB', (await stat(vsix)).size / 1e6, 8),
          atMost('files in it', filesInVsix(), 30),
          atMost('cold load of the bundle, ms', median(coldLoads), 20),
          ...aimsOf(all, scrolled),
        ];
        return {
          report: {
            measure: 'editor',
            machine,
            rounds,
            coldLoads,
            interactions: all,
            scrolled,
            aims,
          },
          text: [
            'editor: the extension as it is installed, in a real workbench',
            machineLine(machine),
            `${rounds} fresh windows on fresh folders, median of all`,
            `the bundle was loaded in ${formatNumber(median(all.map((one) => one.load)))} ms, by VS Code`,
            '',
            formatAims(aims),
          ].join('\n'),
        };
      } finally {
        await workbench.stop();
      }
    } finally {
      await folder.remove();
    }
  },
};

async function allInteractions(
  workbench: Workbench,
  rounds: number,
  note: (line: string) => void,
): Promise<Interactions[]> {
  const all: Interactions[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    note(`window ${round} of ${rounds}`);
    all.push(await interactions(workbench));
  }
  return all;
}

function aimsOf(all: readonly Interactions[], { events, files }: Scrolling): Aim[] {
  const of = (key: 'activate' | 'deployCold' | 'deployWarm' | 'form') =>
    median(all.map((one) => one[key]));
  const longest = median(events.map((one) => one.longest));
  return [
    atMost('activate(), by VS Code, ms', of('activate'), 50),
    atMost('Deploy to active in the tree, no runtime yet, ms', of('deployCold'), 1000),
    atMost('Deploy to active in the tree, ms', of('deployWarm'), 300),
    atMost('POST to its row, ms', median(all.flatMap((one) => one.postToRow)), 100),
    atMost('Deploy to a form that can be used, ms', of('form'), 300),
    atMost('longest frame, scrolling 10,000 events, ms', longest, 200),
    atMost(
      '× that of 10,000 files in the Explorer',
      longest / median(files.map((one) => one.longest)),
      1.5,
    ),
  ];
}

/** In a process of its own, as VS Code loads it. */
async function coldLoad(bundle: string): Promise<number> {
  const script = join(import.meta.dirname, '../editor/cold-load.cjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, bundle]);
  return Number(stdout);
}

function filesInVsix(): number {
  const target = targetOf(process.platform, process.arch);
  return target === undefined ? Number.NaN : contentsOf(target).length;
}
