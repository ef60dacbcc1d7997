import { describe, expect, test } from 'vitest';
import type { Page, Source } from '../../../src/protocol/catalogue.ts';
import { until } from '../../support/until.ts';
import { conformanceWorld, refusal } from './world.ts';

/** Files that are no component, or one that cannot work: a sentence each, and nothing deployed. */
const world = conformanceWorld();

describe('a malformed definition is one sentence with the file in front', () => {
  test.for([
    ['nothing at all', ``, /no default export/],
    ['no default export', `export const x = 1;`, /no default export/],
    ['a number', `export default 5;`, /default export is a number/],
    ['null', `export default null;`, /default export is null/],
    ['a list', `export default [];`, /default export is an array/],
    ['a class', `export default class {}`, /default export is a function/],
    ['an empty object', `export default {};`, /neither run\(\) nor props/],
    ['a syntax error', `export default { run() { }`, /line 1: /],
    ['an error when loaded', `throw new TypeError('at the top');`, /TypeError: at the top/],
    ['something thrown that is no error', `throw { code: 7 };`, /code: 7/],
    ['a process that ends', `process.exit(3); export default {};`, /process\.exit|exit/],
    [
      'a missing file',
      `import './gone.mjs'; export default { run() {} };`,
      /"\.\/gone\.mjs" is imported, but there is no such file/,
    ],
    [
      'props that are a list',
      `export default { props: ['a'], run() {} };`,
      /"props" must be an object, not an array/,
    ],
    [
      'a prop that is a number',
      `export default { props: { a: 5 }, run() {} };`,
      /prop "a" must be .* not a number/,
    ],
    [
      'a type that is not text',
      `export default { props: { a: { type: String } }, run() {} };`,
      /type of the prop "a" must be text/,
    ],
    [
      'run that is no function',
      `export default { run: 'x' };`,
      /"run" must be a function, not a string/,
    ],
    [
      'hooks that are a list',
      `export default { hooks: [], run() {} };`,
      /"hooks" must be an object, not an array/,
    ],
    [
      'a hook that is no function',
      `export default { hooks: { deploy: true }, run() {} };`,
      /hook "deploy" must be a function/,
    ],
    [
      'an unknown type',
      `export default { type: 'trigger', run() {} };`,
      /"type" must be "source" or "action", not "trigger"/,
    ],
    [
      'an unknown strategy',
      `export default { dedupe: 'newest', run() {} };`,
      /dedupe: "newest" is none of unique, greatest, last/,
    ],
    [
      'a propDefinition without its app',
      `export default { props: { a: { propDefinition: [undefined, 'x'] } }, run() {} };`,
      /propDefinition of the prop "a"/,
    ],
    [
      'a propDefinition that does not exist',
      `const app = { type: 'app', app: 'mill', propDefinitions: { wheel: { type: 'string' } } }; export default { props: { app, a: { propDefinition: [app, 'weel'] } }, run() {} };`,
      /"weel", which the app "mill" does not have. It has: wheel/,
    ],
    [
      'a propDefinition that leads to itself',
      `const app = { type: 'app', app: 'mill', propDefinitions: {} }; app.propDefinitions.a = { propDefinition: [app, 'a'] }; export default { props: { a: { propDefinition: [app, 'a'] } }, run() {} };`,
      /leads back to itself/,
    ],
    [
      'a getter that throws',
      `export default { get props() { throw new Error('not yet'); }, run() {} };`,
      /not yet/,
    ],
    ['an action', `export default { type: 'action', run() {} };`, /is an action/],
    ['an app', `export default { type: 'app', app: 'mill' };`, /is an app file/],
    [
      'a secret that is not text',
      `export default { props: { a: { type: 'integer', secret: true } }, run() {} };`,
      /a: only a string can be secret/,
    ],
  ] as const)('%s', async ([, code, sentence]) => {
    const component_path = await world.file(code);
    const answer = refusal(await world.runtime.rest('POST', '/v1/sources', { component_path }));
    expect(answer).toMatchObject({ status: 400, code: 'bad_component' });
    expect(answer.error).toMatch(sentence);
    expect(answer.error).toContain('component.mjs');
    expect(answer.error).not.toMatch(/\n|component-host\.js|runtime\.js/);
    expect(answer.error.length).toBeLessThan(600);
  });

  test('data that contains itself is left out of the definition', async () => {
    const source = await world.deploy(`const loop = { a: 1 }; loop.loop = loop;
      export default { name: 'Loops', sampleEmit: loop, annotations: loop, props: { a: { type: 'any', optional: true, default: loop, label: 'A' } }, run() { this.$emit(1); } }`);
    expect(await world.emitted(source)).toEqual([1]);
    expect(source.configurable_props).toEqual([
      { name: 'a', type: 'any', optional: true, label: 'A' },
    ]);
  });

  test.for([
    ['a file that is not there', '/nowhere/component.mjs', /\/nowhere\/component\.mjs/],
    ['a relative path', 'component.mjs', /must be absolute/],
    ['a folder', '', /is a folder; name the component's file inside it\./],
    ['a path with a null byte', '/tmp/\u0000.mjs', /cannot be read/],
    ['a file that is no code', '/etc/hosts', /cannot be a component: its name must end in/],
  ] as const)('%s', async ([, path, sentence]) => {
    const answer = refusal(
      await world.runtime.rest('POST', '/v1/sources', {
        component_path: path === '' ? world.folder : path,
      }),
    );
    expect(answer.status).toBe(400);
    expect(answer.error).toMatch(sentence);
    expect(answer.error).not.toContain('\n');
  });

  test('nothing of all this is deployed, and no process of it is left', async () => {
    const { body } = await world.runtime.rest('GET', '/v1/sources?limit=100');
    const sources = (body as Page<Source>).data;
    expect(sources.map(({ name }) => name)).toEqual(['Loops']);
    const connection = await world.runtime.connect();
    await until('the end of the other processes', async () => {
      const { hosts } = await connection.call('runtime.info', {});
      return hosts.every(({ source_id }) => source_id === null || source_id === sources[0]?.id);
    });
  });
});
