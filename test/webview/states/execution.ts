import type { RuntimeMessage } from '../../../src/webview/shared/page-runtime.ts';
import {
  answerSelect,
  loadExecution,
  orders,
  paused,
  ran,
  showExecution,
  thousand,
  whole,
} from '../support/execution.ts';

/** What every page is told while its folder uses another runtime. */
const elsewhere: RuntimeMessage = {
  t: 'runtime',
  runtime: {
    name: 'production',
    isLocal: false,
    problem: 'This page shows production. Connect to it to act.',
  },
};

/** Every state the page of an execution can be in, by what is to be seen. */
export const executionStates = {
  'what started it': () => showExecution(orders),

  async 'a step that went well'() {
    const shown = await showExecution(orders);
    await shown.page.getByRole('treeitem', { name: /^total/ }).click();
    await answerSelect(shown, orders);
    return shown;
  },

  async 'what was sent and answered, narrow'() {
    const shown = await showExecution(orders, { width: 640 });
    await shown.page.getByRole('treeitem', { name: /^answer/ }).click();
    await answerSelect(shown, orders);
    return shown;
  },

  async 'results that are stale'() {
    const stale = new Map([
      ['total', { path: 'total', because: 'code', of: null } as const],
      ['answer', { path: 'answer', because: 'upstream', of: 'total' } as const],
    ]);
    const shown = await loadExecution();
    await shown.tell(orders, stale);
    await answerSelect(shown, orders, stale);
    await shown.page.getByRole('treeitem', { name: /^answer, .*stale/ }).click();
    await answerSelect(shown, orders, stale);
    await shown.page.getByText('Out of date: total has changed since.').waitFor();
    return shown;
  },

  async 'of a runtime on another machine'() {
    const shown = await showExecution(orders);
    await shown.say({
      t: 'runtime',
      runtime: { name: 'production', isLocal: false, problem: null },
    });
    await shown.page.getByText('production').waitFor();
    return shown;
  },

  async 'of a runtime that is not in use'() {
    const shown = await showExecution(orders);
    await shown.say(elsewhere);
    await shown.page.getByRole('alert').waitFor();
    return shown;
  },

  'a pause of days': () => showExecution(paused),

  'one failed item of a thousand': () => showExecution(thousand),

  'steps that run': () =>
    showExecution(
      whole({
        status: 'running',
        ended_at: null,
        steps: [ran('total', 4, 60), ran('call', 70, null, { status: 'running' })],
      }),
    ),

  'a test that was cancelled': () =>
    showExecution(
      whole({ status: 'cancelled', test: true, reason: 'was stopped by hand', steps: [] }),
    ),

  async 'an execution that is being read'() {
    const shown = await loadExecution();
    await shown.page.getByText('Loading the execution…').waitFor();
    return shown;
  },

  async 'an execution that was deleted'() {
    const shown = await loadExecution();
    await shown.say({ t: 'problem', problem: 'There is no execution exec_1.' });
    await shown.page.getByText('There is no execution').waitFor();
    return shown;
  },

  async 'something that could not be done'() {
    const shown = await showExecution(orders);
    await shown.say({ t: 'problem', problem: 'The runtime is gone.' });
    await shown.page.getByRole('alert').waitFor();
    return shown;
  },
};
