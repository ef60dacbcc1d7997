/** `weir deploy`: where props come from, and what is said when something is missing or wrong. */
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { greeter, inbox } from './support/components.ts';
import { useRuntime } from '../support/runtime.ts';

const runtime = useRuntime();

test('types props, prints id, name and endpoint', async () => {
  const path = await runtime.file('greeter.mjs', greeter);
  const flags = [
    '--prop',
    'city=Bern',
    '--prop',
    'token=t',
    '--prop',
    'count=3',
    '--prop',
    'tags=a',
    '--prop',
    'tags=b',
  ];
  const source = await runtime.weirJson<Source>('deploy', path, ...flags, '--prop', 'timer=15m');
  expect(source.configured_props).toMatchObject({
    city: 'Bern',
    count: 3,
    tags: ['a', 'b'],
    token: { secret: true },
    timer: { interval_seconds: 900, cron: null },
  });
  const text = await runtime.weir('deploy', await runtime.file('inbox.mjs', inbox));
  expect(text.stdout).toMatch(
    /^id: +dc_\w{7}\nname: +Inbox\nendpoint: http:\/\/127\.0\.0\.1:\d+\/h\/hi_\w{7}\n$/,
  );
});

test('props from a file', async () => {
  const path = await runtime.file('greeter.mjs', greeter);
  const props = await runtime.file('props.json', '{"city":"Chur","token":"t","count":1}');
  const source = await runtime.weirJson<Source>(
    'deploy',
    path,
    '--props',
    props,
    '--prop',
    'count=2',
  );
  expect(source.configured_props).toMatchObject({ city: 'Chur', count: 2 });
});

test('missing props: exit 2 with a list of them', async () => {
  const run = await runtime.weir('deploy', await runtime.file('greeter.mjs', greeter));
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(/city \(string\)[^]*token \(string\)/);
});

test.each<[string, string[], RegExp]>([
  ['a prop that is not a number', ['--prop', 'count=many'], /count takes a number/],
  ['an unknown prop', ['--prop', 'nope=1'], /no prop "nope".*city/],
  ['not an assignment', ['--prop', 'city'], /NAME=VALUE/],
  ['a file that is not there', ['--props', 'none.json'], /none\.json/],
])('%s: exit 2', async (_name, flags, message) => {
  const path = await runtime.file('greeter.mjs', greeter);
  const run = await runtime.weir(
    'deploy',
    path,
    '--prop',
    'city=Bern',
    '--prop',
    'token=t',
    ...flags,
  );
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(message);
});

test('code that does not compile: exit 1, with file and line', async () => {
  const path = await runtime.file('broken.mjs', 'export default {\n  name: ,\n}');
  const run = await runtime.weir('deploy', path);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(`${path}:2:`);
});

test('a file that is not there: exit 2', async () => {
  expect(await runtime.weir('deploy', './none.mjs')).toMatchObject({ code: 2 });
});

test('an action is told that it is one, before anybody is asked for its props', async () => {
  const path = await runtime.file(
    'act.mjs',
    `export default { type: 'action', props: { city: 'string', api: { type: 'app', app: 'none' } }, run() {} }`,
  );
  const run = await runtime.weir('deploy', path);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toBe(
    `weir: ${path} is an action; run it with "weir run". Only sources are deployed.\n`,
  );
});

test('a source given to run is told that it is one', async () => {
  const run = await runtime.weir('run', await runtime.file('greeter.mjs', greeter));
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('is a source; deploy it') });
});

test('an app prop: connect an account, then it is taken; of several one has to be chosen', async () => {
  const path = await runtime.file(
    'asks.mjs',
    `export default { name: 'Asks', props: { http: '$.interface.http', api: { type: 'app', app: 'shop' } }, run() {} }`,
  );
  const none = await runtime.weir('deploy', path);
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toBe(
    'weir: api needs an account of shop; connect one with "weir accounts add shop", or with "Weir: Add Account…" in the editor. With --prop api=null it runs without one.\n',
  );
  expect(await runtime.weir('deploy', path, '--prop', 'api=null')).toMatchObject({ code: 0 });

  const add = ['accounts', 'add', 'shop', '--field', 'key=k', '--name'];
  const { id } = await runtime.weirJson<{ id: string }>(...add, 'Mine');
  const one = await runtime.weir('deploy', path);
  expect(one).toMatchObject({
    code: 0,
    stderr: `api: the account Mine (${id}), the only one of shop.\n`,
  });

  await runtime.weirJson(...add, 'Other');
  const several = await runtime.weir('deploy', path);
  expect(several).toMatchObject({ code: 2, stdout: '' });
  expect(several.stderr).toMatch(/^weir: api needs one of the accounts of shop: apn_.*Mine/);
  const chosen = await runtime.weirJson<Source>('deploy', path, '--account', `api=${id}`);
  expect(chosen.configured_props).toMatchObject({ api: { authProvisionId: id } });
});
