import { expect, test } from 'vitest';
import { withSecrets } from '../../../../src/extension/forms/secrets.ts';

const props = [
  { name: 'token', type: 'string', secret: true },
  { name: 'plain', type: 'string' },
];
const kept = { secret: true };

test.each([
  ['what was typed', { token: kept }, [['token', 'x']], [], { token: 'x' }],
  [
    'what was typed wins over what is stored',
    { token: kept },
    [['token', 'x']],
    ['token'],
    { token: 'x' },
  ],
  ['what is stored stays', { token: kept }, [], ['token'], { token: kept }],
  ['nothing where neither is', { token: kept }, [], [], {}],
  ['taken away', { token: null }, [['token', 'x']], ['token'], { token: null }],
  ['a value that only looks like one', { plain: kept }, [['plain', 'x']], [], { plain: kept }],
] as const)('%s', (_, values, typed, stored, expected) => {
  const memory = new Map<string, string>(typed);
  expect(withSecrets(values, props, memory, stored)).toEqual(expected);
});
