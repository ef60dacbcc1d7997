/** Published components as steps of a workflow, against stand-ins of the third parties. */
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Fake, startReceiver } from '../../support/receiver.ts';
import { registryScope } from '../../support/registry-packages.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { type FakeSlack, startSlack } from '../../compat/fakes/slack.ts';
import { deployWorkflow, runWorkflow, stepOf, tryDeploy } from './script-files.ts';

const atEnd = atEndOfSuite();
let runtime: TestRuntime & { readonly folder: string };
let slack: FakeSlack;
let web: Fake;

beforeAll(async () => {
  slack = await startSlack('xoxp', atEnd);
  web = await startReceiver({
    atEnd,
    answer: (asked) => ({ status: 201, body: { got: asked.json(), by: asked.headers['x-mill'] } }),
  });
  const folder = temporaryFolder(atEnd);
  const args = ['--redirect', `slack.com=${slack.url}`, '--redirect', `api.example.com=${web.url}`];
  runtime = { ...(await startRuntime({ folder, args, atEnd })), folder };
  // As a person has them who works on components: their files, in the workspace.
  for (const app of ['helper_functions', 'slack', 'data_stores']) {
    const from = join(registryScope, app);
    await mkdir(join(folder, 'components'), { recursive: true });
    await cp(from, join(folder, 'components', app), { recursive: true, dereference: true });
  }
  await symlink(resolve(registryScope, '..'), join(folder, 'node_modules'));
  await runtime.restData('POST', '/v1/accounts', {
    app: 'slack',
    name: 'team',
    credentials: { oauth_access_token: 'xoxp', oauth_uid: 'U1' },
  });
});

/** Most packages of the components are in this repository. */
const install = { install: false };

async function ran(uses: string, props: object, event: unknown = {}) {
  const { status, body } = await tryDeploy(
    runtime,
    { steps: [{ namespace: 'step', uses, props }], files: {} },
    install,
  );
  expect([status, JSON.stringify(body)]).toEqual([200, expect.any(String)]);
  const execution = await runWorkflow(runtime, (body as { data: { id: string } }).data, event);
  return stepOf(execution, 'step');
}

test('a component of the workspace by key and version, with expressions in its object', async () => {
  const step = await ran(
    'helper_functions-export-variables@0.0.1',
    { config: { n: '{{event.n}}', text: 'n is {{event.n}}' } },
    { n: 5 },
  );
  expect(step.error).toBeNull();
  expect(step.exports).toEqual({ config: { n: 5, text: 'n is 5' } });
});

test('another version than the one there is taken with a warning', async () => {
  const uses = 'helper_functions-export-variables@3.1.4';
  const step = await ran(uses, { config: { a: 'b' } });
  expect(step.exports).toEqual({ config: { a: 'b' } });
  const steps = [{ namespace: 'step', uses, props: { config: {} } }];
  const { body } = await tryDeploy(runtime, { steps, files: {} }, install);
  const message = expect.stringMatching(
    /^step uses helper_functions-export-variables@3\.1\.4; .*export-variables\.mjs has 0\.0\.1, and is taken/,
  ) as string;
  expect(body).toMatchObject({
    data: { warnings: [{ severity: 'warning', message, line: expect.any(Number) }] },
  });
});

test('one that is nowhere is named, with what to do', async () => {
  const { status, body } = await tryDeploy(runtime, {
    steps: [{ namespace: 'step', uses: 'nobody-knows-it@0.0.1' }],
    files: {},
  });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toMatch(/There is no component nobody-knows-it here.*weir publish/);
});

test('an http_request prop with expressions in it', async () => {
  const step = await ran(
    'helper_functions-send-http-request@0.0.1',
    {
      httpRequest: {
        method: 'POST',
        url: 'https://api.example.com/mills',
        headers: [{ name: 'x-mill', value: '{{event.mill}}' }],
        body: { contentType: 'application/json', mode: 'raw', raw: '{"n": {{event.n}}}' },
      },
    },
    { mill: 'north', n: 3 },
  );
  expect([step.error, step.return_value]).toEqual([null, { got: { n: 3 }, by: 'north' }]);
  const asked = web.received.at(-1);
  expect([asked?.headers['x-mill'], asked?.json()]).toEqual(['north', { n: 3 }]);
});

test('an account that is the only one of its app, and additionalProps', async () => {
  const step = await ran(
    'slack-send-message-to-channel@0.0.1',
    { conversation: 'C1', text: 'ground {{event.n}}', mrkdwn: true, as_user: false },
    { n: 4 },
  );
  expect(step.error).toBeNull();
  expect(JSON.stringify(slack.received.map((one) => one.body))).toMatch(/ground/);
});

test('a data store prop: one step writes, the next reads', async () => {
  const workflow = await deployWorkflow(runtime, {
    steps: [
      {
        namespace: 'put',
        uses: 'data_stores-add-update-record@0.0.1',
        props: { dataStore: { storeId: 'mills' }, key: '{{event.key}}', value: '{{event.value}}' },
      },
      {
        namespace: 'get',
        uses: 'data_stores-get-record-or-create@0.0.1',
        props: {
          dataStore: { storeId: 'mills' },
          key: '{{event.key}}',
          addRecordIfNotFound: false,
        },
      },
    ],
    files: {},
  });
  const execution = await runWorkflow(runtime, workflow, { key: 'north', value: 'wind' });
  expect([execution.error, stepOf(execution, 'get').return_value]).toEqual([null, 'wind']);
});
