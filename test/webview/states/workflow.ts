import { busy, loadWorkflow, one, pins, showWorkflow } from '../support/workflow.ts';

/** Every state the page of a workflow can be in, by what is to be seen. */
export const workflowStates = {
  'a busy workflow': () => showWorkflow(busy, { pins }),

  async 'its executions as a table'() {
    const shown = await showWorkflow(busy.slice(3, 12));
    await shown.page.getByText('Executions as a table').click();
    return shown;
  },

  'one execution, narrow': () => showWorkflow([one(1)], { width: 420 }),

  'one that took an hour': () =>
    showWorkflow([one(9, { ended_at: one(9).created_at + 3_600_000 }), one(8), one(7), one(6)]),

  'nothing has run': () => showWorkflow([]),

  async 'a workflow that is being read'() {
    const shown = await loadWorkflow();
    await shown.page.getByText('Loading the workflow…').waitFor();
    return shown;
  },

  async 'something that could not be done'() {
    const shown = await showWorkflow([one(1)]);
    await shown.say({ t: 'problem', problem: 'The runtime is gone.' });
    await shown.page.getByRole('alert').waitFor();
    return shown;
  },
};
