import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ComponentError } from '../../../../../src/component/host/values.ts';
import { thrownError } from '../../../../../src/component/host/output/thrown.ts';

class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

test.for<[thrown: unknown, made: object]>([
  ['text', { name: 'Error', message: 'text' }],
  [undefined, { name: 'Error', message: 'undefined' }],
  [{ code: 5 }, { name: 'Error', message: '{ code: 5 }' }],
  [
    { name: 'Foreign', message: 'm', stack: 's' },
    { name: 'Foreign', message: 'm', stack: 's' },
  ],
  [
    new ConfigurationError('set it'),
    { name: 'ConfigurationError', message: 'set it', configuration: true },
  ],
  [new ComponentError('no run()'), { name: 'ComponentError', message: 'no run()' }],
])('%o', ([thrown, made]) => {
  expect(thrownError(thrown)).toEqual(made);
});

test('an error keeps its stack, without the frames of Node', () => {
  const error = new TypeError('x');
  error.stack =
    'TypeError: x\n    at run (/c/a.mjs:1:2)\n    at node:internal/process:1:1\n    at async process.f (node:internal/x:1:1)';
  expect(thrownError(error)).toEqual({
    name: 'TypeError',
    message: 'x',
    stack: 'TypeError: x\n    at run (/c/a.mjs:1:2)',
  });
});

test('getters that throw, and endless messages, do no harm', () => {
  const hostile = new Error('x'.repeat(100_000));
  Object.defineProperty(hostile, 'stack', {
    get() {
      throw new Error('no');
    },
  });
  const made = thrownError(hostile);
  expect([made.stack, made.message.length]).toEqual([undefined, 64 * 1024 + 1]);
});

test('what cannot even be looked at is an error all the same', () => {
  const fails = (): never => {
    throw new Error('no');
  };
  const getters = Object.defineProperty({ code: 5 }, 'message', { get: fails, enumerable: true });
  expect(thrownError(getters)).toEqual({
    name: 'Error',
    message: '{ code: 5, message: [Getter] }',
  });
  const nothing = { get: fails, getPrototypeOf: fails, has: fails, ownKeys: fails };
  expect(thrownError(new Proxy({ a: 1 }, nothing)).message).toBe('{ a: 1 }');
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(thrownError(proxy).message).toBe('<Revoked Proxy>');
  expect(
    thrownError({
      [inspect.custom]: fails,
      get message() {
        return fails();
      },
    }).message,
  ).toBe('What was thrown cannot be read: reading it throws.');
});

test.each([
  ['axios', { response: { status: 401 } }, true],
  ['got', { response: { statusCode: 401 } }, true],
  ['octokit', { status: 401 }, true],
  ['request', { statusCode: 401 }, true],
  ['another answer', { response: { status: 403 } }, undefined],
  ['none', { response: null }, undefined],
])('401 as %s says it is told apart', (_, parts, expected) => {
  expect(thrownError(Object.assign(new Error('no'), parts)).unauthorized).toBe(expected);
});
