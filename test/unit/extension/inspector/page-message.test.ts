import { expect, test } from 'vitest';
import {
  parsePageMessage,
  parseSubject,
} from '../../../../src/extension/inspector/page-message.ts';

test.each([
  [{ t: 'ready' }],
  [{ t: 'do', action: 'older' }],
  [{ t: 'copy', text: 'x' }],
  [{ t: 'redeliver', id: 'del_1' }],
  [{ t: 'openFrame', at: 1 }],
])('%o is a message', (message) => {
  expect(parsePageMessage(message)).toEqual(message);
});

test.each([
  [null],
  ['ready'],
  [{}],
  [{ t: 'do' }],
  [{ t: 'do', action: 'workbench.action.quit' }],
  [{ t: 'do', action: 'toString' }],
  [{ t: 'copy', text: 1 }],
  [{ t: 'redeliver' }],
  [{ t: 'openFrame', at: '1' }],
])('%o is not a message', (message) => {
  expect(parsePageMessage(message)).toBeUndefined();
});

test('anything else in a message is dropped', () => {
  expect(parsePageMessage({ t: 'ready', command: 'x' })).toEqual({ t: 'ready' });
});

test('a subject is read back, and nothing else', () => {
  const subject = { runtime: '/w/.weir', emitterId: 'dc_1', eventId: '1-0' };
  expect(parseSubject({ ...subject, more: 1 })).toEqual(subject);
  expect(parseSubject({ ...subject, eventId: 1 })).toBeUndefined();
  expect(parseSubject(undefined)).toBeUndefined();
});
