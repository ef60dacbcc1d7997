import { expect, test } from 'vitest';
import { parsePageMessage } from '../../../../src/extension/forms/page-message.ts';
import type { PageMessage } from '../../../../src/webview/prop-form/messages.ts';

const messages: PageMessage[] = [
  { t: 'ready' },
  { t: 'retry' },
  { t: 'stop' },
  { t: 'dismiss' },
  { t: 'submit', values: { a: 1 } },
  { t: 'copyEndpoint', prop: 'http' },
  { t: 'secret', prop: 'token', value: 'x' },
  { t: 'props', request: 1, values: {} },
  { t: 'options', request: 2, prop: 'p', query: '', next: true, values: {} },
  { t: 'schedule', request: 3, prop: 'timer', timer: { cron: '* * * * *', timezone: 'UTC' } },
  { t: 'schedule', request: 3, prop: 'timer', timer: { intervalSeconds: 60 } },
  { t: 'account', app: 'slack', name: 'Work', credentials: { token: 'x' } },
  { t: 'account', app: 'slack', name: 'Work', credentials: { token: 'x' }, isShared: true },
  { t: 'connect', app: 'slack', account: null },
  { t: 'connect', app: 'slack', account: 'apn_1' },
];

test.each(messages)('$t is taken as it is', (message) => {
  expect(parsePageMessage(message)).toEqual(message);
});

test.each([
  ['nothing', undefined],
  ['a text', 'ready'],
  ['a list', ['ready']],
  ['an unknown kind', { t: 'runCommand', command: 'weir.delete' }],
  ['what every object has', { t: 'toString' }],
  ['values that are a list', { t: 'submit', values: [] }],
  ['values that are missing', { t: 'props', request: 1 }],
  ['a request that is not a number', { t: 'props', request: '1', values: {} }],
  ['a secret that is not a text', { t: 'secret', prop: 'token', value: { a: 1 } }],
  ['an account to connect that is not an id', { t: 'connect', app: 'a', account: 1 }],
  ['credentials that are not texts', { t: 'account', app: 'a', name: 'n', credentials: { k: 1 } }],
  ['a timer without a schedule', { t: 'schedule', request: 1, prop: 't', timer: {} }],
])('%s is not a message', (_, sent) => {
  expect(parsePageMessage(sent)).toBeUndefined();
});

test('anything else in a message is dropped', () => {
  expect(parsePageMessage({ t: 'ready', command: 'weir.delete' })).toEqual({ t: 'ready' });
});
