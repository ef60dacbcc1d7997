/** Rules of workflows: their configuration, and which deployments stay. */
import { expect } from 'vitest';
import type { Store } from '../../src/runtime/store/store.ts';
import { ownerOf, source, take } from '../support/records.ts';
import { commitStep, deployment, execute, stepRun, workflow } from '../support/workflow-records.ts';
import { oneSource, topic } from './rules.ts';

let made = 0;
const newId = (): string => `s_${++made}`;

/** Deploys `p_1` with the deployment `d_1`. */
export async function oneWorkflow(store: Store): Promise<void> {
  await oneSource(store);
  await store.workflows.deploy(workflow('p_1'), deployment('d_1', 'p_1'), [], newId);
}

const listening = [{ emitterId: 'dc_1', channel: '' }];

export const workflows = topic('a workflow', oneWorkflow, (rule) => {
  rule('is the same after the store was opened again', async ({ store, reopen }) => {
    const { workflows: before } = store;
    expect(before.get('p_1')).toEqual(workflow('p_1'));
    const again = (await reopen()).workflows;
    expect(again.get('p_1')).toEqual(workflow('p_1'));
    expect(again.deployment('d_1')).toEqual(deployment('d_1', 'p_1'));
    expect(again.find('workflow-p_1')?.id).toBe('p_1');
    expect(again.ofFolder('/flows/p_1')?.id).toBe('p_1');
  });

  rule('has another deployment, and keeps those before', async ({ store, reopen }) => {
    const next = workflow('p_1', {
      name: 'Other',
      deploymentId: 'd_2',
      createdAt: 99,
      interfaces: [{ id: 'ti_2', prop: '0', kind: 'timer', intervalSeconds: 0.5 }],
    });
    await store.workflows.deploy(next, deployment('d_2', 'p_1'), [], newId);
    const { workflows: again } = await reopen();
    expect(again.get('p_1')).toEqual({ ...next, createdAt: 1 });
    expect(again.deploymentsOf('p_1').map(({ id }) => id)).toEqual(['d_1', 'd_2']);
  });

  rule('has a slug of its own', async ({ store }) => {
    const wished = workflow('p_2', { slug: 'workflow-p_1' });
    const { record } = await store.workflows.deploy(wished, deployment('d_2', 'p_2'), [], newId);
    expect(record.slug).not.toBe('workflow-p_1');
    expect(store.workflows.get('p_2')).toEqual(record);
  });

  rule('subscribes to what its triggers name, and to nothing else', async ({ store, reopen }) => {
    const person = { id: 's_own', emitterId: 'dc_1', listenerId: 'p_1', channel: 'mine' };
    await store.subscriptions.ensure(person);
    const first = await store.workflows.deploy(
      workflow('p_1', { deploymentId: 'd_2' }),
      deployment('d_2', 'p_1'),
      listening,
      newId,
    );
    expect(first.subscribed).toHaveLength(1);
    const again = await reopen();
    const second = await again.workflows.deploy(
      workflow('p_1', { deploymentId: 'd_3' }),
      deployment('d_3', 'p_1'),
      [],
      newId,
    );
    expect(second.unsubscribed).toEqual(first.subscribed);
    expect(again.subscriptions.all()).toEqual([person]);
  });

  rule('that is refused leaves nothing', async ({ store, reopen }) => {
    const taken = deployment('d_1', 'p_2');
    const refused = store.workflows.deploy(workflow('p_2'), taken, listening, newId);
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
    for (const one of [store, await reopen()]) {
      expect(one.workflows.get('p_2')).toBeUndefined();
      expect(one.workflows.deployment('d_1')?.workflowId).toBe('p_1');
      expect(one.subscriptions.all()).toEqual([]);
    }
  });

  rule('that was only tested is in no list', async ({ store, reopen }) => {
    const tested = workflow('p_2', { deploymentId: '' });
    const test = deployment('d_2', 'p_2', { isTest: true });
    expect(await store.workflows.addTest(tested, test)).toBe(true);
    const { workflows: again } = await reopen();
    expect(again.all().map(({ id }) => id)).toEqual(['p_1']);
    expect(again.find('p_2')).toBeUndefined();
    expect(again.findTested('p_2')).toEqual(tested);
    expect(again.deployment('d_2')).toEqual(test);
  });

  rule('ticks when its owner says, and is switched off', async ({ store, reopen }) => {
    await store.sources.setNextTick(await ownerOf(store, 'p_1'), 'ti_p_1', 777);
    await store.workflows.update('p_1', { active: false, name: 'Off' }, 9);
    const record = (await reopen()).workflows.get('p_1');
    expect(record).toMatchObject({ active: false, name: 'Off', updatedAt: 9 });
    expect(record?.interfaces[1]).toMatchObject({ id: 'ti_p_1', nextAt: 777 });
  });

  rule('goes with its deployments and subscriptions', async ({ store, reopen }) => {
    const next = workflow('p_1', { deploymentId: 'd_2' });
    const { subscribed } = await store.workflows.deploy(
      next,
      deployment('d_2', 'p_1'),
      listening,
      newId,
    );
    const n = await execute(store);
    await commitStep(store, n, { step: stepRun(1) });
    expect(await store.workflows.delete('p_1')).toEqual(subscribed);
    const again = await reopen();
    expect(again.workflows.get('p_1')).toBeUndefined();
    expect(again.workflows.deployment('d_1')).toBeUndefined();
    expect(again.subscriptions.all()).toEqual([]);
    expect(await again.executions.steps(n)).toEqual([]);
    expect(await again.invocations.get(n)).toBeUndefined();
    await expect(take(again, 'p_1')).rejects.toMatchObject({ code: 'not_found' });
  });
});

export const deployments = topic('a deployment', oneWorkflow, (rule) => {
  rule('stays while it is new, current, or an execution runs it', async ({ store, reopen }) => {
    const n = await execute(store);
    await commitStep(store, n, { step: stepRun(1) });
    for (let i = 2; i <= 14; i++) {
      const next = workflow('p_1', { deploymentId: `d_${i}` });
      await store.workflows.deploy(next, deployment(`d_${i}`, 'p_1'), [], newId);
    }
    await store.workflows.removeUnusedDeployments(['d_2']);
    const kept = (one: Store) => one.workflows.deploymentsOf('p_1').map(({ id }) => id);
    const newest = Array.from({ length: 10 }, (_, i) => `d_${i + 5}`);
    expect(kept(store)).toEqual(['d_1', 'd_2', ...newest]);
    await commitStep(store, n, { end: { status: 'succeeded', at: 2000, reason: null } });
    await store.workflows.removeUnusedDeployments([]);
    expect(kept(await reopen())).toEqual(newest);
  });

  rule('keeps the components that it uses', async ({ store, reopen }) => {
    const component = { path: null, definition: source('dc_1').definition, createdAt: 1 };
    await store.components.ensure({ ...component, id: 'sc_1', hash: 'a' });
    await store.components.ensure({ ...component, id: 'sc_2', hash: 'b' });
    const again = await reopen();
    expect(await again.components.removeUnused()).toEqual(['b']);
    expect(again.components.get('sc_1')?.hash).toBe('a');
  });
});
