import { packageForHere } from '../../scripts/editor/package.mts';
import { startWorkbench } from '../../scripts/editor/web.mts';
import { builderTimes } from '../editor/builder.mts';
import { inPage } from '../editor/in-page.mts';
import { formatNumber, median } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { atMost, formatAims, type Measure } from './measure.mts';

const leastRounds = 5;

/** The workflow builder of the extension as it is installed from its VSIX, in a real workbench. */
export const builder: Measure = {
  summary: 'the workflow builder in a real VS Code: opening, edits to the text, scrolling',
  async run({ rounds: asked, note }) {
    const rounds = Math.max(leastRounds, asked);
    const machine = describeMachine();
    const folder = await temporaryFolder();
    try {
      const vsix = await packageForHere(folder.path);
      const workbench = await startWorkbench({ vsix, installed: {}, env: {} }, note);
      try {
        await workbench.context.addInitScript(inPage);
        const times = await builderTimes(workbench, rounds, note);
        const { open, move, type, large } = times;
        const aims = [
          atMost('click to 30 steps, ms', median(open), 300),
          atMost('key that moves a step to the new text, ms', median(move), 50),
          atMost('typed character to the new text, ms', median(type), 50),
          atMost('click to 153 steps, ms', median(large.open), 1000),
          atMost('key that moves one of 153 steps to the new text, ms', median(large.move), 100),
          atMost(
            'longest frame, scrolling 153 steps, ms',
            median(large.frames.map(({ longest }) => longest)),
            50,
          ),
        ];
        return {
          report: { measure: 'builder', machine, rounds, times, aims },
          text: [
            'builder: workflows opened and edited by hand, in a real workbench',
            machineLine(machine),
            `${rounds} rounds in one window, medians; the first opening of all took ${formatNumber(times.cold)} ms`,
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
