import { expect, test } from 'vitest';
import { resolveValues } from '../../../../../src/component/host/steps/resolve.ts';
import { scopeOf } from '../../../../../src/component/host/steps/scope.ts';
import { scope } from './scope.ts';

const trigger = { event: '{"n":1}', context: '{"id":"c1"}' };

test('W7: what one step changes is not seen by the next', () => {
  const texts = new Map([['a', '{"$return_value":[1]}']]);
  const first = scopeOf(texts, trigger);
  (first.steps['a'] as { $return_value: number[] }).$return_value.push(2);
  (first.event as { n: number }).n = 2;
  expect(first.steps['trigger']).toEqual({ event: { n: 2 }, context: { id: 'c1' } });
  expect(scopeOf(texts, trigger).steps).toEqual({
    trigger: { event: { n: 1 }, context: { id: 'c1' } },
    a: { $return_value: [1] },
  });
});

test('large exports are parsed when they are asked for, and look like any other', () => {
  const long = 'x'.repeat(300_000);
  const texts = new Map([
    ['broken', long],
    ['large', JSON.stringify({ long })],
    ['set', JSON.stringify({ long })],
  ]);
  const { steps } = scopeOf(texts, trigger) as { steps: Record<string, unknown> };
  expect(Object.keys(steps)).toEqual(['trigger', 'broken', 'large', 'set']);
  const large = steps['large'] as { long: string; more?: number };
  large.more = 1;
  expect(steps['large']).toEqual({ long, more: 1 });
  steps['set'] = 1;
  expect(steps['set']).toBe(1);
  // It was not parsed until now.
  expect(() => steps['broken']).toThrow(SyntaxError);
});

test('a step may have the name of what objects inherit', () => {
  const { steps } = scope({ toString: { a: 1 }, ['__proto__']: { b: 2 } });
  expect(Object.keys(steps)).toEqual(['trigger', 'toString', '__proto__']);
  expect(Object.getPrototypeOf(steps)).toBe(Object.prototype);
});

test('of the process, expressions see a copy of the environment', () => {
  const env: NodeJS.ProcessEnv = { TOKEN: 't' };
  const of = (code: string): unknown => resolveValues(code, scope({}, {}, env), 'post.a');
  expect(of('{{ process.env.TOKEN }}')).toBe('t');
  expect(of('{{ process.env.constructor }}')).toBeUndefined();
  expect(of('{{ process.exit }}')).toBeUndefined();
  expect(() => of('{{ process.env.TOKEN = "other" }}')).toThrow('read only property');
  expect(env['TOKEN']).toBe('t');
  process.env['WEIR_TEST_SCOPE'] = 'own';
  try {
    expect(scopeOf([], trigger).process.env['WEIR_TEST_SCOPE']).toBe('own');
  } finally {
    delete process.env['WEIR_TEST_SCOPE'];
  }
});
