import { beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { conformanceWorld, refusal } from './world.ts';

/** What a form asks a component for (P5, P6, P17.12). */
const world = conformanceWorld();

interface Configured {
  readonly options: readonly { readonly label: string; readonly value: unknown }[];
  readonly context: unknown;
  /** One sentence each. */
  readonly errors: readonly string[];
  /** What it logged: `{k, ts, …}`. */
  readonly observations: readonly object[];
}

interface Props {
  readonly dynamic_props_id: string | null;
  readonly configurable_props: readonly {
    readonly name: string;
    readonly [key: string]: unknown;
  }[];
  readonly errors: readonly string[];
  readonly observations: readonly object[];
}

const post =
  <T>(path: string) =>
  async (code: string, body: object): Promise<T> =>
    world.runtime.restData<T>('POST', path, { component_path: await world.file(code), ...body });
const configure = post<Configured>('/v1/components/configure');
const computeProps = post<Props>('/v1/components/props');

const configurationError = `class ConfigurationError extends Error { name = 'ConfigurationError'; }`;

/** An app whose options() tell what they were given. */
const app = `const app = { type: 'app', app: 'mill', propDefinitions: {
    wheel: { type: 'string', label: 'Wheel', async options(given) { return this.tell(given); } },
  }, methods: { tell(given) { return [{ label: 'given', value: { given, key: this.$auth.api_key ?? null } }]; } } };`;
const told = ({ options }: Configured) => options[0]?.value as { given: object; key: unknown };

let account: { authProvisionId: string };
beforeAll(async () => {
  account = await world.account('mill');
});

describe('options', () => {
  const code = `${app} export default { name: 'O', props: { app, base: 'string', wheel: { propDefinition: [app, 'wheel', (c) => ({ base: c.base })], useQuery: true } }, run() {} }`;

  test('P5.8 the first call gets {page: 0, prevContext: {}} and the input values, on the app with its $auth', async () => {
    const answer = await configure(code, {
      prop_name: 'wheel',
      configured_props: { app: account, base: 'b' },
    });
    expect(told(answer)).toEqual({ given: { page: 0, prevContext: {}, base: 'b' }, key: 'key-1' });
    expect(answer).toMatchObject({ context: null, errors: [], observations: [] });
  });

  test('P5.8 later calls get page, prev_context and query as they were given', async () => {
    const answer = await configure(code, {
      prop_name: 'wheel',
      configured_props: { app: account, base: 'b' },
      page: 3,
      prev_context: { nextPageToken: ['n'] },
      query: 'oak',
    });
    expect(told(answer).given).toEqual({
      page: 3,
      prevContext: { nextPageToken: ['n'] },
      query: 'oak',
      base: 'b',
    });
  });

  test('P5.10 pages follow each other by the context that came back', async () => {
    const paging = `export default { name: 'Pages', props: { item: { type: 'integer', async options({ page, prevContext: { offset = 0 } }) {
      console.log('page', page);
      return offset >= 4 ? { options: [] } : { options: [offset, offset + 1], context: { offset: offset + 2 } };
    } } }, run() {} }`;
    const values: unknown[] = [];
    let prev_context: unknown;
    for (let page = 0; ; page += 1) {
      const { options, context, observations } = await configure(paging, {
        prop_name: 'item',
        page,
        ...(page === 0 ? {} : { prev_context }),
      });
      expect(JSON.stringify(observations)).toContain(`page ${page}`);
      if (options.length === 0) break;
      values.push(...options);
      prev_context = context;
    }
    expect(values).toEqual([0, 1, 2, 3].map((value) => ({ label: String(value), value })));
  });

  test('P5.8 of a deployed source, with what it is configured with', async () => {
    const secret = `export default { name: 'Deployed options', props: { token: { type: 'string', secret: true }, team: { type: 'string', optional: true, options() { return [this.token.length + (this.team ?? '')]; } } }, run() {} }`;
    const source = await world.deploy(secret, { configured_props: { token: 'secret' } });
    const ask = (more: object) =>
      world.runtime.restData<Configured>('POST', '/v1/components/configure', {
        id: source.id,
        prop_name: 'team',
        ...more,
      });
    expect((await ask({})).options).toEqual([{ label: '6', value: '6' }]);
    const tried = await ask({ configured_props: { team: '!' } });
    expect(tried.options).toEqual([{ label: '6!', value: '6!' }]);
  });

  test('P5.3 a propDefinition whose type becomes string[] keeps its options', async () => {
    const list = code.replace(`useQuery: true`, `type: 'string[]', label: 'Wheels'`);
    const props = await computeProps(list, { configured_props: { app: account, base: 'b' } });
    expect(props.configurable_props.at(-1)).toEqual({
      name: 'wheel',
      type: 'string[]',
      label: 'Wheels',
      remoteOptions: true,
    });
    const answer = await configure(list, {
      prop_name: 'wheel',
      configured_props: { app: account, base: 'b', wheel: ['x'] },
    });
    expect(told(answer).key).toBe('key-1');
  });

  test('P5.5 input values as a function see unwrapped values, and {label, value} of props withLabel', async () => {
    const labels = `${app} export default { name: 'L', props: { app, team: 'string', teams: 'string[]', kept: { type: 'string', withLabel: true }, keptList: { type: 'string[]', withLabel: true },
      wheel: { propDefinition: [app, 'wheel', ({ team, teams, kept, keptList, unset }) => ({ team, teams, kept, keptList, unset: unset ?? 'undefined', filter: (x) => x })] } }, run() {} }`;
    const lv = (value: string) => ({ label: value.toUpperCase(), value });
    const answer = await configure(labels, {
      prop_name: 'wheel',
      configured_props: {
        app: account,
        team: { __lv: lv('a') },
        teams: { __lv: [lv('b'), lv('c')] },
        kept: { __lv: lv('d') },
        keptList: { __lv: [lv('e')] },
      },
    });
    expect(told(answer).given).toEqual({
      page: 0,
      prevContext: {},
      team: 'a',
      teams: ['b', 'c'],
      kept: lv('d'),
      keptList: [lv('e')],
      unset: 'undefined',
    });
  });

  test('P12.8 a ConfigurationError of options is its message, without a stack', async () => {
    const throwing = `${configurationError} export default { name: 'T', props: { team: { type: 'string', options() { console.log('asking'); throw new ConfigurationError('Connect an account first'); } } }, run() {} }`;
    const answer = await configure(throwing, { prop_name: 'team', configured_props: {} });
    expect(answer).toMatchObject({ options: [], errors: ['Connect an account first'] });
    expect(JSON.stringify(answer)).toContain('asking');
    expect(JSON.stringify(answer)).not.toMatch(/\bat .*component/);
  });

  test('P5.8 a prop that does not exist is named', async () => {
    const component_path = await world.file(code);
    const body = { component_path, prop_name: 'weel', configured_props: {} };
    const answer = refusal(await world.runtime.rest('POST', '/v1/components/configure', body));
    expect(answer.status).toBe(400);
    expect(answer.error).toContain('"weel"');
  });
});

describe('additionalProps', () => {
  const code = `${configurationError} export default { name: 'A', props: { table: { type: 'string', reloadProps: true }, filter: { type: 'string', optional: true, hidden: true } },
    async additionalProps(defs) {
      console.log('asked for', this.table);
      if (this.table === 'none') throw new ConfigurationError('There is no such table');
      defs.filter.hidden = this.table !== 'big';
      return { [this.table + '_column']: { type: 'string', options: ['a', 'b'] }, http: '$.interface.http' };
    }, run() {} }`;

  test('P6.3 changing its argument changes hidden; the whole set comes back in order', async () => {
    const small = await computeProps(code, { configured_props: { table: 'small' } });
    expect(small.configurable_props).toEqual([
      { name: 'table', type: 'string', reloadProps: true },
      { name: 'filter', type: 'string', optional: true, hidden: true },
      { name: 'small_column', type: 'string', options: ['a', 'b'] },
      { name: 'http', type: '$.interface.http' },
    ]);
    expect(small.errors).toEqual([]);
    expect(JSON.stringify(small.observations)).toContain('asked for small');
    const big = await computeProps(code, { configured_props: { table: 'big' } });
    expect(big.configurable_props.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['table', undefined],
      ['filter', false],
      ['big_column', undefined],
      ['http', undefined],
    ]);
    expect(big.dynamic_props_id).toMatch(/^dyp_/);
  });

  test('P6.3 of a deployed source', async () => {
    const source = await world.deploy(code, {
      configured_props: { table: 'small', small_column: 'a' },
    });
    const props = await world.runtime.restData<Props>('POST', '/v1/components/props', {
      id: source.id,
      configured_props: { table: 'other' },
    });
    expect(props.configurable_props.map(({ name }) => name)).toContain('other_column');
    const kept = await world.runtime.restData<Source>('GET', `/v1/sources/${source.id}`);
    expect(kept.configurable_props).toEqual(source.configurable_props);
  });

  test('P12.8 a ConfigurationError of additionalProps is its message, without a stack', async () => {
    const props = await computeProps(code, { configured_props: { table: 'none' } });
    expect(props.errors).toEqual(['There is no such table']);
    expect(props.configurable_props.map(({ name }) => name)).toEqual(['table', 'filter']);
    expect(JSON.stringify(props)).not.toMatch(/\bat .*component/);
  });
});
