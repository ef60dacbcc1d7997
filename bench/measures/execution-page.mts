import { packageForHere } from '../../scripts/editor/package.mts';
import { startWorkbench } from '../../scripts/editor/web.mts';
import { executionScrolling, items } from '../editor/execution-scrolling.mts';
import { inPage } from '../editor/in-page.mts';
import { formatNumber, median } from '../harness/figures.mts';
import { describeMachine, machineLine } from '../harness/machine.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import { atMost, formatAims, type Measure } from './measure.mts';

/** The page of an execution in a real workbench, while it is scrolled. */
export const executionPage: Measure = {
  summary: 'the page of an execution of 1,000 step runs in a real VS Code: frames while it scrolls',
  async run({ rounds, note }) {
    const machine = describeMachine();
    const folder = await temporaryFolder();
    try {
      const vsix = await packageForHere(folder.path);
      const workbench = await startWorkbench({ vsix, installed: {}, env: {} }, note);
      try {
        await workbench.context.addInitScript(inPage);
        const scrolled = await executionScrolling(workbench, rounds, note);
        const { ended, running } = scrolled;
        const aims = [
          atMost('longest frame, it has ended, ms', median(ended.map((one) => one.longest)), 50),
          atMost('longest frame, it runs, ms', median(running.map((one) => one.longest)), 50),
        ];
        const p99 = [ended, running].map((all) => formatNumber(median(all.map((one) => one.p99))));
        const most = [ended, running].map((all) =>
          formatNumber(Math.max(...all.map((one) => one.longest))),
        );
        return {
          report: { measure: 'execution-page', machine, rounds, items, scrolled, aims },
          text: [
            `execution-page: ${items} step runs of an Each, scrolled in a real workbench`,
            machineLine(machine),
            `${rounds} rounds, median; 99 of 100 frames within ${p99.join(' and ')} ms, the longest of all ${most.join(' and ')} ms`,
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
