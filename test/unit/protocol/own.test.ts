import { expect, test } from 'vitest';
import { own } from '../../../src/protocol/own.ts';

const inherited = ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__'];

test.each(inherited)('%s is there only when somebody put it there', (name) => {
  expect(own({}, name)).toBeUndefined();
  expect(own(undefined, name)).toBeUndefined();
  const record = JSON.parse(`{"${name}": "given"}`) as Record<string, string>;
  expect(own(record, name)).toBe('given');
});
