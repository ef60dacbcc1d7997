/** What the editor reads of a component's text without running it is what the module has when it is run. */
import { inspect } from 'node:util';
import { Script } from 'node:vm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findComponent } from '../../src/extension/component-files/find-component.ts';
import { findProblems, propPlaces } from '../../src/extension/problems/find-problems.ts';
import { readObject, type Member } from '../../src/extension/problems/object-literal.ts';
import { holds } from '../support/holds.ts';

/** JavaScript that holds every character the reader has to step over: brackets, quotes, slashes. */
const noise = fc.string({
  unit: fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ',',
    ':',
    '/',
    '*',
    '"',
    "'",
    '`',
    '$',
    'a',
    ' ',
    '\\',
    '\n',
    'é',
    '😀',
  ),
  maxLength: 8,
});

const quoted = (quote: string) => (text: string) =>
  quote + text.replaceAll(/[\\\n]|\$(?=\{)/g, '\\$&').replaceAll(quote, `\\${quote}`) + quote;
const stringLiteral = fc.oneof(
  noise.map((text) => JSON.stringify(text)),
  noise.map(quoted("'")),
  noise.map(quoted('`')),
);

const comment = fc.oneof(
  noise.map((text) => `/*${text.replaceAll('*/', '')}*/`),
  noise.map((text) => `//${text.replaceAll('\n', '')}\n`),
);
/** What may stand between any two tokens. */
const blank = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('', ' ', '\n', '\t', '\r\n  ', '\u00a0') },
  { weight: 1, arbitrary: comment },
);

/** Of characters that mean something to the reader. */
const regExp = fc
  .array(
    fc.constantFrom('a', '"', "'", '`', '\\/', '[/]', '[\\]}]', '\\{', '}', ',', '\\(', '\\)', '.'),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => `/${parts.join('')}/g`);

const identifier = fc.constantFrom(
  'a',
  'b1',
  '$c',
  '_d',
  'props',
  'type',
  'async',
  'get',
  'set',
  'static',
  'of',
  'été',
  '変数',
  'return',
  'new',
);
const key = fc.oneof(
  identifier,
  fc.nat({ max: 99 }).map(String),
  noise.map((text) => JSON.stringify(text)),
  noise.map(quoted("'")),
);

const { object } = fc.letrec<{
  expression: string;
  object: string;
  member: string;
  method: string;
  statement: string;
}>((tie) => {
  const joined = (parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
  const list = (items: fc.Arbitrary<string>, open: string, close: string) =>
    fc
      .tuple(
        fc.array(
          fc.tuple(blank, items, blank).map((all) => all.join('')),
          { maxLength: 4 },
        ),
        fc.boolean(),
        blank,
      )
      .map(
        ([all, comma, last]) =>
          `${open}${all.join(',')}${comma && all.length > 0 ? ',' : ''}${last}${close}`,
      );
  const expr = tie('expression');
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('1', 'true', 'null', 'undefined', '-1.5e3', '0x1f', '10n'),
      stringLiteral,
      regExp,
      list(expr, '[', ']'),
      tie('object'),
      joined([fc.constant('('), blank, expr, blank, fc.constant(')')]),
      joined([
        fc.constant('(6'),
        blank,
        fc.constant('/'),
        fc.constantFrom(' ', ''),
        fc.constant('2'),
        blank,
        fc.constant('/ 1)'),
      ]),
      joined([fc.constant('[1,2].length'), blank, fc.constant('/ 2')]),
      joined([fc.constant('`a${'), expr, fc.constant('}b`')]),
      joined([fc.constant('typeof '), expr]),
      joined([fc.constant('void '), expr]),
      joined([expr, blank, fc.constant('?'), blank, expr, blank, fc.constant(':'), blank, expr]),
      joined([
        fc.constant('(a, {b = "}"} = {}) =>'),
        fc.constantFrom(' ', ''),
        fc.constant('('),
        expr,
        fc.constant(')'),
      ]),
      joined([
        fc.constant('function'),
        blank,
        fc.constant('f() {'),
        tie('statement'),
        fc.constant('}'),
      ]),
      joined([fc.constant('async () => {'), tie('statement'), tie('statement'), fc.constant('}')]),
    ),
    statement: fc.oneof(
      joined([fc.constant('return'), fc.constantFrom(' ', '/**/'), expr, fc.constant(';')]),
      joined([
        fc.constant('if ('),
        expr,
        fc.constant(')'),
        blank,
        fc.constant('{'),
        fc.constant('}'),
        blank,
        fc.constant('else '),
        expr,
        fc.constant(';'),
      ]),
      joined([fc.constant('throw '), expr, fc.constant(';')]),
      joined([fc.constant('switch (1) { case '), expr, fc.constant(': }')]),
      joined([
        fc.constant('let i = 4; i++'),
        blank,
        fc.constant('/ 2;'),
        blank,
        fc.constant('i / 2;'),
      ]),
      joined([
        blank,
        fc.constant('for (const x of [1]) {}'),
        blank,
        regExp,
        fc.constant('.test("x");'),
      ]),
    ),
    method: joined([
      fc.constantFrom('', 'async ', '*', 'async *', 'async* '),
      key,
      blank,
      fc.constant('(a = {}, [b] = [")"])'),
      blank,
      fc.constant('{'),
      tie('statement'),
      fc.constant('}'),
    ]),
    member: fc.oneof(
      joined([key, blank, fc.constant(':'), blank, expr]),
      joined([key, blank, fc.constant(':'), blank, expr]),
      tie('method'),
      joined([
        fc.constantFrom('get ', 'set '),
        identifier,
        fc.constant('(v) {'),
        fc.constant('}'),
      ]).map((text) => (text.startsWith('get') ? text.replace('(v)', '()') : text)),
      joined([fc.constant('['), expr, fc.constant(']'), blank, fc.constant(':'), expr]),
      joined([fc.constant('...'), expr]),
      fc.constantFrom('a', 'b1', '$c'),
    ),
    object: list(tie('member'), '{', '}'),
  };
});

const script = (text: string) => new Script(`({ a, b1, $c }) => (${text}\n)`);

/** What JavaScript makes of it; undefined for a text that it refuses, or that throws when it is run. */
function evaluated(text: string): Record<string, unknown> | undefined {
  try {
    const make = script(text).runInThisContext() as (names: object) => Record<string, unknown>;
    // What the shorthands name.
    return make({ a: 1, b1: 2, $c: 3 });
  } catch {
    return undefined;
  }
}

function compiles(text: string): boolean {
  try {
    return script(text) instanceof Script;
  } catch {
    return false;
  }
}

test('every object literal is read to its end', async () => {
  await holds(
    fc.property(object, (text) => {
      fc.pre(compiles(text));
      expect(readObject(`${text} / 2, "}" // }`, 0)?.end).toBe(text.length);
    }),
    2000,
  );
});

test('names and values of members are those of the object', async () => {
  await holds(
    fc.property(object, (text) => {
      const value = evaluated(text);
      fc.pre(value !== undefined);
      const literal = readObject(text, 0);
      const members = literal?.members ?? [];
      const names = members.flatMap(({ name }) => (name === undefined ? [] : [name]));
      const real = Object.getOwnPropertyNames(value);
      const isWhole = literal?.hasSpread === false && names.length === members.length;
      if (isWhole) expect(new Set(names)).toEqual(new Set(real));
      else expect(real).toEqual(expect.arrayContaining(names));
      for (const member of members) {
        const once = isWhole && names.filter((one) => one === member.name).length === 1;
        if (once && text[member.valueStart] !== '(') expectValue(text, member, value);
      }
    }),
    2000,
  );
});

/** Functions are compared by their text, NaN with NaN. */
function expectValue(text: string, { name, valueStart, end }: Member, whole: object): void {
  const { value } = Object.getOwnPropertyDescriptor(whole, name ?? '') ?? {};
  const own = evaluated(`{ value: ${text.slice(valueStart, end)}\n}`)?.['value'];
  const shown = (one: unknown) =>
    typeof one === 'function' ? String(one) : inspect(one, { depth: 9 });
  expect(shown(own)).toBe(shown(value));
}

const component = fc.tuple(blank, object, blank, object).map(([before, props, between, rest]) => {
  const definition = `{${before}type: "source",${between}props: ${props},\n...${rest} }`;
  return { text: `import x from "y";\n${before}\nexport default ${definition};`, props };
});

test('the places of props are those of the component', async () => {
  await holds(
    fc.property(component, ({ text, props }) => {
      const value = evaluated(props);
      fc.pre(
        value !== undefined &&
          /^export default/m.exec(text)?.index === text.indexOf('export default'),
      );
      const places = propPlaces(text);
      expect(Object.getOwnPropertyNames(value)).toEqual(expect.arrayContaining([...places.keys()]));
      for (const [name, { start, end }] of places) expect(text.slice(start, end)).toContain(name);
    }),
    1000,
  );
});

test('no text makes it throw or hang', async () => {
  const put = fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '"',
    "'",
    '`',
    '${',
    '/',
    '/*',
    '//',
    '\\',
    '\n',
    ',',
    ':',
    '...',
    '*',
    'async ',
    'get ',
    'export default {',
    'this.$emit(',
    'props: {',
    'type: "source", dedupe: "unique"',
  );
  const mutation = fc.tuple(
    fc.nat(),
    fc.nat({ max: 5 }),
    put,
    fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.constant(3000)),
  );
  await holds(
    fc.property(
      fc.oneof(
        component.map(({ text }) => text),
        fc.string(),
      ),
      fc.array(mutation, { maxLength: 5 }),
      (text, all) => {
        const mutated = all.reduce((whole, [at, remove, one, times]) => {
          const place = at % (whole.length + 1);
          return whole.slice(0, place) + one.repeat(times) + whole.slice(place + remove);
        }, text);
        const before = performance.now();
        findComponent(mutated);
        findProblems(mutated, 'a-file');
        propPlaces(mutated);
        expect(performance.now() - before).toBeLessThan(2000);
      },
    ),
    500,
  );
});
