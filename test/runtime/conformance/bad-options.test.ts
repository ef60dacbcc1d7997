import { describe, expect, test } from 'vitest';
import type { PropOptions, PropSet } from '../../../src/protocol/catalogue.ts';
import { conformanceWorld } from './world.ts';

/** What `options()` and `additionalProps()` should not return: told in a sentence, or made what it can be. */
const world = conformanceWorld('--set', 'run.timeoutSeconds=2');

const configure = async (options: string): Promise<PropOptions> => {
  const component_path = await world.file(
    `export default { name: 'Asks', props: { pick: { type: 'string', ${options} } }, run() {} }`,
  );
  const asked = { component_path, prop_name: 'pick' };
  return world.runtime.restData<PropOptions>('POST', '/v1/components/configure', asked);
};

describe('options()', () => {
  test.for([
    ['nothing', 'undefined'],
    ['null', 'null'],
    ['a number', '7'],
    ['a text', `'garbage'`],
    ['an object without options', '({ choices: [1] })'],
    ['options that are no list', `({ options: 'a' })`],
    ['a list of nothing', '[undefined, null]'],
    ['a Map', 'new Map([[1, 2]])'],
  ])('that returns %s has none', async ([, value]) => {
    const answer = await configure(`options: () => ${value}`);
    expect(answer).toMatchObject({ options: [], errors: [] });
  });

  test('that returns values of every kind has each with a label', async () => {
    const answer = await configure(
      `options: async () => [1, true, { value: 2 }, { label: 'only a label' }, { label: 3, value: { deep: [1] } }, ['a'], new Date(0)]`,
    );
    expect(answer).toMatchObject({
      errors: [],
      options: [
        { label: '1', value: 1 },
        { label: 'true', value: true },
        { label: '2', value: 2 },
        { label: 'only a label', value: 'only a label' },
        { label: '3', value: { deep: [1] } },
        { label: '["a"]', value: ['a'] },
        { value: '1970-01-01T00:00:00.000Z' },
      ],
    });
  });

  test.for([
    ['waits for ever', 'new Promise(() => setInterval(() => {}, 1000))', 'ran longer than 2 s'],
    ['throws nothing', 'Promise.reject()', 'undefined'],
    ['throws a text', `Promise.reject('no team')`, 'no team'],
    ['returns what has no JSON form', '[{ label: "a", value: 1n }]', 'BigInt'],
    [
      'returns what contains itself',
      '(() => { const a = []; a.push({ label: "a", value: a }); return a; })()',
      'circular',
    ],
  ])('that %s is a sentence', async ([, value, sentence]) => {
    const answer = await configure(`options: () => ${value}`);
    expect(answer.options).toEqual([]);
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors[0]).toMatch(/^options\(\) of pick failed: /);
    expect(answer.errors[0]).toContain(sentence);
  });

  test('that returns 100,000 options hands them all on', async () => {
    const answer = await configure(
      `options: () => Array.from({ length: 100_000 }, (_, n) => ({ label: 'number ' + n, value: n }))`,
    );
    expect(answer.options).toHaveLength(100_000);
    expect(answer.options.at(-1)).toEqual({ label: 'number 99999', value: 99_999 });
  });
});

describe('additionalProps()', () => {
  const props = async (body: string): Promise<PropSet> => {
    const component_path = await world.file(
      `export default { name: 'Adds', props: { base: 'string' }, async additionalProps(previous) { ${body} }, run() {} }`,
    );
    const asked = { component_path, configured_props: { base: 'b' } };
    return world.runtime.restData<PropSet>('POST', '/v1/components/props', asked);
  };

  test.for([
    [
      'waits for ever',
      'await new Promise(() => setInterval(() => {}, 1000));',
      'ran longer than 2 s',
    ],
    ['returns a list', 'return [1];', 'must return an object of props, not an array'],
    ['returns a text', `return 'garbage';`, 'must return an object of props, not a string'],
    ['returns a prop that is a number', 'return { extra: 5 };', 'The prop "extra" must be'],
    ['throws a text', `throw 'no team';`, 'no team'],
  ])('that %s is a sentence, and the declared set stays', async ([, body, sentence]) => {
    const { errors, configurable_props } = await props(body ?? '');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(sentence);
    expect(configurable_props.map(({ name }) => name)).toEqual(['base']);
  });

  test.for([
    ['nothing', ''],
    ['null', 'return null;'],
    ['props that are undefined', 'return { gone: undefined };'],
  ])('that returns %s adds none', async ([, body]) => {
    const { errors, configurable_props } = await props(body ?? '');
    expect([errors, configurable_props.map(({ name }) => name)]).toEqual([[], ['base']]);
  });
});

test('the runtime answers after all this', async () => {
  const source = await world.deploy(`export default { name: 'Well', run() { this.$emit(1); } }`);
  expect(await world.emitted(source)).toEqual([1]);
});
