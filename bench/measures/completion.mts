import { packageForHere } from '../../scripts/editor/package.mts';
import { startWorkbench } from '../../scripts/editor/web.mts';
import { completionTimes, steps } from '../editor/completion.mts';
import { inPage } from '../editor/in-page.mts';
import { formatNumber, median } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { atMost, formatAims, type Measure } from './measure.mts';

/** Completion in `workflow.yaml`, of the extension as it is installed from its VSIX, in a real workbench. */
export const completion: Measure = {
  summary: 'completion in the text of a workflow of 153 steps, in a real VS Code',
  async run({ rounds, note }) {
    const machine = describeMachine();
    const folder = await temporaryFolder();
    try {
      const vsix = await packageForHere(folder.path);
      const workbench = await startWorkbench({ vsix, installed: {}, env: {} }, note);
      try {
        await workbench.context.addInitScript(inPage);
        const times = await completionTimes(workbench, rounds, note);
        const aims = [
          atMost('Ctrl+Space to a key of the format, ms', median(times.keys), 50),
          atMost('Ctrl+Space to a step in an expression, ms', median(times.expressions), 50),
        ];
        return {
          report: { measure: 'completion', machine, rounds, steps, times, aims },
          text: [
            `completion: in the text of a workflow of ${steps} steps, in a real workbench`,
            machineLine(machine),
            `${rounds} rounds in one window, medians; the first of all took ${formatNumber(times.cold)} ms`,
            `VS Code's own, in the same window: a key of a JSON file ${formatNumber(median(times.json))} ms, a word of a text without any extension ${formatNumber(median(times.words))} ms`,
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
