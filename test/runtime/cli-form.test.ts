/** `weir deploy` in a terminal: every prop that needs a value is asked for, and checked at once. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploy } from '../../src/cli/verbs/deploy.ts';
import type { Source } from '../../src/protocol/catalogue.ts';
import { useRuntime } from '../support/runtime.ts';
import { down, enter, typeCommand } from './support/terminal.ts';

const runtime = useRuntime();

async function typeDeploy(name: string, props: string, more = '', ...flags: string[]) {
  const code = `export default {
    key: "${name}", name: "${name}", version: "0.0.1", type: "source",
    props: { ${props} }, ${more} run() {} };`;
  const path = await runtime.file(`${name}.mjs`, code);
  return typeCommand(
    deploy,
    runtime.folder,
    'deploy',
    path,
    ...flags,
    '--data',
    join(runtime.folder, 'data'),
  );
}

async function configured(name: string): Promise<Source['configured_props']> {
  const sources = await runtime.weirJson<Source[]>('list', 'sources');
  return sources.find((source) => source.name === name)?.configured_props ?? {};
}

test('static options: the label is shown, the value stored, and typing narrows them down', async () => {
  const terminal = await typeDeploy(
    'sizes',
    `size: { type: "string", label: "Size", options: [
      { label: "Small", value: "s" }, { label: "Large", value: "l" }, { label: "Extra large", value: "xl" }] },
     colour: { type: "string", options: ["red", "green"] }`,
  );
  await terminal.shows('Size (size):');
  await terminal.shows('Extra large');
  await terminal.type('large');
  await terminal.shows('Use "large"');
  await terminal.type(down, enter);
  await terminal.shows('green');
  await terminal.type(enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('sizes')).toMatchObject({
    size: { __lv: { label: 'Extra large', value: 'xl' } },
    colour: 'red',
  });
});

test('options of the component: more of them on request, and what it finds for a text', async () => {
  const terminal = await typeDeploy(
    'projects',
    `project: { type: "string", options({ page }) {
       return page > 1 ? [] : [1, 2].map((n) => ({ label: "Project " + (n + 2 * page), value: "p" + (n + 2 * page) })); } },
     people: { type: "string[]", useQuery: true, options({ query }) {
       return ["Ada", "Grace", "Hedy"].filter((name) => query === undefined || name.startsWith(query)); } }`,
  );
  await terminal.shows('Project 2');
  await terminal.type('Load');
  await terminal.shows('Use "Load"');
  await terminal.type(down, enter);
  await terminal.shows('Project 4');
  await terminal.type(down, down, down, enter);
  await terminal.shows('people, one after the other:');
  await terminal.type('Gr');
  await terminal.shows('Use "Gr"');
  await terminal.type(enter);
  await terminal.shows('Done');
  await terminal.type('Ad');
  await terminal.shows('Use "Ad"');
  await terminal.type(enter);
  await terminal.shows('Done');
  await terminal.type(enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('projects')).toMatchObject({
    project: { __lv: { label: 'Project 4', value: 'p4' } },
    people: ['Grace', 'Ada'],
  });
});

test.each([
  ['narrowed down by', false, 'Graz'],
  ['asked for', true, 'Graz for Gra'],
])('what is typed before the options are there is what they are %s', async (_, isAsked, shown) => {
  const name = isAsked ? 'asked' : 'narrowed';
  const terminal = await typeDeploy(
    name,
    `city: { type: "string", useQuery: ${isAsked}, async options({ query }) {
       await new Promise((resolve) => setTimeout(resolve, 500));
       return ["Graz", "Bern"].map((city) => city + (query === undefined ? "" : " for " + query)); } }`,
  );
  await terminal.shows('city:');
  await terminal.type('G', 'r', 'a');
  await terminal.shows(shown);
  await terminal.type(enter);
  expect(await terminal.code).toBe(0);
  expect(await configured(name)).toMatchObject({ city: shown });
});

test('options that cannot be listed: why is said, and a value is typed', async () => {
  const terminal = await typeDeploy(
    'locked',
    'board: { type: "string", options() { throw new Error("The key is wrong"); } }',
  );
  await terminal.shows('The key is wrong');
  await terminal.type('b-1');
  await terminal.shows('Use "b-1"');
  await terminal.type(enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('locked')).toMatchObject({ board: 'b-1' });
});

test('of several accounts one is chosen from a list', async () => {
  const add = ['accounts', 'add', 'shop', '--field', 'api_key=1', '--name'];
  await runtime.weirJson(...add, 'Mine');
  const other = await runtime.weirJson<{ id: string }>(...add, 'The other');
  const terminal = await typeDeploy('orders', 'shop: { type: "app", app: "shop" }');
  await terminal.shows('shop, an account of shop:');
  await terminal.shows('The other');
  await terminal.type('nobody');
  await terminal.shows('No account is called "nobody".');
  await terminal.type(...Array<string>('nobody'.length).fill('\u007f'), 'OTHER');
  await terminal.shows('❯ The other');
  await terminal.type(enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('orders')).toEqual({ shop: { authProvisionId: other.id } });
});

test('without an account one is told how to connect one, and may go without', async () => {
  const terminal = await typeDeploy('alone', 'api: { type: "app", app: "nobody_has_it" }');
  await terminal.shows('There is none; connect one with "weir accounts add nobody_has_it"');
  await terminal.shows('❯ No account');
  await terminal.type(enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('alone')).toEqual({});
});

test('an answer that cannot be is asked for again at once', async () => {
  const terminal = await typeDeploy(
    'checked',
    'count: { type: "integer", min: 1, max: 10 }, timer: "$.interface.timer"',
  );
  const attempts = [
    ['many', 'takes a number'],
    ['1.5', 'count takes a whole number.'],
    ['11', 'count must be 10 or less.'],
    ['', 'A value is needed'],
  ];
  for (const [answer = '', problem = ''] of attempts) {
    await terminal.shows('count, integer: ');
    await terminal.type(answer, enter);
    await terminal.shows(problem);
  }
  await terminal.shows('count, integer: ');
  await terminal.type('7', enter);
  await terminal.shows('such as 15m');
  await terminal.type('99 9 * * *', enter);
  await terminal.shows('such as 15m');
  await terminal.type('0 9 * * *', enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('checked')).toMatchObject({ count: 7, timer: { cron: '0 9 * * *' } });
});

const sheets = {
  props: 'sheet: { type: "string", reloadProps: true }',
  more: `additionalProps() {
    if (this.sheet === undefined) return {};
    if (this.sheet !== "people") throw new Error("There is no sheet " + this.sheet);
    return { first: { type: "string", label: "First name" } };
  },`,
};

test('a choice that brings further props: a wrong one is asked for again, then they are asked for', async () => {
  const terminal = await typeDeploy('sheets', sheets.props, sheets.more);
  await terminal.shows('sheet: ');
  await terminal.type('none', enter);
  await terminal.shows('There is no sheet none');
  await terminal.shows('sheet: ');
  await terminal.type('people', enter);
  await terminal.shows('First name (first): ');
  await terminal.type('Ada', enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('sheets')).toMatchObject({ sheet: 'people', first: 'Ada' });
});

test('props that take two choices: the other one is asked for before anything is asked for again', async () => {
  const terminal = await typeDeploy(
    'two',
    'base: { type: "string", reloadProps: true }, table: { type: "string", reloadProps: true }',
    `additionalProps() {
      if (this.base === undefined || this.table === undefined) throw new Error("Choose a base and a table");
      if (this.table !== "people") throw new Error("There is no table " + this.table);
      return { first: { type: "string" } };
    },`,
  );
  await terminal.shows('base: ');
  await terminal.type('hr', enter);
  await terminal.shows('Choose a base and a table');
  await terminal.shows('table: ');
  await terminal.type('none', enter);
  await terminal.shows('There is no table none');
  // Which of the two is wrong, nobody but the user knows.
  await terminal.shows('base: ');
  await terminal.type('hr', enter);
  await terminal.shows('table: ');
  await terminal.type('people', enter);
  await terminal.shows('first: ');
  await terminal.type('Ada', enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('two')).toMatchObject({ base: 'hr', table: 'people', first: 'Ada' });
});

test('props that no value brings are given up, with what can be done', async () => {
  const terminal = await typeDeploy(
    'broken',
    'sheet: { type: "string", reloadProps: true }',
    'additionalProps() { throw new Error("Out of paper."); },',
  );
  for (let round = 0; round < 5; round++) {
    await terminal.shows('sheet: ');
    await terminal.type(`try ${round}`, enter);
    await terminal.shows('Out of paper');
  }
  expect(await terminal.code).toBe(1);
  expect(terminal.screen()).toContain('or mend its additionalProps()');
});

test('an account for an app that a choice brings is chosen', async () => {
  const add = ['accounts', 'add', 'store', '--field', 'api_key=1', '--name'];
  await runtime.weirJson(...add, 'First');
  const second = await runtime.weirJson<{ id: string }>(...add, 'Second');
  const terminal = await typeDeploy(
    'brings-app',
    'kind: { type: "string", reloadProps: true }',
    `additionalProps() { return this.kind === undefined ? {} : { store: { type: "app", app: "store" } }; },`,
  );
  await terminal.shows('kind: ');
  await terminal.type('shop', enter);
  await terminal.shows('store, an account of store:');
  await terminal.type(down, enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('brings-app')).toMatchObject({ store: { authProvisionId: second.id } });
});

test('props that a value of the command line brings are asked for', async () => {
  const terminal = await typeDeploy('given', sheets.props, sheets.more, '--prop', 'sheet=people');
  await terminal.shows('First name (first): ');
  await terminal.type('Grace', enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('given')).toMatchObject({ sheet: 'people', first: 'Grace' });
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at a list gives up: nothing is deployed, exit 1', async (_, key) => {
  const terminal = await typeDeploy('left', 'size: { type: "string", options: ["s", "l"] }');
  await terminal.shows('size:');
  await terminal.type(key);
  expect(await terminal.code).toBe(1);
  expect(terminal.screen()).toContain('weir: Cancelled.');
  expect(await configured('left')).toEqual({});
});

test.each([
  ['a list that takes its time', 'remoteOptions', ['gam', enter]],
  ['a list in the file, all of it pasted', 'fixed', [`gam${enter}`]],
  ['a list that takes its time, all of it pasted', 'remoteOptions', [`gam${enter}`]],
])(
  'Enter takes from the list for what was typed, and from no older one: %s',
  async (what, kind, keys) => {
    const name = `stale-${what.length}-${kind}`;
    const options =
      kind === 'fixed'
        ? 'options: ["alpha", "beta", "gamma"]'
        : `useQuery: true, async options({ query }) {
           await new Promise((resolve) => setTimeout(resolve, 700));
           return ["alpha", "beta", "gamma"].filter((one) => !query || one.startsWith(query)); }`;
    const terminal = await typeDeploy(name, `p: { type: "string", ${options} }`);
    await terminal.shows('alpha');
    await terminal.type(...keys);
    expect(await terminal.code).toBe(0);
    expect(await configured(name)).toMatchObject({ p: 'gamma' });
  },
);

test('arrows that were pressed before the list came move in that list, and Ctrl-C waits for none', async () => {
  const options = `useQuery: true, async options({ query }) {
    await new Promise((resolve) => setTimeout(resolve, 700));
    return ["alpha", "gala", "gamma"].filter((one) => !query || one.startsWith(query)); }`;
  const terminal = await typeDeploy('arrows', `p: { type: "string", ${options} }`);
  await terminal.shows('alpha');
  await terminal.type('ga', down, enter);
  expect(await terminal.code).toBe(0);
  expect(await configured('arrows')).toMatchObject({ p: 'gamma' });

  const ended = await typeDeploy('given-up', `p: { type: "string", ${options} }`);
  await ended.shows('alpha');
  await ended.type('ga', enter, '\u0003');
  expect(await ended.code).not.toBe(0);
});
