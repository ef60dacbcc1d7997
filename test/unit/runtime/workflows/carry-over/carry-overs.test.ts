/** A carry-over from the step to what is here (P25.130): everything that was asked for, and nothing else. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { carryWorld, handOver, markers, usualNeeds, usualWorld } from './world.ts';

test('what the step hands over is here, as it was there', async () => {
  const { begin, carryOvers, accounts, environment, store, files, fileText } = await carryWorld();
  const { code, state } = await begin();
  const { text, kept } = await handOver(code);
  for (const marker of markers) expect(kept).not.toContain(marker);
  const taken = await carryOvers.take(text, undefined);
  expect(taken).toMatchObject({ accounts: 2, variables: 1, records: 3, files: 3, refused: [] });
  expect(accounts.credentials('apn_slack')).toEqual(usualWorld.accounts?.['a0_slack']);
  expect(accounts.credentials('apn_shop')).toEqual(usualWorld.accounts?.['a1_shop_x']);
  expect(accounts.find('apn_shop')).toMatchObject({ app: 'shop-x' });
  expect(environment.all()).toEqual({ SHOP_KEY: 'env-marker' });
  expect(await store.dataStores.entries('ds_orders', 0, { after: null, limit: 9 })).toEqual([
    ['', '"empty"'],
    ['Grüße', '[1,null]'],
    ['order-7', '{"note":"record-marker"}'],
  ]);
  expect(files()).toEqual(['a.txt', 'deep', 'deep/b.bin', 'empty.txt']);
  expect(fileText('deep/b.bin').toString('base64')).toBe(usualWorld.files?.['deep/b.bin']);
  const [one] = await carryOvers.list();
  expect(one?.status).toMatchObject({
    isComplete: false,
    accounts: [
      { id: 'apn_slack', state: 'here', isBridge: true },
      { id: 'apn_shop', state: 'here', isBridge: false },
    ],
    variables: [
      { name: 'SHOP_KEY', state: 'here' },
      { name: 'UNSET', state: 'unread' },
    ],
    stores: [{ id: 'ds_orders', records: 3, total: 3, state: 'here' }],
    files: { here: 3, total: 3, state: 'here' },
    problems: [],
  });
  // From another project, which has the variable.
  const rest = await handOver(code, { ...usualWorld, env: { SHOP_KEY: 'other', UNSET: 'set' } });
  const again = await carryOvers.take(rest.text, undefined);
  expect(again).toMatchObject({ accounts: 0, variables: 1, records: 0, completed: [state.id] });
  expect(environment.all()).toEqual({ SHOP_KEY: 'env-marker', UNSET: 'set' });
  expect((await carryOvers.list())[0]?.state.privateKey).toBeNull();
  expect((await carryOvers.take(rest.text, undefined)).refused[0]).toMatch(/has ended and its key/);
});

test('nothing that is here is overwritten', async () => {
  const { begin, carryOvers, accounts, environment, store, filesDir, fileText } =
    await carryWorld();
  const { code } = await begin();
  await accounts.create({ id: 'apn_slack', app: 'slack', credentials: { mine: 1 } });
  await environment.set('SHOP_KEY', 'mine');
  await store.dataStores.ensure({ id: 'ds_orders', name: 'ds_orders', createdAt: 1 });
  await store.dataStores.set('ds_orders', ['order-7', '"mine"'], null, 1);
  mkdirSync(filesDir, { recursive: true });
  writeFileSync(join(filesDir, 'a.txt'), 'mine');
  const { text } = await handOver(code);
  expect(await carryOvers.take(text, undefined)).toMatchObject({ accounts: 1, already: 4 });
  expect(accounts.credentials('apn_slack')).toEqual({ mine: 1 });
  expect(environment.all()['SHOP_KEY']).toBe('mine');
  expect(await store.dataStores.value('ds_orders', 'order-7', 1)).toBe('"mine"');
  expect(fileText('a.txt').toString()).toBe('mine');
});

test('blocks that were changed, cut, doubled, lost or made for others are refused by name', async () => {
  const { begin, carryOvers, accounts } = await carryWorld();
  const { code } = await begin();
  // Incompressible, so that there are several blocks.
  const records = Array.from(
    { length: 12 },
    (_, n) => [`k${n}`, randomBytes(150_000).toString('base64')] as const,
  );
  const { text } = await handOver(code, { ...usualWorld, stores: { s0: records }, files: {} });
  const blocks = text.split('\n');
  expect(blocks.length).toBeGreaterThanOrEqual(3);
  const [first = '', second = ''] = blocks;
  const take = async (given: string) => (await carryOvers.take(given, undefined)).refused;
  const [word, header = '', body = ''] = first.split('.');
  const flipped = `${body.slice(0, 99)}${body[99] === 'A' ? 'B' : 'A'}${body.slice(100)}`;
  const told = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>;
  const withHeader = (change: object) =>
    `${word}.${Buffer.from(JSON.stringify({ ...told, ...change })).toString('base64url')}.${body}`;
  for (const forged of [
    `${word}.${header}.${flipped}`,
    `${word}.${header}.${body.slice(0, -20)}`,
    withHeader({ n: 1 }),
    withHeader({ at: Number(told['at']) + 1 }),
    withHeader({ f: '00000000' }),
    `${word}.${header}.AAAA`,
  ]) {
    expect(await take(forged)).toEqual([
      expect.stringMatching(/^Block \d of run \w{8} cannot be opened/),
    ]);
  }
  expect(await take(`${word}.AAAA.${body}`)).toEqual([expect.stringMatching(/cut or changed/)]);
  expect(await take(withHeader({ c: 'another' }))).toEqual([
    expect.stringMatching(/was made for another carry-over \(another\)/),
  ]);
  expect(accounts.all()).toEqual([]);
  expect(await take(`copied twice: ${first} ${first}`)).toEqual([
    expect.stringMatching(/^Block 1 of run \w{8} has come before/),
  ]);
  // All but the second one.
  await take(blocks.filter((one) => one !== second && one !== first).join('\n'));
  const [half] = await carryOvers.list();
  expect(half?.status.problems).toContainEqual(
    expect.stringMatching(/^Block 2 of \d of run \w{8} is missing\.$/),
  );
  expect(half?.status.problems).toContainEqual(
    expect.stringMatching(/^Data store ds_orders has \d+ of 12 records\.$/),
  );
  expect(await take(second)).toEqual([]);
  expect((await carryOvers.list())[0]?.status.problems).toEqual([]);
});

test('two carry-overs at once do not mix, and one of another Weir is refused', async () => {
  const { begin, carryOvers, accounts } = await carryWorld();
  const other = await carryWorld();
  const needs = (id: string, app: string) => ({
    workflow: 'W',
    accounts: [{ id, app, step: 's' }],
    variables: [],
    stores: [],
    files: false,
  });
  const one = await begin(needs('apn_one', 'one'));
  const two = await begin(needs('apn_two', 'two'));
  const foreign = await other.begin(needs('apn_one', 'one'));
  const texts = await Promise.all(
    [
      { code: one.code, prop: 'a0_one' },
      { code: two.code, prop: 'a0_two' },
      { code: foreign.code, prop: 'a0_one' },
    ].map(({ code, prop }) => handOver(code, { accounts: { [prop]: { api_key: prop } } })),
  );
  // Both at the same time, and all in one text.
  const all = texts.map(({ text }) => text).join(' ');
  const both = await Promise.all([
    carryOvers.take(all, undefined),
    carryOvers.take(all, undefined),
  ]);
  expect(both.map((taken) => taken.accounts)).toEqual([2, 0]);
  expect(both[0]?.refused).toEqual([expect.stringMatching(/was made for another carry-over/)]);
  expect(both[0]?.completed).toEqual([one.state.id, two.state.id]);
  expect(accounts.credentials('apn_two')).toEqual({ api_key: 'a0_two' });
});

test('a forger who has the public key brings nothing that was not asked for', async () => {
  const { begin, carryOvers, accounts, environment, store, filesDir } = await carryWorld();
  const { code } = await begin({ ...usualNeeds, files: false });
  // The same key in a step that asks for more.
  const forged = code
    .replace('["a0_slack","slack","apn_slack"]', '["a0_slack","slack","apn_evil"]')
    .replace('SHOP_KEY: process.env.SHOP_KEY', 'NODE_OPTIONS: "--require /evil"')
    .replace('"ds_orders"', '"ds_evil"')
    .replace('const FILES = false', 'const FILES = true');
  const { text } = await handOver(forged);
  const taken = await carryOvers.take(text, undefined);
  expect(taken).toMatchObject({ accounts: 1, variables: 0, records: 0, files: 0 });
  expect(taken.refused).toEqual(
    expect.arrayContaining([
      expect.stringContaining('Account apn_evil of slack was not asked for'),
      expect.stringContaining('Variable NODE_OPTIONS was not asked for'),
      expect.stringContaining('Records of data store ds_evil were not asked for'),
      expect.stringContaining('File a.txt was not asked for'),
    ]),
  );
  expect(accounts.find('apn_evil')).toBeUndefined();
  expect(environment.all()).toEqual({});
  expect(store.dataStores.find('ds_evil')).toBeUndefined();
  expect(() => mkdirSync(filesDir)).not.toThrow();
});

test('no path of a file leads out of the file store', async () => {
  const { begin, carryOvers, folder, files } = await carryWorld();
  const { code } = await begin();
  const evil = Buffer.from('evil').toString('base64');
  const paths = { '../evil.txt': evil, 'x/../../evil2.txt': evil, '/rooted.txt': evil };
  const world = { ...usualWorld, files: paths };
  // The stand-in walks folders: give the step the paths as they are.
  const flat = code.replace(
    'await walk(undefined);',
    `for (const path of ${JSON.stringify(Object.keys(paths))}) found.push({ path });`,
  );
  const { text } = await handOver(flat, world);
  const taken = await carryOvers.take(text, undefined);
  expect(taken.files).toBe(1);
  expect(taken.refused).toEqual([
    expect.stringContaining('../evil.txt'),
    expect.stringContaining('x/../../evil2.txt'),
  ]);
  expect(files()).toEqual(['rooted.txt']);
  expect(() => writeFileSync(join(folder, 'evil.txt'), '', { flag: 'wx' })).not.toThrow();
});

test('blocks that come late are refused, and the step itself ends', async () => {
  const { begin, carryOvers, pass } = await carryWorld();
  const { code } = await begin();
  const { text } = await handOver(code, { ...usualWorld, files: {} });
  pass(15 * 86_400_000);
  expect((await carryOvers.take(text, undefined)).refused).toEqual([
    expect.stringMatching(/^Block 1 of run \w{8} is late: carry-over .* ended on \d{4}-/),
  ]);
  const over = code.replace(/const UNTIL = \d+/, 'const UNTIL = 1');
  await expect(handOver(over)).rejects.toThrow('This carry-over has ended');
});

test('a carry-over that was ended takes nothing more', async () => {
  const { begin, carryOvers } = await carryWorld();
  const { code, state } = await begin();
  const { text } = await handOver(code);
  await carryOvers.end(state.id);
  expect((await carryOvers.take(text, undefined)).refused[0]).toMatch(/its key is deleted/);
  await expect(carryOvers.end('nothing')).rejects.toThrow('There is no carry-over nothing');
});

test('the private key is sealed where it is kept', async () => {
  const { begin, store } = await carryWorld();
  await begin();
  expect(store.settings.get('carryOvers')).toMatch(/^weir1:/);
});

test('nothing that is missing is nothing to ask for', async () => {
  const { carryOvers } = await carryWorld();
  const nothing = { accounts: [], notAsked: [], variables: [], stores: [], files: false };
  await expect(carryOvers.begin(nothing, 'pull', 14)).rejects.toThrow('miss nothing');
});

test('names of others stay in their comment', async () => {
  const { begin } = await carryWorld();
  const { code } = await begin();
  expect(code.split('\n').filter((line) => line.includes('evil()'))).toEqual([
    expect.stringMatching(/^\/\/ Account apn_nobody, .*evil\(\)/),
    expect.stringMatching(/^ {4}a0_slack: .* \/\/ .*evil\(\)/),
    expect.stringMatching(/^ {4}a1_shop_x: .* \/\/ .*evil\(\)/),
    expect.stringMatching(/^ {4}s0: .* \/\/ .*evil\(\)/),
  ]);
  expect(code).toMatch(/^\/\/ Weir carry-over .*\n\/\/\n\/\/ This step reads what exports/);
});

test('an error of an account does not tell its secret', async () => {
  const { begin } = await carryWorld();
  const { code } = await begin();
  const slack = {
    get oauth_access_token(): string {
      throw new Error('bad token xoxb-marker');
    },
  };
  const { kept } = await handOver(code, { ...usualWorld, accounts: { a0_slack: slack } });
  expect(kept).not.toContain('xoxb-marker');
});

test('an account whose app is unknown is named in the step and in the status', async () => {
  const { begin, carryOvers, accounts } = await carryWorld();
  const { code } = await begin();
  expect(code).toMatch(/^\/\/ Account apn_nobody, used by Orders .*: fetch, is not asked for/m);
  const notAsked = [{ id: 'apn_nobody', usedBy: expect.stringContaining('fetch') as string }];
  expect((await carryOvers.list())[0]?.status.notAsked).toEqual(notAsked);
  await accounts.create({ id: 'apn_nobody', app: 'x', credentials: {} });
  expect((await carryOvers.list())[0]?.status.notAsked).toEqual([]);
  const only = { ...usualNeeds, variables: [], stores: [], files: false };
  const unknown = usualNeeds.accounts.filter(({ app }) => app === undefined);
  await expect(begin({ ...only, accounts: unknown })).rejects.toThrow(
    /the app of account apn_nobody \(used by .*\) is unknown\. Fetch/,
  );
});

test('a step that stops before its end says how the rest comes', async () => {
  const { begin, carryOvers, store } = await carryWorld();
  const { code } = await begin();
  const records = Array.from(
    { length: 40 },
    (_, n) => [`k${n}`, randomBytes(100_000).toString('base64')] as const,
  );
  const world = { ...usualWorld, stores: { s0: records }, files: {} };
  const first = await handOver(code, world);
  expect(first.next).not.toBeNull();
  await carryOvers.take(first.text, undefined);
  const [problem = ''] = (await carryOvers.list())[0]?.status.problems ?? [];
  expect(problem).toMatch(/^Run \w{8} stopped before its end\. Run the step again with the event/);
  // As the sentence says.
  const event: unknown = JSON.parse(/event (\{.*\}),/.exec(problem)?.[1] ?? '');
  const second = await handOver(code, world, event);
  expect(second.next).toBeNull();
  await carryOvers.take(second.text, undefined);
  expect((await carryOvers.list())[0]?.status.problems).toEqual([]);
  expect(await store.dataStores.count('ds_orders', 0)).toBe(40);
});

test('a file that cannot have its place is refused by name, and the others are taken', async () => {
  const { begin, carryOvers, filesDir, files } = await carryWorld();
  const { code } = await begin();
  mkdirSync(join(filesDir, 'folder'), { recursive: true });
  writeFileSync(join(filesDir, 'file'), '');
  const text = Buffer.from('text').toString('base64');
  const paths = { folder: text, 'file/below': text, ['x'.repeat(300)]: text, good: text };
  const flat = code.replace(
    'await walk(undefined);',
    `for (const path of ${JSON.stringify(Object.keys(paths))}) found.push({ path });`,
  );
  const { text: blocks } = await handOver(flat, { ...usualWorld, files: paths });
  const taken = await carryOvers.take(blocks, undefined);
  expect(taken).toMatchObject({ files: 1 });
  expect(taken.refused).toEqual([
    'File folder was not taken, because a file and a folder would have the same name.',
    'File file/below was not taken, because a file and a folder would have the same name.',
    expect.stringMatching(/^File x+ was not taken, because its path leaves .* or is too long\.$/),
  ]);
  expect(files()).toEqual(['file', 'folder', 'good']);
});

test('a file that changed between two runs is taken as it is in the later run', async () => {
  const { begin, carryOvers, fileText } = await carryWorld();
  const { code } = await begin();
  const sized = (bytes: number) => ({ 'a.bin': randomBytes(bytes).toString('base64') });
  const long = await handOver(code, { ...usualWorld, files: sized(1_700_000) });
  // Its first pieces only.
  await carryOvers.take(long.text.split('\n').slice(0, 2).join('\n'), undefined);
  const files = sized(700_000);
  const { text } = await handOver(code, { ...usualWorld, files });
  expect(await carryOvers.take(text, undefined)).toMatchObject({ files: 1, refused: [] });
  expect(fileText('a.bin').toString('base64')).toBe(files['a.bin']);
});

test('a forged number of blocks is refused', async () => {
  const { begin, carryOvers } = await carryWorld();
  const { code } = await begin();
  const forged = code.replace('blocks: count + 1', 'blocks: 4e9');
  const { text } = await handOver(forged, { ...usualWorld, files: {} });
  expect((await carryOvers.take(text, undefined)).refused).toEqual([
    expect.stringMatching(/cannot be opened/),
  ]);
  expect(await carryOvers.list()).toHaveLength(1);
});
