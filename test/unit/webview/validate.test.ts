import { expect, test } from 'vitest';
import type { ConfigurableProp } from '../../../src/protocol/definition.ts';
import { problemOf, problemsOf } from '../../../src/webview/prop-form/validate.ts';

const prop = (part: Partial<ConfigurableProp>): ConfigurableProp => ({
  name: 'p',
  type: 'string',
  ...part,
});
const picked = (value: unknown) => ({ __lv: { label: 'L', value } });

test.each<[string, Partial<ConfigurableProp>, unknown]>([
  ['a text', {}, 'x'],
  ['nothing, where it is optional', { optional: true }, undefined],
  ['an app without an account', { type: 'app', app: 'slack' }, undefined],
  ['a secret that is set', { secret: true }, { secret: true }],
  ['zero', { type: 'integer' }, 0],
  ['the bounds themselves', { type: 'integer', min: 1, max: 1 }, 1],
  ['a fraction for a number', { type: 'number' }, 1.5],
  ['false', { type: 'boolean' }, false],
  ['an option picked with its label', { type: 'integer', options: [1] }, picked(1)],
  ['an option of another type', { type: 'string', remoteOptions: true }, picked({ id: 1 })],
  ['a list', { type: 'string[]' }, ['a']],
  [
    'a list picked with labels',
    { type: 'string[]', options: ['a'] },
    { __lv: [{ label: 'A', value: 'a' }] },
  ],
  ['an object', { type: 'object' }, { a: 1 }],
  ['a list for an object', { type: 'object' }, [1]],
  ['a text for an object', { type: 'object' }, 'words'],
  ['JSON text for an object', { type: 'object' }, '{"a": 1}'],
  ['anything for any', { type: 'any' }, [1, 'x']],
  ['a timer', { type: '$.interface.timer' }, { intervalSeconds: 60 }],
])('%s is fine', (_, part, value) => {
  expect(problemOf(prop(part), value)).toBeUndefined();
});

test.each<[string, Partial<ConfigurableProp>, unknown, string | RegExp]>([
  ['nothing', {}, undefined, 'A value is required.'],
  ['an empty text', {}, '', 'A value is required.'],
  ['an empty list', { type: 'string[]' }, [], 'A value is required.'],
  ['a list of nothing', { type: 'string[]' }, ['', ''], 'At least one value is required.'],
  ['a text for a number', { type: 'integer' }, 'soon', '“soon” is not a number.'],
  ['a fraction for an integer', { type: 'integer' }, 1.5, 'Must be a whole number.'],
  ['too little', { type: 'integer', min: 2 }, 1, 'Must be 2 or more.'],
  ['too much', { type: 'integer', max: 2 }, 3, 'Must be 2 or less.'],
  ['too much, optional', { type: 'integer', max: 2, optional: true }, 3, 'Must be 2 or less.'],
  ['too much in a list', { type: 'integer[]', max: 2 }, [1, 3], 'Must be 2 or less.'],
  [
    'a text for true or false',
    { type: 'boolean' },
    'perhaps',
    'perhaps is neither true nor false.',
  ],
  ['a list for a request', { type: 'http_request' }, [1], 'This must be a JSON object, in braces.'],
  ['half an object', { type: 'object' }, '{"a":', /^This is not JSON\./],
  [
    'a timer without a schedule',
    { type: '$.interface.timer' },
    undefined,
    'A schedule is required.',
  ],
  [
    'a timer of nothing',
    { type: '$.interface.timer' },
    { intervalSeconds: 0 },
    'Enter a number of 1 or more.',
  ],
  ['an empty cron', { type: '$.interface.timer' }, { cron: ' ' }, /^Enter a cron expression/],
  ['more than 64 KB', {}, 'é'.repeat(33_000), 'A value may be 64 KB at most.'],
])('%s is not', (_, part, value, problem) => {
  expect(problemOf(prop(part), value)).toMatch(problem);
});

test('a default counts, and props that nobody fills in are not checked', () => {
  const props = [
    prop({ name: 'filled', default: 'x' }),
    prop({ name: 'emptied', default: 'x' }),
    prop({ name: 'hidden', hidden: true }),
    prop({ name: 'off', disabled: true }),
    prop({ name: 'db', type: '$.service.db' }),
    prop({ name: 'banner', type: 'alert' }),
    prop({ name: 'syncDir', type: 'dir' }),
  ];
  expect(problemsOf(props, { emptied: null })).toEqual({ emptied: 'A value is required.' });
});
