import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionsIn, wholeExpression } from '../../../src/protocol/expression-text.ts';
import { holds } from '../../support/holds.ts';

/** Each expression between guillemets, one that does not end after a single one. */
function marked(text: string): string {
  let from = 0;
  let result = '';
  for (const { start, end, code, closed } of expressionsIn(text)) {
    expect(text.slice(start, end)).toBe(closed ? `{{${code}}}` : `{{${code}`);
    result += `${text.slice(from, start)}«${code}${closed ? '»' : ''}`;
    from = end;
  }
  return result + text.slice(from);
}

test.for<[text: string, found: string]>([
  ['none } }} {', 'none } }} {'],
  ['{{a}}', '«a»'],
  ['{{ a }} and {{b}}.', '« a » and «b».'],
  ['{{ {a: {b: 1}} }}', '« {a: {b: 1}} »'],
  ['{{{a:{b:1}}}}', '«{a:{b:1}}»'],
  ['{"a":{"b":{{x}}}}', '{"a":{"b":«x»}}'],
  ['{{ "}}" }}', '« "}}" »'],
  ["{{ '\\'}}' }}", "« '\\'}}' »"],
  ['{{ `${x}}}` }}', '« `${x}}}` »'],
  ['{{ `a${ `}}${ {b: 1}.b }` }}}` }}', '« `a${ `}}${ {b: 1}.b }` }}}` »'],
  ['{{ `\\`}}` }}', '« `\\`}}` »'],
  ['{{ s.replace(/}}/g, "") }}', '« s.replace(/}}/g, "") »'],
  ['{{ s.split(/[/"}}]/) }} "', '« s.split(/[/"}}]/) » "'],
  ['{{ typeof /"/ }} "', '« typeof /"/ » "'],
  ['{{ a / b }} / {{ (c) / d }}', '« a / b » / « (c) / d »'],
  ['{{ typeof /}}/ }}', '« typeof /}}/ »'],
  ['{{ a.in / 2 }} / "', '« a.in / 2 » / "'],
  ['{{ a /* }} */ }}', '« a /* }} */ »'],
  ['{{ a // b }} c', '« a // b » c'],
  ['{{ a // b }} {{ "}}" }}', '« a // b » « "}}" »'],
  ['{{ [1, // "\n 2] }}', '« [1, // "\n 2] »'],
  ['{{\n  a\n}}', '«\n  a\n»'],
  ['{{}}', '«»'],
  // Code that is not whole ends where it says.
  ["{{ don't\n }} {{ don't }}", "« don't\n » « don't »"],
  ["{{ don't }} {{ x }}", "« don't » « x »"],
  ['{{ { }} {{ x }}', '« { » « x »'],
  ['{{ ` }} x', '« ` » x'],
  ['{{ /* }} x', '« /* » x'],
  ['a {{ b', 'a « b'],
  ['{{ a }} {{ b }', '« a » « b }'],
  ['{{', '«'],
])('%s', ([text, found]) => {
  expect(marked(text)).toBe(found);
});

test('a text is one whole expression, white space around it aside', () => {
  expect(wholeExpression('{{ a }}')).toEqual({ start: 0, end: 7, code: ' a ', closed: true });
  expect(wholeExpression(' \n{{ a }}\n')).toMatchObject({ start: 2, end: 9, code: ' a ' });
  expect(wholeExpression('{{ {a: 1} }}')?.code).toBe(' {a: 1} ');
});

test.for(['{{ a }}.', '{{a}}{{b}}', '{{ a }', '{{a}} }}', '', 'a', '{{'])('%s is not', (text) => {
  expect(wholeExpression(text)).toBeUndefined();
});

test('a long text with much that is broken takes no time', () => {
  const startedAt = performance.now();
  for (const piece of ['{{ { }} ', '{{ ` }} ', '{{ /', "{{ '", '{{ a / b }}']) {
    expressionsIn(piece.repeat(100_000));
  }
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('the pieces of any text are the text', async () => {
  const piece = fc.constantFrom(...'{}"\'`$\\/*[]\n a1.'.split(''), '{{', '}}', '${', '//', '/*');
  await holds(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      expect(marked(text).replaceAll('«', '{{').replaceAll('»', '}}')).toBe(text);
    }),
    3000,
  );
});

test('JSON in an expression is stepped over, whatever stands in it', async () => {
  await holds(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      const before = text.replaceAll('{{', '').replace(/\{$/, '');
      const code = ` ${JSON.stringify(value)} `;
      expect(expressionsIn(`${before}{{${code}}}`)).toEqual([
        { start: before.length, end: before.length + code.length + 4, code, closed: true },
      ]);
    }),
    2000,
  );
});
