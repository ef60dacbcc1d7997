import { describe, expect, test } from 'vitest';
import {
  askedProps,
  parseAnswer,
  questionFor,
  requiredProps,
} from '../../../../src/extension/forms/prop-question.ts';
import type { ConfigurableProp } from '../../../../src/protocol/definition.ts';

const prop = (part: Partial<ConfigurableProp>): ConfigurableProp => ({
  name: 'limit',
  type: 'string',
  ...part,
});

describe('requiredProps', () => {
  const asked: [string, Partial<ConfigurableProp>, boolean][] = [
    ['a required string', {}, true],
    ['an optional one', { optional: true }, false],
    ['one with a default', { default: 'x' }, false],
    ['a false default is a default', { type: 'boolean', default: false }, false],
    ['a hidden one', { hidden: true }, false],
    ['a disabled one', { disabled: true }, false],
    ['a static one', { static: 'x' }, false],
    ['an app', { type: 'app', app: 'slack' }, true],
    ['an HTTP interface', { type: '$.interface.http' }, false],
    ['a db', { type: '$.service.db' }, false],
    ['an alert', { type: 'alert' }, false],
    ['a timer without a schedule', { type: '$.interface.timer' }, true],
    ['a timer with one', { type: '$.interface.timer', default: { cron: '0 * * * *' } }, false],
    [
      'a timer of 2020, the schedule on the prop',
      { type: '$.interface.timer', cron: '* * * * *' },
      false,
    ],
  ];
  test.each(asked)('%s', (_, part, isAsked) => {
    expect(requiredProps([prop(part)]).length).toBe(isAsked ? 1 : 0);
  });

  test('a form to configure asks for optional ones and for timers too', () => {
    const props = [
      prop({ optional: true }),
      prop({ type: '$.interface.timer', default: { intervalSeconds: 60 } }),
      prop({ type: '$.service.db' }),
    ];
    expect(askedProps(props)).toEqual(props.slice(0, 2));
  });
});

test.each([
  [prop({ type: '$.interface.timer' }), { kind: 'timer' }],
  [prop({ type: 'app', app: 'slack' }), { kind: 'account', app: 'slack' }],
  [prop({ secret: true }), { kind: 'text', secret: true, hint: '' }],
  [
    prop({ options: ['a', { label: 'Bee', value: 'b' }] }),
    {
      kind: 'choice',
      many: false,
      choices: [
        { label: 'a', value: 'a' },
        { label: 'Bee', value: 'b' },
      ],
    },
  ],
  [prop({ type: 'string[]', options: [] }), { kind: 'choice', many: true, choices: [] }],
])('questionFor %o', (asked, question) => {
  expect(questionFor(asked)).toEqual(question);
});

describe('parseAnswer', () => {
  test.each<[Partial<ConfigurableProp>, string, unknown]>([
    [{}, ' as typed ', ' as typed '],
    [{ optional: true }, '', undefined],
    [{ type: 'integer' }, ' 42 ', 42],
    [{ type: 'integer', min: 1, max: 3 }, '3', 3],
    [{ type: 'string[]' }, 'a, b', ['a', 'b']],
    [{ type: 'integer[]' }, '1,2', [1, 2]],
    [{ type: 'object' }, '{"a":1}', { a: 1 }],
    [{ type: 'any' }, '[1]', [1]],
  ])('%o takes %j', (part, text, value) => {
    expect(parseAnswer(prop(part), text)).toEqual({ ok: true, value });
  });

  test.each<[Partial<ConfigurableProp>, string, RegExp]>([
    [{ label: 'Limit' }, '  ', /^Limit is required\.$/],
    [{ type: 'integer' }, '1.5', /whole/],
    [{ type: 'integer' }, 'many', /number/],
    [{ type: 'integer', min: 2 }, '1', /least is 2/],
    [{ type: 'integer', max: 2 }, '3', /most is 2/],
    [{ type: 'object' }, '{', /JSON/],
    [{}, 'x'.repeat(64 * 1024 + 1), /64 KB/],
  ])('%o refuses %j', (part, text, problem) => {
    expect(parseAnswer(prop(part), text)).toEqual({
      ok: false,
      problem: expect.stringMatching(problem),
    });
  });
});
