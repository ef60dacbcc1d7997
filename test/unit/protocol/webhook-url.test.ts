import { expect, test } from 'vitest';
import { webhookUrlProblem } from '../../../src/protocol/webhook-url.ts';

test.each(['http://127.0.0.1:8080/', 'HTTPS://example.com/a?b=c#d', 'http://[::1]/x'])(
  '%j can be a webhook',
  (url) => {
    expect(webhookUrlProblem(url)).toBeUndefined();
  },
);

test.each([
  'http:///x',
  'http:x',
  'https:\\\\x/',
  'ftp://x/',
  'http://',
  '',
  'http://x/a b',
  'http://x/\n',
])('%j cannot, and it is said what can', (url) => {
  expect(webhookUrlProblem(url)).toContain('starts with http:// or https:// and names a host');
});

test('a password is refused for its own reason', () => {
  expect(webhookUrlProblem('http://me:secret@127.0.0.1/')).toContain('user name or password');
});
