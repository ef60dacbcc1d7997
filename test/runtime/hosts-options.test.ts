import { expect, test } from 'vitest';
import type { AdditionalPropsResult, OptionsResult, Work } from '../../src/protocol/host.ts';
import { hostsFor, perform, start } from './hosts-helper.ts';

/** `options()` and `additionalProps()` (P5, P6) in a real host. */
const hosts = await hostsFor();

type Configuration = Parameters<typeof start>[2];
const account = {
  props: { app: { authProvisionId: 'apn_1' } },
  accounts: { apn_1: { token: 't' } },
};

async function options(
  code: string,
  configuration: Configuration = account,
  work: Partial<Extract<Work, { call: 'options' }>> = {},
): Promise<OptionsResult> {
  const { host } = await start(hosts, code, configuration);
  const outcome = await perform(host, {
    call: 'options',
    prop: 'p',
    page: 0,
    prevContext: undefined,
    ...work,
  });
  if (outcome.error !== undefined) throw new Error(outcome.error.message);
  return JSON.parse(outcome.result ?? '') as OptionsResult;
}

async function additional(
  code: string,
  configuration: Configuration = account,
): Promise<AdditionalPropsResult> {
  const { host } = await start(hosts, code, configuration);
  const outcome = await perform(host, { call: 'additionalProps' });
  if (outcome.error !== undefined)
    throw new Error(`${outcome.error.name}: ${outcome.error.message}`);
  return JSON.parse(outcome.result ?? '') as AdditionalPropsResult;
}

const app = `const app = { type: 'app', app: 'slack', propDefinitions: {
    p: { type: 'string', async options(given) { return this.list(given); } },
  }, methods: { list(given) { return [JSON.stringify([this.$auth.token, Object.keys(this)[0], given])]; } } };`;

test('options of an app run on the app, with page, context, query and input values in one argument', async () => {
  const code = `${app} export default { run() {}, props: { app, base: 'string', p: { propDefinition: [app, 'p', (c) => ({ base: c.base, keep: (x) => x, unset: c.nothing })], type: 'string[]' } } }`;
  const configuration = {
    ...account,
    props: { ...account.props, base: { __lv: { label: 'L', value: 'v' } } },
  };
  const first = await options(code, configuration);
  expect(JSON.parse(first.options[0]?.label ?? '')).toEqual([
    't',
    '$auth',
    { base: 'v', page: 0, prevContext: {} },
  ]);
  const next = await options(code, configuration, {
    page: 2,
    prevContext: { token: 'n' },
    query: 'q',
  });
  expect(JSON.parse(next.options[0]?.label ?? '')).toEqual([
    't',
    '$auth',
    { base: 'v', page: 2, prevContext: { token: 'n' }, query: 'q' },
  ]);
});

test('the app prop is found by identity or by slug', async () => {
  const code = `${app} export default { run() {}, props: { other: { type: 'app', app: 'x' }, app: { type: 'app', app: 'slack' }, p: { propDefinition: [app, 'p'] } } }`;
  expect((await options(code)).options[0]?.label).toContain('["t","$auth"');
});

test('options written in the component, or over those of an app, run on the component', async () => {
  const own = `async options({ prevContext: { offset = 0 } }) { return { options: [this.x + this.m() + offset, { label: 5, value: { a: 1 } }, null, { value: 'only' }], context: { offset: 10 } }; }`;
  const expected = {
    options: [
      { label: 'xm0', value: 'xm0' },
      { label: '5', value: { a: 1 } },
      { label: 'only', value: 'only' },
    ],
    context: { offset: 10 },
  };
  const props = { ...account.props, x: 'x' };
  const methods = `methods: { m() { return 'm'; } }`;
  const inline = `export default { run() {}, ${methods}, props: { x: 'string', p: { type: 'string', ${own} } } }`;
  expect(await options(inline, { ...account, props })).toEqual(expected);
  const override = `${app} export default { run() {}, ${methods}, props: { app, x: 'string', p: { propDefinition: [app, 'p'], ${own} } } }`;
  expect(await options(override, { ...account, props })).toEqual(expected);
});

test.for([
  [
    'p: { type: "string", options: ["a", 1] }',
    [
      { label: 'a', value: 'a' },
      { label: '1', value: 1 },
    ],
  ],
  ['p: { type: "string", options() {} }', []],
  ['p: "string"', []],
] as const)('%s', async ([prop, expected]) => {
  expect(await options(`export default { run() {}, props: { ${prop} } }`)).toEqual({
    options: expected,
    context: null,
  });
});

test('errors come as they are thrown', async () => {
  const code = `export default { run() {}, props: { p: { type: 'string', options() { const e = new Error('set a team first'); e.name = 'ConfigurationError'; throw e; } } } }`;
  const { host } = await start(hosts, code);
  const asked = { call: 'options', prop: 'p', page: 0, prevContext: null } as const;
  expect((await perform(host, asked)).error).toMatchObject({
    configuration: true,
    message: 'set a team first',
  });
  expect((await perform(host, { ...asked, prop: 'q' })).error?.message).toBe(
    'The component has no prop "q".',
  );
});

test('additionalProps replaces the dynamic props and keeps its in-place edits', async () => {
  const code = `${app} export default { run() {}, props: { app, kind: { type: 'string', reloadProps: true, options: ['a'] }, db: '$.service.db', p: { propDefinition: [app, 'p'], optional: true, hidden: true }, last: 'string' },
    async additionalProps(defs) {
      defs.p.hidden = false; defs.kind.options.push('b'); defs.db.hidden = true;
      return { [this.kind + '_1']: { type: 'integer', label: 'One', async options() { return [1]; } }, last: { ...defs.last, optional: true }, http: '$.interface.http', gone: undefined, was: defs.old };
    } }`;
  const configuration = {
    ...account,
    props: { ...account.props, kind: 'x' },
    propSet: [
      { name: 'app', type: 'app', app: 'slack' },
      { name: 'kind', type: 'string', options: ['stale'] },
      { name: 'old', type: 'string', label: 'Old' },
    ],
  };
  const expected = {
    props: [
      { name: 'app', type: 'app', app: 'slack' },
      { name: 'kind', type: 'string', reloadProps: true, options: ['a', 'b'] },
      { name: 'db', type: '$.service.db', hidden: true },
      { name: 'p', type: 'string', optional: true, hidden: false, remoteOptions: true },
      { name: 'last', type: 'string', optional: true },
      { name: 'x_1', type: 'integer', label: 'One', remoteOptions: true },
      { name: 'http', type: '$.interface.http' },
      { name: 'was', type: 'string', label: 'Old' },
    ],
    dynamic: ['x_1', 'http', 'was'],
  };
  expect(await additional(code, configuration)).toEqual(expected);
});

test('each call starts from what the file declares', async () => {
  const { host } = await start(
    hosts,
    `export default { run() {}, props: { list: { type: 'string', options: [] } }, additionalProps(defs) { defs.list.options.push('x'); defs.list.hidden = !defs.list.hidden; return defs; } }`,
  );
  const first = await perform(host, { call: 'additionalProps' });
  const second = await perform(host, { call: 'additionalProps' });
  expect(JSON.parse(first.result ?? '')).toEqual({
    props: [{ name: 'list', type: 'string', options: ['x'], hidden: true }],
    dynamic: [],
  });
  expect(second.result).toBe(first.result);
});

test('a handed back definition keeps the app its options run on', async () => {
  const code = `${app} export default { run() {}, props: { app, p: { propDefinition: [app, 'p'] } }, additionalProps(defs) { return { p: { ...defs.p, label: 'L' }, dyn: { propDefinition: [app, 'p', () => ({ extra: 1 })] } }; } }`;
  const dynamic = await options(code, account, { prop: 'dyn' });
  expect(dynamic.options[0]?.label).toContain('["t","$auth",{"extra":1');
  expect((await options(code)).options[0]?.label).toContain('["t","$auth"');
  expect((await additional(code)).props[1]).toEqual({
    name: 'p',
    type: 'string',
    label: 'L',
    remoteOptions: true,
  });
});

test('without additionalProps the set is what the file declares; a wrong result is named', async () => {
  expect(await additional(`export default { run() {}, props: { a: 'string' } }`)).toEqual({
    props: [{ name: 'a', type: 'string' }],
    dynamic: [],
  });
  expect(
    await additional(`export default { run() {}, props: { a: 'string' }, additionalProps() {} }`),
  ).toMatchObject({ dynamic: [] });
  await expect(
    additional(`export default { run() {}, additionalProps() { return 5; } , props: {} }`),
  ).rejects.toThrow('additionalProps() must return an object of props, not a number.');
});
