/** App props that are given no account (P2.14, P23.4). */
import { beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { conformanceWorld, refusal } from './world.ts';

const world = conformanceWorld();

/** A source with an app prop that emits its `$auth`. */
const asking = (app: string, more = ''): string =>
  `export default { name: 'Asks ${app}', props: { api: { type: 'app', app: '${app}' } }, ${more}
    run() { this.$emit(this.api?.$auth ?? 'absent'); } }`;

const howTo = (app: string): string =>
  `connect one with "weir accounts add ${app}", or with "Weir: Add Account…" in the editor`;

/** An action with an app prop. */
const action = `export default { type: 'action', name: 'Acts', props: { api: { type: 'app', app: 'single' } },
  run() { return this.api.$auth; } }`;

beforeAll(async () => {
  for (const app of ['single', 'double', 'double']) await world.account(app);
});

test('P23.4 the only account of the app is taken, by a source, an action and a dry run', async () => {
  const source = await world.deploy(asking('single'));
  expect(await world.emitted(source)).toEqual([{ api_key: 'key-1' }]);
  expect(source.configured_props).toMatchObject({
    api: { authProvisionId: expect.stringMatching(/^apn_/) },
  });
  const component_path = await world.file(action);
  const ran = await world.runtime.restData('POST', '/v1/actions/run', { component_path });
  expect(ran).toMatchObject({ return_value: { api_key: 'key-1' } });
  const client = await world.runtime.connect();
  const dry = await client.call('sources.dryRun', { component_path });
  expect(dry.return_value).toEqual({ api_key: 'key-1' });
});

test('P23.4 so it is for a prop that additionalProps makes, which sees the account of a declared one', async () => {
  const source = await world.deploy(
    asking(
      'single',
      `additionalProps() { return { other: { type: 'app', app: this.api.$auth.api_key === 'key-1' ? 'single' : 'none' } }; },`,
    ),
  );
  expect(source.configured_props['other']).toEqual(source.configured_props['api']);
});

test('P23.4 of several accounts none is taken: the answer names them', async () => {
  const answer = refusal(await world.tryDeploy(asking('double')));
  expect(answer).toMatchObject({ status: 400, code: 'bad_input', details: [{ prop: 'api' }] });
  expect(answer.error).toMatch(
    /^api needs one of the accounts of double: apn_\w{7} \(double\), apn_\w{7} \(double\)\.$/,
  );
  const chosen = await world.account('double');
  const source = await world.deploy(asking('double'), { configured_props: { api: chosen } });
  expect(source.configured_props).toMatchObject({ api: chosen });
});

test('P23.4 null leaves the prop without an account, and an optional one stays absent', async () => {
  const source = await world.deploy(asking('single'), { configured_props: { api: null } });
  expect(await world.emitted(source)).toEqual([{}]);
  const optional = await world.deploy(
    asking('single').replace(`app: 'single' }`, `app: 'single', optional: true }`),
  );
  expect(await world.emitted(optional)).toEqual(['absent']);
});

test('P2.14 without any, what fails says which prop, which app, and how to connect one', async () => {
  const hook = await world.tryDeploy(
    asking('none', `hooks: { deploy() { throw new Error('Not authorized') } },`),
  );
  expect(refusal(hook).error).toBe(
    `The deploy hook of Asks none failed: Not authorized. Nothing was deployed. api has no account of none; ${howTo('none')}.`,
  );
  const props = await world.tryDeploy(
    asking('none', `additionalProps() { throw new Error('Not authorized.') },`),
  );
  expect(refusal(props).error).toBe(
    `additionalProps failed: Not authorized. api has no account of none; ${howTo('none')}.`,
  );
  const source = await world.deploy(asking('none'));
  expect(await world.emitted(source)).toEqual([{}]);
  expect(await world.logs(source, 'console')).toEqual([
    `The app prop "api" has no connected account of none, so its $auth is empty; ${howTo('none')}.`,
  ]);
});

test('P2.14 once one is connected, an update takes it', async () => {
  const source = await world.deploy(asking('later'));
  expect(await world.emitted(source)).toEqual([{}]);
  await world.account('later');
  await world.runtime.restData<Source>('PUT', `/v1/sources/${source.id}`, {
    component_path: source.path,
  });
  expect(await world.emitted(source)).toEqual([{ api_key: 'key-1' }]);
});
