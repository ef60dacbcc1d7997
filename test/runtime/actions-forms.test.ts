import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Account, PropOptions, PropSet, Source } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

/** What a form asks: `components.configure` and `components.props` (P5, P6, P17.12). */
const runtime = useRuntime(['--set', 'run.timeoutSeconds=2']);

let files = 0;
const file = (code: string) => {
  files += 1;
  return runtime.file(`form-${files}.mjs`, code);
};
const configure = (params: object) =>
  runtime.restData<PropOptions>('POST', '/v1/components/configure', params);
const props = (params: object) => runtime.restData<PropSet>('POST', '/v1/components/props', params);
const hosts = async () => (await (await runtime.connect()).call('runtime.info', {})).hosts;

const app = `const app = { type: 'app', app: 'slack',
  propDefinitions: { channel: { type: 'string', async options({ team, page, prevContext, query }) {
    console.log('asked');
    return { options: [this.$auth.token, team, page, prevContext.at ?? 'first', query ?? 'all'].map(String),
      context: { at: page + 1 } };
  } } } };`;

describe('options', () => {
  test('of a file: account, input values without their envelope, paging, log lines', async () => {
    const account = await runtime.restData<Account>('POST', '/v1/accounts', {
      app: 'slack',
      credentials: { token: 'T' },
    });
    const component_path =
      await file(`${app} export default { run() {}, props: { app, team: 'string',
      channel: { propDefinition: [app, 'channel', (c) => ({ team: c.team })] } } }`);
    const configured_props = {
      app: { authProvisionId: account.id },
      team: { __lv: { label: 'One', value: 'one' } },
    };
    const first = await configure({ component_path, prop_name: 'channel', configured_props });
    expect(first).toEqual({
      options: ['T', 'one', '0', 'first', 'all'].map((text) => ({ label: text, value: text })),
      context: { at: 1 },
      errors: [],
      observations: [{ k: 'console', ts: expect.any(Number), level: 'info', message: 'asked' }],
    });
    const second = await configure({
      component_path,
      prop_name: 'channel',
      configured_props,
      page: 1,
      prev_context: first.context,
      query: 'q',
    });
    expect(second.options.map(({ value }) => value)).toEqual(['T', 'one', '1', '1', 'q']);
  });

  test('of a deployed source: its stored values, sealed ones too, lie under what is given', async () => {
    const component_path = await file(`export default { props: {
        key: { type: 'string', secret: true }, team: 'string', db: '$.service.db', http: '$.interface.http',
        pick: { type: 'string', optional: true, options() {
          return [this.key, this.team, String(this.db.get('n')), this.http.endpoint];
        } } },
      run() { this.db.set('n', 5); } }`);
    const source = await runtime.restData<Source>('POST', '/v1/sources', {
      component_path,
      name: 'Deployed',
      configured_props: { key: 'k-secret', team: 'old' },
    });
    await runtime.restData('POST', `/v1/sources/${source.id}/invocations`, {});
    const { options } = await configure({
      id: 'deployed',
      prop_name: 'pick',
      configured_props: { key: { secret: true }, team: 'new' },
    });
    expect(options.map(({ value }) => value)).toEqual([
      'k-secret',
      'new',
      '5',
      source.endpoint_url,
    ]);
  });

  test.for([
    [
      'throws',
      `throw new RangeError('no such team')`,
      'options() of p failed: RangeError: no such team',
    ],
    [
      'wants a setting',
      `throw Object.assign(new Error('Choose a team first.'), { name: 'ConfigurationError' })`,
      'Choose a team first.',
    ],
    ['never ends', 'for (;;);', 'options() of p failed: ran longer than 2 s'],
    ['ends its process', 'process.exit(1)', 'options() of p failed: called process.exit(1)'],
  ])('one that %s is a sentence, not a failed call', async ([, code, sentence]) => {
    const component_path = await file(
      `export default { run() {}, props: { p: { type: 'string', options() { ${code} } } } }`,
    );
    const answer = await configure({ component_path, prop_name: 'p' });
    expect(answer).toMatchObject({ options: [], context: null, errors: [sentence] });
    expect(answer.observations.at(-1)).toMatchObject({ k: 'error', level: 'error' });
  });

  test('a prop that does not exist, and a file that cannot be loaded, are errors of the call', async () => {
    const component_path = await file(`export default { run() {}, props: { p: 'string' } }`);
    expect(
      await runtime.rest('POST', '/v1/components/configure', { component_path, prop_name: 'q' }),
    ).toMatchObject({
      status: 400,
      body: { error: 'The component has no prop "q". It has: p.' },
    });
    const broken = await file('export default {');
    expect(
      (
        await runtime.rest('POST', '/v1/components/configure', {
          component_path: broken,
          prop_name: 'q',
        })
      ).status,
    ).toBe(400);
    expect(
      (await runtime.rest('POST', '/v1/components/configure', { prop_name: 'q' })).status,
    ).toBe(400);
  });

  test('one process serves a form until the code changes, and one that was cancelled is gone', async () => {
    const code = (
      more: string,
    ) => `let calls = 0; export default { run() {}, props: { p: { type: 'string', async options({ query }) {
      if (query === 'wait') { console.log('waiting'); await new Promise(() => {}); }
      return [String(++calls)]; } } } } ${more}`;
    const component_path = await file(code(''));
    const calls = async () =>
      (await configure({ component_path, prop_name: 'p' })).options[0]?.value;
    expect([await calls(), await calls(), await calls()]).toEqual(['1', '2', '3']);
    const [pid] = (await hosts()).slice(-1).map((host) => host.pid);

    const cancel = new AbortController();
    const connection = await runtime.connect();
    const waiting = connection.call(
      'components.configure',
      { component_path, prop_name: 'p', query: 'wait' },
      { signal: cancel.signal },
    );
    await until('the call', async () =>
      (await hosts()).some((host) => host.pid === pid && host.in_flight === 1),
    );
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await until('its end', async () => !(await hosts()).some((host) => host.pid === pid));
    expect(await calls()).toBe('1');

    await writeFile(component_path, code('// changed\nglobalThis.changed = 1;'));
    expect(await calls()).toBe('1');
  });

  test('many at once are served by a few processes', async () => {
    const component_path =
      await file(`export default { run() {}, props: { p: { type: 'string', async options({ page }) {
      await new Promise((resolve) => setTimeout(resolve, 20)); return [page]; } } } }`);
    const pages = Array.from({ length: 12 }, (_, page) => page);
    const answers = await Promise.all(
      pages.map((page) => configure({ component_path, prop_name: 'p', page })),
    );
    expect(answers.map(({ options }) => options[0]?.value)).toEqual(pages);
    expect((await hosts()).filter((host) => host.source_id === null).length).toBeLessThanOrEqual(4);
  });
});

describe('additional props', () => {
  const dynamic = `export default { run() {}, props: {
      kind: { type: 'string', reloadProps: true }, extra: { type: 'string', hidden: true } },
    additionalProps(previous) {
      if (this.kind === undefined) return {};
      if (this.kind === 'bad') throw Object.assign(new Error('Not that kind.'), { name: 'ConfigurationError' });
      previous.extra.hidden = false;
      return { ['of_' + this.kind]: { type: 'string', options: async () => ['o-' + this.kind + '-' + (this.other ?? '')] }, other: { type: 'string', optional: true } };
    } }`;

  test('the whole set in order, edits in place included; its id leads back to it', async () => {
    const component_path = await file(dynamic);
    const set = await props({ component_path, configured_props: { kind: 'a' } });
    expect(set).toMatchObject({
      dynamic_props_id: expect.stringMatching(/^dyp_\w{7}$/),
      errors: [],
      observations: [],
    });
    expect(set.configurable_props.map(({ name }) => name)).toEqual([
      'kind',
      'extra',
      'of_a',
      'other',
    ]);
    expect(set.configurable_props[1]).toMatchObject({ hidden: false });
    expect(set.configurable_props[2]).toMatchObject({ remoteOptions: true });
    const { options } = await configure({
      component_path,
      prop_name: 'of_a',
      configured_props: { kind: 'a', other: 'x' },
      dynamic_props_id: set.dynamic_props_id,
    });
    expect(options).toEqual([{ label: 'o-a-x', value: 'o-a-x' }]);
  });

  test('nothing chosen: the declared set; refused: the declared set and the sentence', async () => {
    const component_path = await file(dynamic);
    const names = (set: PropSet) => set.configurable_props.map(({ name }) => name);
    expect(names(await props({ component_path }))).toEqual(['kind', 'extra']);
    const refused = await props({ component_path, configured_props: { kind: 'bad' } });
    expect(refused).toMatchObject({ dynamic_props_id: null, errors: ['Not that kind.'] });
    expect(names(refused)).toEqual(['kind', 'extra']);
    const plain = await file(`export default { run() {}, props: { a: 'string' } }`);
    expect(names(await props({ component_path: plain }))).toEqual(['a']);
  });

  test('of a deployed source, by what is stored and what is typed over it', async () => {
    const component_path = await file(dynamic);
    const source = await runtime.restData<Source>('POST', '/v1/sources', {
      component_path,
      configured_props: { kind: 'a', extra: 'e', of_a: '1' },
    });
    const names = async (configured_props: object) =>
      (await props({ id: source.id, configured_props })).configurable_props.map(({ name }) => name);
    expect(await names({})).toEqual(['kind', 'extra', 'of_a', 'other']);
    expect(await names({ kind: 'b' })).toEqual(['kind', 'extra', 'of_b', 'other']);
  });
});
