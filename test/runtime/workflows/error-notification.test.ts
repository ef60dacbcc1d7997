/** `settings.error_notification` (P25.75): told in the editor and by mail, once a day for each distinct error. */
import { beforeEach, expect, test } from 'vitest';
import type { Change } from '../../../src/protocol/rpc.ts';
import { atEndOfTest } from '../../support/at-end.ts';
import { until } from '../../support/until.ts';
import { startMailServer } from '../support/smtp.ts';
import { WorkflowWorld } from './world.ts';

let mails: string[];
let world: WorkflowWorld;
let told: Extract<Change, { type: 'notification' }>[];

beforeEach(async () => {
  told = [];
  const server = await startMailServer();
  ({ mails } = server);
  world = new WorkflowWorld(server.settings, atEndOfTest);
  await world.open();
  await watch();
});

/** As the editor does. */
async function watch(): Promise<void> {
  (await world.runtime.connect()).onChanges((batch) => {
    for (const change of batch) if (change.type === 'notification') told.push(change);
  });
}

const throwing = (more: object = {}, name = 'Fragile') =>
  world.deploy({
    name,
    steps: [
      {
        namespace: 'one',
        run: `const { why } = steps.trigger.event; if (why) throw new Error(why); return 1`,
      },
    ],
    ...more,
  });

test('once for each distinct error of a workflow, over a restart too', async () => {
  const workflow = await throwing();
  const fail = async (why: string) => {
    const { id, status } = await world.run(workflow, { why });
    expect(status).toBe('failed');
    // One that a kill leaves goes out again.
    await until('the mail to be known as sent', async () =>
      (await world.execution(id)).sends.every((send) => send.status === 'sent'),
    );
  };
  await fail('no money');
  await until('the first mail', () => mails.length === 1 && told.length === 1);
  expect(mails[0]).toContain('To: me@example.org');
  expect(mails[0]).toContain('Subject: Fragile failed: one: no money');
  expect(mails[0]).toContain('settings.error_notification');
  expect(told[0]).toMatchObject({
    message: 'Fragile: one: no money',
    execution: { workflow_id: workflow.id, status: 'failed' },
  });
  await fail('no money');
  await fail('no order 12345 of 0f8fad5b-d9cb-469f-a165-70867728950e');
  await until('an error with an id', () => mails.length === 2 && told.length === 2);
  await fail('no order 67890 of 7c9e6679-7425-40de-944b-e07fc1f90ae7');
  mails.pop();
  told.pop();
  await fail('no time');
  await until('the second mail', () => mails.length === 2 && told.length === 2);
  await world.restart();
  await watch();
  await fail('no money');
  await fail('no friends');
  await until('the third mail', () => mails.length === 3 && told.length === 3);
  const other = await throwing({}, 'Other');
  await world.run(other, { why: 'no money' });
  await until('that of another workflow', () => mails.length === 4 && told.length === 4);
  expect(mails.map((mail) => /Subject: (.*)/.exec(mail)?.[1])).toEqual([
    'Fragile failed: one: no money',
    'Fragile failed: one: no time',
    'Fragile failed: one: no friends',
    'Other failed: one: no money',
  ]);
});

test('not of what succeeds or is cancelled, and not where the file says so', async () => {
  const silent = await throwing({ settings: { error_notification: false } }, 'Silent');
  await world.run(silent, { why: 'no money' });
  const fine = await throwing();
  await world.run(fine, {});
  const paused = await world.deploy({ steps: [{ namespace: 'one', run: '$.flow.suspend()' }] });
  await world.cancel((await world.run(paused)).id);
  await world.run(fine, { why: 'the last one' });
  await until('the last one', () => mails.length > 0 && told.length > 0);
  expect(mails).toHaveLength(1);
  expect(told.map(({ message }) => message)).toEqual(['Fragile: one: the last one']);
});

test('values of variables are hidden in it', async () => {
  await world.runtime.weir('env', 'set', 'TOKEN', 'sesame-0123');
  const workflow = await world.deploy({
    name: 'Leaky',
    steps: [{ namespace: 'one', run: `throw new Error('with ' + process.env.TOKEN)` }],
  });
  await world.run(workflow);
  await until('the mail', () => mails.length === 1 && told.length === 1);
  expect(mails[0]).toContain('Leaky');
  expect(mails[0] + told[0]!.message).not.toContain('sesame');
});

test('what nobody could be told of is told when it comes again', async () => {
  const alone = new WorkflowWorld([], atEndOfTest);
  await alone.open();
  const workflow = await alone.deploy({
    name: 'Fragile',
    steps: [{ namespace: 'one', run: `throw new Error('no money')` }],
  });
  await alone.run(workflow);
  world = alone;
  await watch();
  await alone.run(workflow);
  await alone.run(workflow);
  await until('the notification', () => told.length > 0);
  expect(told.map(({ message }) => message)).toEqual(['Fragile: one: no money']);
  // Without a server there is no mail, not even as a file.
  const [execution] = await alone.executions(workflow);
  expect((await alone.execution(execution!.id)).sends).toEqual([]);
});

test('a kill -9 right after the end: the mail goes out at the next start', async () => {
  const workflow = await throwing();
  await world.run(workflow, { why: 'no money' });
  await world.restart();
  await until('the mail', () => mails.length > 0);
  expect(mails[0]).toContain('no money');
});
