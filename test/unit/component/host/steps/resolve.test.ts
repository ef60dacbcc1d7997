import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExpressionError } from '../../../../../src/component/host/steps/expressions.ts';
import { hasExpressions, resolveValues } from '../../../../../src/component/host/steps/resolve.ts';
import { holds } from '../../../../support/holds.ts';
import { scope } from './scope.ts';

const steps = {
  a: { $return_value: { list: [1, 'b'], name: 'Ann', zero: 0, no: false, none: null } },
};
const event = { body: { id: 7 } };
const resolved = (value: unknown): unknown => resolveValues(value, scope(steps, event), 'post');

test.for<[text: string, value: unknown]>([
  ['{{ steps.a.$return_value.list }}', [1, 'b']],
  ['{{ steps.a.$return_value }}', steps.a.$return_value],
  ['\n{{ steps.a.$return_value.zero }}\n', 0],
  ['{{ steps.a.$return_value.no }}', false],
  ['{{ steps.a.$return_value.none }}', null],
  ['{{ steps.a.$return_value.other }}', undefined],
  ['{{ steps.a.$return_value.name }}', 'Ann'],
  ['{{ event.body.id + 1 }}', 8],
  ['{{ steps.trigger.event === event }}', true],
  ['{{ steps.trigger.context.id }}', 'c1'],
  ['{{ new Date(0) }}', new Date(0)],
  ['{{ 10n }}', 10n],
  ['{{ { a: { b: 1 } } }}', { a: { b: 1 } }],
  ['{{ `${event.body.id}}}` }}', '7}}'],
  ['{{ "a}}b".replace(/}}/g, "-") }}', 'a-b'],
  ['{{ [1,\n 2].map((n) => n * 2) // twice }}', [2, 4]],
  ['{{ 1, 2 }}', 2],
  ['{{ this }}', undefined],
  ['{{ (() => { const x = 1; return x; })() }}', 1],
])('W49: %s keeps its type', ([text, value]) => {
  expect(resolved(text)).toEqual(value);
});

test.for<[text: string, value: string]>([
  ['Hello {{ steps.a.$return_value.name }}!', 'Hello Ann!'],
  ['{{ event.body.id }}{{ 1 }}', '71'],
  ['it: {{ steps.a.$return_value }}', `it: ${JSON.stringify(steps.a.$return_value)}`],
  ['[{{ steps.a.$return_value.list }}]', '[[1,"b"]]'],
  ['<{{ undefined }}{{ null }}>', '<>'],
  ['{{ false }} {{ 0 }} {{ -0 }} {{ NaN }} {{ 2n }}', 'false 0 0 NaN 2'],
  ['{{ new Date(0) }} it was', '1970-01-01T00:00:00.000Z it was'],
  ['{{ new URL("http://a/?b=\\"") }} it is', 'http://a/?b=%22 it is'],
  ['{{ { toJSON: () => "\\"" } }} it is', '" it is'],
  ['{{ new Date(NaN) }} it was', 'null it was'],
  ['{{ { n: 2n } }}.', '{"n":"2"}.'],
  [' {{ "a" }} {{ "b" }} ', ' a b '],
  ['{{ "{{ 1 }}" }} is not evaluated again', '{{ 1 }} is not evaluated again'],
  ['{{ "{{ 1 }}" }}', '{{ 1 }}'],
  ['{ "photos": steps.a.$return_value }', '{ "photos": steps.a.$return_value }'],
  ['{{ nothing ends this', '{{ nothing ends this'],
  ['{{ 1 }} {{ nothing ends this', '1 {{ nothing ends this'],
])('W49: %s is text', ([text, value]) => {
  expect(resolved(text)).toBe(value);
});

test('expressions are evaluated at any depth, and keys never are', () => {
  expect(
    resolved({
      list: ['{{ steps.a.$return_value.list }}'],
      httpRequest: {
        headers: [{ name: 'x-id', value: '{{ event.body.id }}' }],
        body: { mode: 'raw', raw: '{"id": {{ event.body.id }}}' },
      },
      '{{ 1 }}': 'key',
      authProvisionId: '{{ "apn_1" }}',
      left: '{{ undefined }}',
      deep: { left: '{{ undefined }}', stays: null },
      row: ['a', '{{ undefined }}', 'c'],
      n: Number.NaN,
    }),
  ).toStrictEqual({
    list: [[1, 'b']],
    httpRequest: {
      headers: [{ name: 'x-id', value: 7 }],
      body: { mode: 'raw', raw: '{"id": 7}' },
    },
    '{{ 1 }}': 'key',
    authProvisionId: 'apn_1',
    deep: { stays: null },
    row: ['a', undefined, 'c'],
    n: Number.NaN,
  });
});

test('in what was chosen from a list, only the value is an expression', () => {
  const choice = (value: unknown): unknown => ({ __lv: { label: '{{ label }}', value } });
  expect(resolved({ p: choice('{{ event.body.id }}') })).toEqual({ p: choice(7) });
  expect(resolved({ p: choice('{{ undefined }}') })).toEqual({});
  expect(resolved({ p: { __lv: '{{ event.body.id }}' } })).toEqual({ p: { __lv: 7 } });
  expect(resolved({ p: { __lv: '{{ undefined }}' } })).toEqual({});
  expect(
    resolved({
      p: { __lv: [{ label: 'a', value: '{{ 1 }}' }, { label: 'b', value: 2 }, '{{ 3 }}'] },
    }),
  ).toEqual({ p: { __lv: [{ label: 'a', value: 1 }, { label: 'b', value: 2 }, 3] } });
});

test('what holds no expression is given back as it is', () => {
  const plain = {
    a: ['x', { b: 1, n: Number.NaN }],
    c: null,
    d: { __lv: { label: 'l', value: 'v' } },
  };
  expect(hasExpressions(plain)).toBe(false);
  expect(resolved(plain)).toBe(plain);
  const many = { __lv: [{ label: 'l', value: 'v' }] };
  expect(resolved(many)).toBe(many);
  const mixed = { plain, expression: '{{ 1 }}', last: 1 };
  expect(hasExpressions(mixed)).toBe(true);
  const result = resolved(mixed) as typeof mixed;
  expect(result).toEqual({ plain, expression: 1, last: 1 });
  expect(result.plain).toBe(plain);
  expect(mixed.expression).toBe('{{ 1 }}');
});

test('braces that nothing ends are no expression', () => {
  expect(hasExpressions(['a {{ b', '}}'])).toBe(false);
  expect(hasExpressions({ a: { b: ['x {{ y }}'] } })).toBe(true);
});

test('a prop may be named as what objects inherit', () => {
  const props = JSON.parse('{"a":"{{ 1 }}","__proto__":"{{ 2 }}","x":"{{ undefined }}"}') as object;
  expect(JSON.stringify(resolved(props))).toBe('{"a":1,"__proto__":2}');
});

/** The message of what it throws, which is an ExpressionError. */
function errorOf(value: unknown): ExpressionError {
  try {
    resolved(value);
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionError);
    return error as ExpressionError;
  }
  throw new Error('It threw nothing.');
}

test('W49: an error names prop and expression, and says what was thrown', () => {
  const error = errorOf({ rows: [{ 'x-key': 'Hi {{ steps.b.$return_value }}' }] });
  expect(error.message).toBe(
    `post.rows[0]["x-key"]: {{ steps.b.$return_value }} threw TypeError: Cannot read properties of undefined (reading '$return_value')`,
  );
  expect(error).toMatchObject({
    name: 'ExpressionError',
    path: 'post.rows[0]["x-key"]',
    expression: 'steps.b.$return_value',
    cause: expect.any(TypeError) as unknown,
  });
  expect(error.stack).toMatch(
    /^ExpressionError: post\.rows.*\n\s+at .*workflow\.yaml#post\.rows\[0\]\["x-key"\]:1:10/,
  );
});

test.for<[text: string, said: RegExp]>([
  [
    '{{ const a = 1 }}',
    /^post: \{\{ const a = 1 \}\} is not a JavaScript expression: SyntaxError: /,
  ],
  ['{{ event\n\t.a.b }}', /^post: \{\{ event \.a\.b \}\} threw TypeError: /],
  ['{{ a; b }}', /is not a JavaScript expression/],
  ['{{ 1); globalThis.left = 1; (2 }}', /is not a JavaScript expression/],
  ['{{ 1], x = [2 }}', /is not a JavaScript expression/],
  ['{{ return 1 }}', /is not a JavaScript expression/],
  ['{{ ...[1] }}', /is not a JavaScript expression/],
  ['{{ a b }}', /is not a JavaScript expression: SyntaxError: Unexpected identifier 'b'$/],
  ["{{ don't }}", /is not a JavaScript expression: SyntaxError: Invalid or unexpected token/],
  ['{{ await Promise.resolve(1) }}', /is not a JavaScript expression: .*there is no await/],
  ['{{ unknown = 1 }}', /threw ReferenceError: unknown is not defined/],
  ['{{ }}', /^post has an empty expression/],
  ['{{ /* nothing */ }}', /is not a JavaScript expression/],
  ['{{ Date.now }}', /gives a function; call it/],
  ['{{ Symbol("s") }} a', /gives a symbol/],
  ['{{ Promise.reject(new Error("late")) }}', /gives a promise, and expressions cannot wait/],
  ['{{ (() => { throw "text" })() }}', /threw Error: text$/],
  ['{{ (() => { throw undefined })() }}', /threw Error: undefined$/],
  ['{{ (() => { throw null })() }}', /threw Error: null$/],
  ['{{ (() => { throw new Proxy({}, { get() { throw 1 } }) })() }}', /threw Error: /],
  [
    '{{ (() => { throw Object.assign(new Error("m"), { stack: 1, name: {} }) })() }}',
    /threw Error: m$/,
  ],
  ['{{ (function f() { return f() })() }}', /threw RangeError: Maximum call stack/],
  ['{{ { toJSON() { throw new Error("no") } } }} a', /gives what cannot be made text: Error: no$/],
  ['{{ { get a() { throw 1 } } }} a', /gives what cannot be made text: Error: 1$/],
  ['{{ ["x".repeat(7e6)] }} a', /cannot be made text: RangeError: The value is 6.7 MB/],
])('%s is refused', ([text, said]) => {
  expect(errorOf(text).message).toMatch(said);
  expect(globalThis).not.toHaveProperty('left');
});

test('a long expression is cut in the message', () => {
  const { message } = errorOf(`{{ steps.${'x'.repeat(10_000)}.y }}`);
  expect(message.length).toBeLessThan(800);
  expect(message).toMatch(/x… \}\} threw TypeError/);
});

test.for([
  '({ then: 1 })',
  'new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })',
  'new Proxy({}, { getPrototypeOf() { throw 1 } })',
  '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
  'Object.create(null)',
  '{ __proto__: null, a: 1 }',
  '(() => { const o = {}; o.o = o; return o })()',
  'new Map([[1, 2]])',
  'Object.assign(new Date(0), { toJSON: () => undefined })',
  '{ toString: 1, valueOf: 2 }',
])('%s passes whole, and in a text it throws nothing else', (code) => {
  expect(() => resolved(`{{ ${code} }}`)).not.toThrow();
  try {
    expect(resolved(`{{ ${code} }} a`)).toBeTypeOf('string');
  } catch (error) {
    expect(error instanceof ExpressionError).toBe(true);
  }
});

test('W49: any value comes back as it is, and in a text as JSON', async () => {
  await holds(
    fc.property(fc.jsonValue(), (value) => {
      const inScope = scope({ a: { value } });
      const of = (text: string): unknown => resolveValues(text, inScope, 'post');
      const same = JSON.parse(JSON.stringify(value)) as unknown;
      expect(of('{{ steps.a.value }}')).toStrictEqual(same);
      // A literal would set the prototype of an object with the key `__proto__`.
      const literal = JSON.stringify(JSON.stringify(value));
      expect(of(`{{ JSON.parse(${literal}) }}`)).toStrictEqual(same);
      const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
      expect(of('<{{ steps.a.value }}>')).toBe(`<${text}>`);
    }),
    1000,
  );
});

test('W49: any text is itself, or resolves, or throws an ExpressionError', async () => {
  const piece = fc.oneof(
    fc.constantFrom('{{', '}}', '{', '}', '"', "'", '`', '${', '/', '//', '\\', '\n', '(', ')'),
    fc.constantFrom('steps', 'event', '.a', '[0]', ' ', '=>', ',', ':', '1', '[', ']', '*', 'null'),
    fc.string(),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  await holds(
    fc.property(text, (given) => {
      const had = hasExpressions(given);
      try {
        const value = resolved({ given });
        if (!had) expect(value).toEqual({ given });
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        expect(had).toBe(true);
      }
    }),
    3000,
  );
});
