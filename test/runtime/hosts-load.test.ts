import { build } from 'esbuild';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WeirError } from '../../src/protocol/errors.ts';
import { until } from '../support/until.ts';
import {
  component,
  emitted,
  event,
  folder,
  hostsFor,
  limits,
  perform,
  start,
} from './hosts-helper.ts';

/** Which modules load, and what is said of those that do not. */
const hosts = await hostsFor();

test.for<[name: string, extension: string, code: string]>([
  ['export default', '.mjs', `export default { name: 'N', run() { this.$emit(1); } }`],
  ['module.exports', '.cjs', `module.exports = { name: 'N', run() { this.$emit(1); } }`],
  [
    'exports.default',
    '.cjs',
    `exports.__esModule = true; exports.default = { name: 'N', run() { this.$emit(1); } }`,
  ],
  [
    'defineComponent',
    '.mjs',
    `export default defineComponent({ name: 'N', run() { this.$emit(1); } })`,
  ],
  [
    'named exports beside',
    '.mjs',
    `export const run = 1, props = 2; export default { name: 'N', run() { this.$emit(1); } }`,
  ],
])('%s', async ([, extension, code]) => {
  const { host } = await start(hosts, component(code, extension));
  expect(host.definition.name).toBe('N');
  expect(emitted(await perform(host, event()))).toEqual([1]);
});

test.for<[code: string, message: string]>([
  ['export default 5', 'The file exports no component: its default export is a number.'],
  ['export const x = 1', 'The file has no default export.'],
  ['export default { name: "x" }', 'it has neither run() nor props'],
  ['export default []', 'its default export is an array'],
  [
    'export default { type: "workflow", run() {} }',
    '"type" must be "source" or "action", not "workflow".',
  ],
  ['export default { run: true }', '"run" must be a function, not a boolean.'],
  ['export default { type: "action", props: {} }', 'The action has no run()'],
  [
    'export default { run() {}, props: { a: { propDefinition: [{ app: "x", propDefinitions: { b: {} } }, "c"] } } }',
    'The prop "a" uses the propDefinition "c", which the app "x" does not have. It has: b.',
  ],
  [
    'export default { run() {}, props: { a: { propDefinition: [undefined, "c"] } } }',
    'The propDefinition of the prop "a" must be [app, "definition name"]: its app is undefined',
  ],
])('%s is refused', async ([code, message]) => {
  await expect(start(hosts, code)).rejects.toThrow(message);
  await expect(start(hosts, code)).rejects.toMatchObject({ code: 'bad_component' });
});

test('an error while the file is evaluated names file, line and column', async () => {
  const path = component(`const a = 1;\n  missing(a);\nexport default { run() {} }`);
  const error: unknown = await start(hosts, path).catch((error: unknown) => error);
  expect(WeirError.is(error, 'bad_component') && error.message).toBe(
    `The component cannot be loaded: ReferenceError: missing is not defined (${path}:2)`,
  );
  expect(WeirError.is(error) && error.details).toMatchObject([{ file: path, line: 2, column: 2 }]);
});

/** A component that writes down each time it is evaluated, and then does this. */
const evaluated = (file: string, then: string): string =>
  `import { appendFileSync, readFileSync } from 'node:fs';
  const file = ${JSON.stringify(file)};
  appendFileSync(file, process.pid + '\\n');
  const times = readFileSync(file, 'utf8').trim().split('\\n').length;
  ${then}
  export default { run() {} };`;
const evaluations = (file: string): number[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];

test('a process that is killed from outside while it loads is started again', async () => {
  const file = join(folder, 'killed-once');
  const code = evaluated(
    file,
    'if (times === 1) await new Promise((end) => setTimeout(end, 1e6));',
  );
  const starting = start(hosts, code);
  const [pid] = await until('the first evaluation', () => {
    const pids = evaluations(file);
    return pids.length === 1 && pids;
  });
  process.kill(pid!, 'SIGKILL');
  const { host } = await starting;
  expect(evaluations(file)).toEqual([pid, host.pid]);
});

test('a component whose processes are killed again and again while it loads is loaded three times', async () => {
  const file = join(folder, 'killed-always');
  const code = evaluated(
    file,
    `process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});`,
  );
  await expect(start(hosts, code)).rejects.toThrow(
    'The component cannot be loaded: while its file was evaluated, its process was ended by SIGKILL',
  );
  expect(evaluations(file)).toHaveLength(3);
});

test('stacks lead to the original file through the bundle’s source map', async () => {
  const source = join(folder, 'original.ts');
  writeFileSync(
    source,
    `interface A { x: number }\nfunction fail(a: A): never {\n  throw new Error('at ' + a.x);\n}\nexport default { run() { fail({ x: 1 }); } };\n`,
  );
  const bundle = join(folder, 'bundled.mjs');
  await build({
    entryPoints: [source],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    sourcemap: 'linked',
    minify: true,
  });
  const { host } = await start(hosts, bundle);
  const { error } = await perform(host, event());
  expect(error?.stack).toMatch(/original\.ts:3:9/);
});

test.for([
  ['process.exit(3)', 'while its file was evaluated, it called process.exit(3).'],
  ['process.kill(process.pid, "SIGKILL")', 'its process was ended by SIGKILL'],
  ['for (;;);', 'it ran longer than 2 s'],
])('a file that ends the process while it loads: %s', async ([code, message]) => {
  const refused = start(
    hosts,
    `${code}; export default { run() {} }`,
    {},
    { limits: { ...limits, timeoutMs: 2000 } },
  );
  await expect(refused).rejects.toThrow(message);
});

test('a start that is cancelled leaves no process', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const code = `console.log('evaluating'); setInterval(() => {}, 1000); await new Promise(() => {}); export default {}`;
  const before = hosts.list().length;
  const onLog = (): void => controller.abort();
  await expect(start(hosts, code, {}, { signal, onLog })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(hosts.list()).toHaveLength(before);
  await expect(start(hosts, code, {}, { signal })).rejects.toMatchObject({ code: 'cancelled' });
});

test('the definition is data: functions stay, propDefinitions are resolved', async () => {
  const { host } = await start(
    hosts,
    `const app = { type: 'app', app: 'github', propDefinitions: {
      repo: { type: 'string', label: 'Repo', description: 'D', async options() { return []; } },
      nested: { propDefinition: [{ app: 'other', propDefinitions: { base: { type: 'integer', label: 'Base', min: 1 } } }, 'base'], label: 'Nested' },
    }, methods: { x() {} } };
    export default { name: 'N', key: 'k', version: '1.0.0', description: 'D', dedupe: 'unique', sampleEmit: { a: 1, f() {} }, annotations: { readOnlyHint: true }, ai: 'optimized',
      props: {
        github: app, db: '$.service.db', inline: { type: 'app', app: 'inline' },
        repo: { propDefinition: [app, 'repo', (c) => ({ org: c.org })], type: 'string[]', optional: true, description: undefined },
        own: { propDefinition: [app, 'repo'], options: ['a', { label: 'B', value: 2 }] },
        deep: { propDefinition: [app, 'nested'], max: 5 },
        spread: { ...app.propDefinitions.missing, label: 'L' },
        timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
        hook: { type: '$.interface.apphook', appProp: 'github', eventNames() { return []; } },
        dir: { type: 'dir', accessMode: 'read', sync: true, optional: true }, nothing: undefined,
      },
      hooks: { activate() {} }, async additionalProps() { return {}; }, run() {} }`,
  );
  expect(host.definition).toEqual({
    name: 'N',
    key: 'k',
    type: 'source',
    version: '1.0.0',
    description: 'D',
    dedupe: 'unique',
    sampleEmit: { a: 1 },
    annotations: { readOnlyHint: true },
    hooks: ['activate'],
    hasRun: true,
    hasAdditionalProps: true,
    props: [
      { name: 'github', type: 'app', app: 'github' },
      { name: 'db', type: '$.service.db' },
      { name: 'inline', type: 'app', app: 'inline' },
      {
        name: 'repo',
        type: 'string[]',
        label: 'Repo',
        description: 'D',
        remoteOptions: true,
        optional: true,
      },
      {
        name: 'own',
        type: 'string',
        label: 'Repo',
        description: 'D',
        options: ['a', { label: 'B', value: 2 }],
      },
      { name: 'deep', type: 'integer', label: 'Nested', min: 1, max: 5 },
      { name: 'spread', type: 'string', label: 'L' },
      { name: 'timer', type: '$.interface.timer', default: { intervalSeconds: 900 } },
      { name: 'hook', type: '$.interface.apphook', appProp: 'github' },
      { name: 'dir', type: 'dir', accessMode: 'read', sync: true, optional: true },
    ],
  });
});
