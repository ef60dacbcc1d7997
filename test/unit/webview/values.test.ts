import { expect, test } from 'vitest';
import { inWords, unitOf } from '../../../src/webview/prop-form/interval.ts';
import { fromJson, toJson } from '../../../src/webview/prop-form/json-view.ts';
import { listDraft, objectDraft } from '../../../src/webview/prop-form/row-drafts.ts';
import {
  configuredPick,
  labelOf,
  parsed,
  pickedOf,
  timerOf,
} from '../../../src/webview/prop-form/values.ts';

test.each([
  ['nothing', undefined, []],
  ['a bare value', 'a', [{ label: 'a', value: 'a' }]],
  ['one with its label', { __lv: { label: 'A', value: 1 } }, [{ label: 'A', value: 1 }]],
  [
    'several bare ones',
    [1, 'b'],
    [
      { label: '1', value: 1 },
      { label: 'b', value: 'b' },
    ],
  ],
  [
    'several with labels',
    { __lv: [{ label: 'A', value: 1 }, { value: 2 }] },
    [
      { label: 'A', value: 1 },
      { label: '2', value: 2 },
    ],
  ],
  ['each in its own envelope', [{ __lv: { label: 'A', value: 1 } }], [{ label: 'A', value: 1 }]],
])('%s reads as options', (_, value, options) => {
  expect(pickedOf(value)).toEqual(options);
});

test.each([
  [[{ label: 'a', value: 'a' }], false, 'a'],
  [[{ label: 'A', value: 'a' }], false, { __lv: { label: 'A', value: 'a' } }],
  [[{ label: '1', value: 1 }], true, [1]],
  [[{ label: 'A', value: 1 }], true, { __lv: [{ label: 'A', value: 1 }] }],
  [[], true, []],
  [[], false, undefined],
])('%j, many: %s, is configured as %j', (picked, many, value) => {
  expect(configuredPick(picked, many)).toEqual(value);
});

test.each([
  ['integer', ' 12 ', 12],
  ['integer', '1e3', 1000],
  ['integer', '12x', '12x'],
  ['integer', ' ', ' '],
  ['number', '-0.5', -0.5],
  ['boolean', 'true', true],
  ['boolean', 'yes', 'yes'],
  ['string', '12', '12'],
])('in a field of %s, %j stands for %j', (type, text, value) => {
  expect(parsed(type, text)).toBe(value);
});

test.each([
  [{ intervalSeconds: 60 }, { intervalSeconds: 60 }],
  [{ cron: null, interval_seconds: 60 }, { intervalSeconds: 60 }],
  [
    { cron: '* * * * *', timezone: 'UTC', interval_seconds: null },
    { cron: '* * * * *', timezone: 'UTC' },
  ],
  ['0 9 * * *', undefined],
  [{}, undefined],
])('%j reads as the timer %j', (value, timer) => {
  expect(timerOf(value)).toEqual(timer);
});

test.each([
  [900, 'minutes', 'Every 15 minutes'],
  [90, 'seconds', 'Every 90 seconds'],
  [3600, 'hours', 'Every hour'],
  [172_800, 'days', 'Every 2 days'],
  [0.5, 'seconds', 'Every 0.5 seconds'],
])('%d s are counted in %s', (seconds, unit, words) => {
  expect(unitOf(seconds).name).toBe(unit);
  expect(inWords(seconds)).toBe(words);
});

test.each([
  ['a value without rows', undefined, ['a'], ['a']],
  ['no value', undefined, undefined, ['']],
  ['rows that stand for it, with an empty one', ['a', ''], ['a'], ['a', '']],
  ['rows of an older value', ['a', ''], ['b'], ['b']],
])('the rows of a list: %s', (_, draft, value, rows) => {
  expect(listDraft(draft, value)).toEqual(rows);
});

test.each([
  ['nothing yet', undefined, undefined, { mode: 'rows', rows: [['', '']] }],
  ['texts', undefined, { a: '1' }, { mode: 'rows', rows: [['a', '1']] }],
  ['more than texts', undefined, { a: 1 }, { mode: 'json', text: '{\n  "a": 1\n}' }],
  [
    'a row without a key yet',
    {
      mode: 'rows',
      rows: [
        ['a', '1'],
        ['', 'x'],
      ],
    },
    { a: '1' },
    {
      mode: 'rows',
      rows: [
        ['a', '1'],
        ['', 'x'],
      ],
    },
  ],
  ['half a document', { mode: 'json', text: '{"a"' }, '{"a"', { mode: 'json', text: '{"a"' }],
  [
    'a draft of an older value',
    { mode: 'json', text: '{"a": "1"}' },
    { b: '2' },
    { mode: 'rows', rows: [['b', '2']] },
  ],
])('the draft of an object: %s', (_, draft, value, expected) => {
  expect(objectDraft(draft, value)).toEqual(expected);
});

const props = [
  { name: 'a', type: 'string' },
  { name: 'token', type: 'string', secret: true },
  { name: 'd', type: 'string', optional: true, default: 'x' },
  { name: 'db', type: '$.service.db' },
];

test('the document holds what can be set, and nothing else', () => {
  const text = toJson(props, { a: '1', token: { secret: true }, gone: 1 });
  expect(JSON.parse(text)).toEqual({ a: '1', token: { secret: true }, d: 'x' });
});

test.each([
  ['unchanged', '{"a":"1","d":"x"}', { a: '1', d: 'x' }, {}],
  ['a default taken out', '{"a":"1"}', { a: '1', d: null }, {}],
  [
    'a secret written out',
    '{"a":"1","d":"x","token":"hush"}',
    { a: '1', d: 'x' },
    { token: 'hush' },
  ],
  [
    'a secret that is set',
    '{"token":{"secret":true}}',
    { a: null, token: { secret: true }, d: null },
    {},
  ],
])('read back: %s', (_, text, values, secrets) => {
  expect(fromJson(text, props, { a: '1' })).toEqual({ ok: true, values, secrets });
});

test.each([
  ['{', /^This is not JSON/],
  ['[]', 'Enter one object, {"name": value}.'],
  ['{"db": 1}', 'There is no prop db. The props are: a, token, d.'],
])('%s is not a document', (text, problem) => {
  expect(fromJson(text, props, {})).toEqual({ ok: false, problem: expect.stringMatching(problem) });
});

test.each([
  [{ name: 'a', type: 'string', label: 'The A' }, 'The A'],
  [{ name: 'a', type: 'string', label: '' }, 'a'],
  [{ name: 'timer', type: '$.interface.timer' }, 'Schedule'],
  [{ name: 'http', type: '$.interface.http' }, 'Endpoint'],
  [{ name: 'drive', type: 'app', app: 'google_drive' }, 'Google Drive account'],
])('%j is known as %s', (prop, label) => {
  expect(labelOf(prop)).toBe(label);
});
