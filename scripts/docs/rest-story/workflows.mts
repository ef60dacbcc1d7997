import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '../../../test/support/until.ts';
import type { Chapter } from './story.mts';

export const workflows: Chapter = {
  title: 'Workflows',
  text: `A workflow is deployed from its folder ([how to write one](how-to/write-a-workflow.md)). What starts it makes an execution, whose steps are stored as they
end. Where an emitter or a listener is named, a workflow (\`p_…\`) can be: in [subscriptions](#subscriptions), and in the lists of
[events](#events) and [log lines](#logs), which stand below \`/v1/workflows/{id}\` as well. Its [streams](#streams) are
\`/v1/workflows/{id}/sse\` and \`/v1/workflows/{id}/logs/sse\`.`,
  async tell({ show, call, post, example }) {
    const workflow_path = dirname(example('order-received'));
    const { triggers } = await show('Deploy a workflow', 'workflows.deploy', { workflow_path });
    const id = 'order-received';
    await show('List workflows', 'workflows.list', { limit: 1 }, { include: 'id,name,active' });
    await show('Read a workflow', 'workflows.get', { id }, { include: 'id,name,path,steps' });
    await show(
      'Switch a workflow on or off',
      'workflows.update',
      { id, active: true },
      { include: 'id,name,active' },
    );

    const items = [{ name: 'Tea', price: 4.5 }];
    await post(triggers[0]?.endpoint_url ?? null, { id: 7, items });
    await show(
      'Run a workflow now',
      'executions.start',
      { id, event: { body: { id: 8, items } }, wait: true },
      { include: 'id,status,steps' },
    );
    const first = await until('the execution by the request', async (seen) => {
      const { data } = seen(await call('executions.list', { id }));
      return data.find(({ status, cause }) => status === 'succeeded' && cause === 'http');
    });
    await show('List the executions of a workflow', 'executions.list', { id, limit: 1 });
    await show(
      'Read an execution',
      'executions.get',
      { id: first.id },
      { include: 'id,status,cause,request,steps' },
    );
    await show(
      'Replay an execution',
      'executions.replay',
      { id: first.id, wait: true },
      { include: 'id,status,cause,replay_of' },
    );

    await show(
      'Test the files of a workflow',
      'executions.test',
      { workflow_path, event: { body: { id: 8, items } }, wait: true },
      { include: 'id,status,test,response,warnings' },
    );
    await show(
      'Test one step',
      'executions.test',
      { id, step: 'total', wait: true },
      { include: 'id,status,test,replay_of' },
    );
    const { id: tested } = await call('executions.test', { id, execution: first.id, wait: true });
    await show(
      'Compare an execution with a later one',
      'executions.compare',
      { id: first.id, with: tested },
      { include: 'same,differences,steps' },
    );
    await show('List the steps whose results are stale', 'executions.stale', { id: first.id });
    try {
      await show('Keep results as a pin', 'executions.pin', { id: first.id, step: 'total' });
      await show('List the pins of a workflow', 'workflows.pins', { id });
      await show('Remove pins', 'workflows.unpin', { id, step: 'total' });
    } finally {
      await rm(join(workflow_path, 'total', 'pins'), { recursive: true, force: true });
    }

    const paused = await deployPausing((path) => call('workflows.deploy', { workflow_path: path }));
    const include = 'id,status,reason';
    for (const approve of [true, false]) {
      const { id: execution } = await call('executions.start', { id: paused, wait: true });
      await (approve
        ? show(
            'Resume an execution',
            'executions.resume',
            { id: execution, event: { body: { approved: true } } },
            { include: 'id,workflow_id,cause' },
          )
        : show('Cancel an execution', 'executions.cancel', { id: execution }, { include }));
    }
    await call('workflows.delete', { id: paused });

    await call('executions.start', { id, event: { body: { id: 9, items: [] } }, wait: true });
    await show('List what a workflow emitted', 'workflows.events', { id, limit: 1 });
    await show('List the errors of a workflow', 'workflows.errors', {
      id,
      limit: 1,
      expand: 'event',
    });
    await show('Delete a workflow', 'workflows.delete', { id });
  },
};

/** A workflow that waits to be resumed. @returns its id */
async function deployPausing(deploy: (path: string) => Promise<{ id: string }>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-docs-'));
  try {
    await mkdir(join(folder, 'wait'));
    const step = '  - namespace: wait\n    uses: ./wait/entry.mjs\n';
    const yaml = `schema: workflow/2022.04\nname: Approval\nsteps:\n${step}`;
    await writeFile(join(folder, 'workflow.yaml'), yaml);
    const code = 'export default defineComponent({ run({ $ }) { $.flow.suspend() } });\n';
    await writeFile(join(folder, 'wait', 'entry.mjs'), code);
    return (await deploy(folder)).id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
