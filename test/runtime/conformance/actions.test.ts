import { beforeAll, expect, test } from 'vitest';
import { conformanceWorld, refusal } from './world.ts';

/** Actions that run by themselves (P13, P17.13). */
const world = conformanceWorld();

interface ActionRun {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly return_value?: unknown;
  readonly summary?: string | null;
  readonly logs: readonly { readonly text: string }[];
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string };
}

const runAction = async (code: string, body: object): Promise<ActionRun> =>
  world.runtime.restData('POST', '/v1/actions/run', {
    component_path: await world.file(code),
    ...body,
  });

const configurationError = `class ConfigurationError extends Error { name = 'ConfigurationError'; }`;

let account: { authProvisionId: string };
beforeAll(async () => {
  account = await world.account('mill');
});

const code = `export default { type: 'action', name: 'Adds', version: '0.0.1', key: 'mill-add', props: { app: { type: 'app', app: 'mill' }, a: 'integer', b: { type: 'integer', default: 2 }, text: { type: 'string', optional: true } },
  async run({ steps, $ }) {
    console.log('adding', this.a, this.b);
    $.export('$summary', 'Added ' + this.a);
    $.export('sum', this.a + this.b);
    $.export('twice', 1); $.export('twice', { n: 2 });
    $.export('emits', typeof this.$emit);
    return { key: this.app.$auth.api_key, before: steps.trigger?.event ?? null, length: this.text?.length };
  } }`;

test('P13.1 both what it returns and what it exports is there', async () => {
  const run = await runAction(code, { configured_props: { app: account, a: 1 } });
  expect(run.return_value).toEqual({ key: 'key-1', before: null });
  expect(run.exports).toMatchObject({ sum: 3, twice: { n: 2 }, emits: 'undefined' });
  expect(run.summary).toBe('Added 1');
  expect(run.logs.map(({ text }) => text)).toContain('adding 1 2');
  expect(run.error ?? null).toBeNull();
});

test('P13.12 the next action finds them in steps', async () => {
  const first = await runAction(code, { configured_props: { app: account, a: 1 } });
  const steps = {
    trigger: { event: { x: 1 } },
    add: { ...first.exports, $return_value: first.return_value },
  };
  const reading = `export default { type: 'action', name: 'Reads', run({ steps }) { return [steps.add.sum, steps.add.$return_value.key, steps.trigger.event.x]; } }`;
  const run = await runAction(reading, { configured_props: {}, steps });
  expect(run.return_value).toEqual([3, 'key-1', 1]);
});

test('P13.1 from the CLI', async () => {
  const path = await world.file(code);
  const run = await world.runtime.weirJson<ActionRun>(
    'run',
    path,
    '--prop',
    'a=40',
    '--account',
    `app=${account.authProvisionId}`,
  );
  expect(run).toMatchObject({ exports: { sum: 42 }, return_value: { key: 'key-1' } });
  const human = await world.runtime.weir('run', path, '--prop', 'a=1');
  expect([human.code, human.stdout]).toEqual([0, expect.stringContaining('Added 1') as string]);
});

test('P13.13 one that throws says so, with what it had exported and logged', async () => {
  const throwing = `export default { type: 'action', name: 'Throws', run({ $ }) { console.log('so far'); $.export('half', 1); throw new RangeError('too far'); } }`;
  const run = await runAction(throwing, { configured_props: {} });
  expect(run).toMatchObject({
    exports: { half: 1 },
    error: { name: 'RangeError', message: 'too far' },
  });
  expect(run.error?.stack).toContain('component.mjs');
  expect(run.logs.map(({ text }) => text)).toContain('so far');
  const fromCli = await world.runtime.weir('run', await world.file(throwing));
  expect(fromCli.code).toBe(1);
  expect(fromCli.stdout + fromCli.stderr).toContain('too far');
});

test('P12.8 a ConfigurationError of run is its message, without a stack', async () => {
  const throwing = `${configurationError} export default { type: 'action', name: 'C', run() { throw new ConfigurationError('Choose a sheet'); } }`;
  const { error } = await runAction(throwing, { configured_props: {} });
  expect(error).toMatchObject({ name: 'ConfigurationError', message: 'Choose a sheet' });
  expect(error?.stack).toBeUndefined();
});

test('P4.7 static text is limited to 64 KB, what comes from earlier steps is not', async () => {
  const component_path = await world.file(code);
  const ask = (configured_props: object) =>
    world.runtime.rest('POST', '/v1/actions/run', { component_path, configured_props });
  const refused = refusal(await ask({ a: 1, text: 'x'.repeat(64 * 1024 + 1) }));
  expect(refused).toMatchObject({
    status: 400,
    error: 'text is 65537 bytes long; at most 64 KB are allowed.',
  });
  const reading = `export default { type: 'action', name: 'Big', run({ steps }) { return steps.big.text.length; } }`;
  const steps = { big: { text: 'y'.repeat(300_000) } };
  expect((await runAction(reading, { steps })).return_value).toBe(300_000);
});

test('P4.8 missing and wrong props are named, a source is refused', async () => {
  const component_path = await world.file(code);
  const run = (body: object) => world.runtime.rest('POST', '/v1/actions/run', body);
  const wrong = refusal(await run({ component_path, configured_props: { b: 'two' } }));
  expect(wrong).toMatchObject({ status: 400, code: 'bad_input' });
  expect(wrong.details?.map(({ prop }) => prop)).toEqual(['a', 'b']);
  const source = await world.file(`export default { name: 'S', run() {} }`);
  expect(refusal(await run({ component_path: source }))).toMatchObject({
    status: 400,
    code: 'bad_component',
  });
});
