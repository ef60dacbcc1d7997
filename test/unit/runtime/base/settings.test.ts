import { expect, test } from 'vitest';
import {
  defaultSettings,
  parseRedirects,
  parseSettings,
} from '../../../../src/runtime/base/settings.ts';

test('settings are the defaults with what is given over them', () => {
  expect(parseSettings(['run.timeoutSeconds=5', 'npm.path=/opt/npm'])).toEqual({
    ...defaultSettings,
    'run.timeoutSeconds': 5,
    'npm.path': '/opt/npm',
  });
});

test.each([
  'run.timeoutSeconds',
  'nope=1',
  '__proto__=1',
  'run.memoryMb=-1',
  'run.memoryMb=',
  'run.memoryMb=x',
  'packages.install=perhaps',
])('the setting "%s" is refused by name', (assignment) => {
  expect(() => parseSettings([assignment])).toThrow(assignment.split('=')[0]);
});

test('redirects are read by host, in lower case', () => {
  const given = ['API.example.com=http://127.0.0.1:1', 'db.example.com=tcp://127.0.0.1:5432'];
  expect(parseRedirects(given)).toEqual({
    'api.example.com': 'http://127.0.0.1:1',
    'db.example.com': 'tcp://127.0.0.1:5432',
  });
});

test.each(['api.example.com', '=http://x', 'a=b', 'a=ftp://b', 'a=tcp://b'])(
  '"%s" is not a redirect',
  (assignment) => {
    expect(() => parseRedirects([assignment])).toThrow('is not a redirect');
  },
);
