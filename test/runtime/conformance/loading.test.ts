import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/protocol/catalogue.ts';
import { npmEnvironment, type Registry, startRegistry } from '../support/npm-registry.ts';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { conformanceWorld, refusal } from './world.ts';

/** Code, packages and values on their way into a component (P1, P4, P15). */
// An `npm run` around the tests would tell Weir's npm another registry than the .npmrc below.
for (const name of Object.keys(process.env))
  if (!(name in npmEnvironment)) delete process.env[name];
const world = conformanceWorld();

describe('packages', () => {
  let registry: Registry;
  const atEnd = atEndOfSuite();
  let npmrc = '';

  beforeAll(async () => {
    registry = await startRegistry(atEnd);
    npmrc = registry.npmrc(temporaryFolder(atEnd));
    for (const version of ['1.2.3', '2.0.0']) {
      await registry.publish(
        { name: 'mill', version, type: 'module', exports: { '.': './i.js', './sub': './sub.js' } },
        {
          'i.js': `export default 'mill ${version}';`,
          'sub.js': `export const sub = 'sub ${version}';`,
        },
      );
    }
  });

  test('P15.6 import x from "pkg@1.2.3" installs and resolves that version, beside the latest', async () => {
    const component_path = await world.file(
      `import pinned from 'mill@1.2.3'; import latest from 'mill'; import { sub } from 'mill@~1.2/sub'; import { basename } from 'node:path';
      export default { name: 'Imports', run() { this.$emit([pinned, latest, sub, basename('/a/b')]); } }`,
      { '.npmrc': npmrc },
    );
    const source = await world.runtime.restData<Source>('POST', '/v1/sources', { component_path });
    expect(await world.emitted(source)).toEqual([['mill 1.2.3', 'mill 2.0.0', 'sub 1.2.3', 'b']]);
  });

  test('P15.6 a version that does not exist is named', async () => {
    const component_path = await world.file(
      `import x from 'mill@9.9.9'; export default { name: 'x', run() { x(); } }`,
      { '.npmrc': npmrc },
    );
    const answer = refusal(await world.runtime.rest('POST', '/v1/sources', { component_path }));
    expect(answer).toMatchObject({ status: 400, code: 'bad_component' });
    expect(answer.error).toContain('"mill" has no version 9.9.9');
  });
});

/** The bytes of every file below the data folder. */
async function everythingStored(): Promise<Buffer> {
  const entries = await readdir(join(world.folder, 'data'), {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(
    await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name)))),
  );
}

test('P4.11 secret values are sealed at rest, and in no log and no listing; run gets them in the clear', async () => {
  const secret = 'correct-horse-battery';
  const credential = 'apikey-staple-91';
  const plain = 'this-one-is-not-secret';
  const account = await world.runtime.restData<{ id: string }>('POST', '/v1/accounts', {
    app: 'mill',
    credentials: { api_key: credential },
  });
  const configured_props = {
    secret,
    list: [secret, 'b'],
    plain,
    mill: { authProvisionId: account.id },
  };
  const source = await world.deploy(
    `export default { name: 'Keeps secrets', props: { secret: { type: 'string', secret: true }, list: { type: 'string[]', secret: true }, plain: 'string', mill: { type: 'app', app: 'mill' } },
    run() { this.$emit([this.secret, this.list, this.mill.$auth.api_key].join().length); if (this.secret.length === 0) throw new Error(); } }`,
    { configured_props },
  );
  const inTheClear = [secret, secret, 'b', credential].join().length;
  expect(await world.emitted(source)).toEqual([inTheClear]);
  expect(source.configured_props).toMatchObject({
    secret: { secret: true },
    list: { secret: true },
    plain,
  });

  const shown = [
    await world.runtime.rest('GET', `/v1/sources/${source.id}?include_code=1`),
    await world.runtime.rest('GET', '/v1/users/me/sources'),
    await world.runtime.rest('GET', `/v1/sources/${source.id}/logs?limit=100`),
    await world.runtime.rest('GET', `/v1/sources/${source.id}/invocations`),
    await world.runtime.rest('GET', '/v1/accounts'),
    await world.runtime.rest('PUT', `/v1/sources/${source.id}`, { configured_props: { list: 5 } }),
    (await world.runtime.weir('describe', source.id)).stdout,
    (await world.runtime.weir('list', '--json')).stdout,
    (await world.runtime.weir('accounts', 'list')).stdout,
    world.runtime.output(),
  ];
  expect(JSON.stringify(shown)).toContain(plain);
  for (const value of [secret, credential]) expect(JSON.stringify(shown)).not.toContain(value);

  const stored = await everythingStored();
  expect(stored.includes(plain)).toBe(true);
  for (const value of [secret, credential]) expect(stored.includes(value)).toBe(false);
  await world.runtime.stop();
  await world.start();
  const closed = await everythingStored();
  for (const value of [secret, credential]) expect(closed.includes(value)).toBe(false);
  expect(await world.emitted(source)).toEqual([inTheClear]);
});

describe('P4.7 the 64 KB of a prop', () => {
  const code = `export default { name: 'Text', props: { text: 'string', more: { type: 'object', optional: true } }, run(event) { this.$emit(this.text.length + (event.text?.length ?? 0)); } }`;
  const kb64 = 64 * 1024;

  test('P4.7 are the last that is taken', async () => {
    const source = await world.deploy(code, { configured_props: { text: 'x'.repeat(kb64) } });
    expect(await world.emitted(source)).toEqual([kb64]);
    const put = (configured_props: object) =>
      world.runtime.rest('PUT', `/v1/sources/${source.id}`, { configured_props });
    for (const props of [
      { text: 'x'.repeat(kb64 + 1) },
      { more: { text: 'ü'.repeat(kb64 / 2) } },
    ]) {
      const answer = refusal(await put(props));
      expect(answer).toMatchObject({ status: 400, code: 'bad_input' });
      expect(answer.error).toMatch(/^\w+ is \d+ bytes long; at most 64 KB are allowed\.$/);
    }
    // What is refused changes nothing.
    expect(await world.emitted(source)).toEqual([kb64]);
  });

  test('P4.7 do not hold for an event', async () => {
    const source = await world.deploy(code, { configured_props: { text: 'x' } });
    const text = 'y'.repeat(400 * 1024);
    expect(await world.emitted(source, { text })).toEqual([text.length + 1]);
  });
});

describe('what a file may export', () => {
  test('P1.5 unknown keys and prop types, shorthands, a spread base, an arrow in a list', async () => {
    const source = await world.deploy(
      `
      const common = { key: 'mill-common', ai: 'optimized', annotations: { readOnlyHint: true }, dedupe: 'unique',
        props: { db: '$.service.db' }, methods: { label(x) { return 'base ' + x; } } };
      export default { ...common, name: 'Unknown keys', version: '0.0.1', type: 'source', nested: { deep: [() => 1] }, [Symbol('x')]: 1,
        props: { ...common.props, http: '$.interface.http', odd: { type: '$.mill.wheel', colour: 'red', nested: { a: 1 } }, note: { type: 'alert', content: 'hi' }, format: { type: 'string', format: 'file-ref', optional: true } },
        methods: { ...common.methods, label(x) { return common.methods.label.call(this, x) + '!'; } },
        run() { this.$emit([this.odd, this.label('x'), typeof this.note, typeof this.db.get], { id: 1 }); } }`,
      { configured_props: { odd: { any: ['value'] } } },
    );
    expect(await world.emitted(source)).toEqual([
      [{ any: ['value'] }, 'base x!', 'undefined', 'function'],
    ]);
    expect(source.configurable_props).toContainEqual({
      name: 'odd',
      type: '$.mill.wheel',
      colour: 'red',
      nested: { a: 1 },
    });
    expect(source.component_key).toBe('mill-common');
  });

  test.for([
    ['module.exports', 'c.cjs', `module.exports = { name: 'C', run() { this.$emit(1); } };`],
    [
      'compiled TypeScript',
      'c.js',
      `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { name: 'C', run() { this.$emit(1); } };`,
    ],
    [
      'TypeScript',
      'c.ts',
      `const n: number = 1; export default { name: 'C', async run(this: { $emit(x: unknown): void }) { this.$emit(n); } };`,
    ],
    ['defineComponent', 'c.mjs', `export default defineComponent({ run() { this.$emit(1); } });`],
  ] as const)('P1.5 %s', async ([, name, code]) => {
    const beside = await world.file('', { [name]: code });
    const component_path = join(beside, '..', name);
    const source = await world.runtime.restData<Source>('POST', '/v1/sources', { component_path });
    expect(await world.emitted(source)).toEqual([1]);
  });
});
