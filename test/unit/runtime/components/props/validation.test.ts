import { describe, expect, test } from 'vitest';
import type { ConfigurableProp } from '../../../../../src/protocol/definition.ts';
import {
  validateProps,
  withDefaults,
} from '../../../../../src/runtime/components/props/validation.ts';
import { definition } from '../definitions.ts';

const text = (rest: object = {}): ConfigurableProp => ({ name: 'x', type: 'string', ...rest });
const integer = (rest: object = {}): ConfigurableProp => ({ name: 'x', type: 'integer', ...rest });
const timer = (rest: object = {}): ConfigurableProp => ({
  name: 'x',
  type: '$.interface.timer',
  ...rest,
});

describe('a value that cannot be used has one message', () => {
  test.each<[ConfigurableProp, unknown, string]>([
    [text(), undefined, 'x is required.'],
    [integer(), '', 'x is required.'],
    [text({ type: '$.discord.channel' }), '', 'x is required.'],
    [{ name: 'x', type: 'object' }, undefined, 'x is required.'],
    [text(), 5, 'x must be text, not 5.'],
    [text(), { a: 'b'.repeat(99) }, `x must be text, not {"a":"${'b'.repeat(34)}….`],
    [text({ secret: true }), 12345, 'x must be text, not number.'],
    [text(), { __lv: { label: 'Five', value: 5 } }, 'x must be text, not 5.'],
    [text(), 'é'.repeat(32 * 1024 + 1), 'x is 65538 bytes long; at most 64 KB are allowed.'],
    [text({ type: 'string[]' }), undefined, 'x is required.'],
    [text({ type: 'string[]' }), [], 'x needs at least one value.'],
    [text({ type: 'string[]' }), 'a', 'x must be a list, not "a".'],
    [text({ type: 'string[]' }), ['a', 5], 'x [1] must be text, not 5.'],
    [integer(), '5', 'x must be a number, not "5".'],
    [integer(), Number.NaN, 'x must be a number, not null.'],
    [integer(), 1.5, 'x must be a whole number, not 1.5.'],
    [integer({ min: 1 }), 0, 'x must be at least 1, not 0.'],
    [integer({ max: 9 }), 10, 'x must be at most 9, not 10.'],
    [integer({ type: 'integer[]', max: 9 }), [1, 10], 'x [1] must be at most 9, not 10.'],
    [integer({ optional: true, min: 1 }), 0, 'x must be at least 1, not 0.'],
    [{ name: 'x', type: 'boolean' }, 'true', 'x must be true or false, not "true".'],
    [{ name: 'x', type: 'app' }, {}, 'x must be an account, {"authProvisionId": "apn_…"}.'],
    [timer(), undefined, 'x needs a schedule: {"intervalSeconds": 900} or {"cron": "0 * * * *"}.'],
    [
      timer(),
      { intervalSeconds: 0 },
      'x cannot tick: intervalSeconds must be a number from 1, not 0.',
    ],
    [
      timer(),
      { interval_seconds: 'soon' },
      'x cannot tick: intervalSeconds must be a number from 1, not "soon".',
    ],
    [
      timer(),
      { intervalSeconds: 0.5 },
      'x cannot tick: intervalSeconds must be a number from 1 to 316224000, not 0.5.',
    ],
    [
      timer(),
      { cron: '0 9 * * 1', timezone: 'Mars/Base' },
      'x cannot tick: "Mars/Base" is not a time zone. Give one by its IANA name, such as "Europe/Berlin".',
    ],
  ])('%j with %j', (prop, value, message) => {
    expect(validateProps(definition([prop]), { x: value })).toEqual([{ prop: 'x', message }]);
  });

  test('a broken cron expression is quoted', () => {
    const [problem] = validateProps(definition([timer()]), { x: { cron: '99 * * * *' } });
    expect(problem?.message).toMatch(/^x cannot tick: "99 \* \* \* \*" is not a cron expression: /);
  });

  test('what every object inherits is no value', () => {
    const props = [text({ name: 'toString' }), text({ name: 'valueOf', optional: true })];
    expect(validateProps(definition(props), {})).toEqual([
      { prop: 'toString', message: 'toString is required.' },
    ]);
  });

  test('one message per prop', () => {
    const props = [text({ name: 'a' }), text({ name: 'b' })];
    expect(validateProps(definition(props), {}).map(({ prop }) => prop)).toEqual(['a', 'b']);
  });
});

test.each<[ConfigurableProp, unknown]>([
  [text(), 'a'],
  [text(), 'x'.repeat(64 * 1024)],
  [text({ optional: true }), undefined],
  [text({ hidden: true }), undefined],
  [text({ disabled: true }), undefined],
  [text({ options: ['a'] }), 'typed by hand'],
  [text({ remoteOptions: true }), 5],
  [text({ type: 'string[]' }), ['a']],
  [text({ type: 'string[]' }), { __lv: [{ label: 'A', value: 'a' }] }],
  [text({ type: 'string[]', optional: true }), []],
  [integer({ min: 1, max: 5 }), 5],
  [integer({ min: 1 }), { __lv: { label: 'Two', value: 2 } }],
  [{ name: 'x', type: 'number' }, 1.5],
  [{ name: 'x', type: 'boolean' }, false],
  [text(), ''],
  [{ name: 'x', type: 'object' }, {}],
  [{ name: 'x', type: 'object' }, [1, 'two']],
  [{ name: 'x', type: 'object' }, '{"a": 1}'],
  [{ name: 'x', type: 'object' }, 'words'],
  [{ name: 'x', type: 'object' }, 5],
  [{ name: 'x', type: 'any' }, 0],
  [{ name: 'x', type: 'app' }, undefined],
  [{ name: 'x', type: 'app' }, { authProvisionId: 'apn_1234567' }],
  [{ name: 'x', type: '$.service.db' }, undefined],
  [{ name: 'x', type: '$.interface.http' }, undefined],
  [{ name: 'x', type: 'alert' }, undefined],
  [{ name: 'x', type: '$.discord.channel' }, '123'],
  [timer({ default: { intervalSeconds: 900 } }), undefined],
  [timer(), { cron: '*/5 * * * *', timezone: 'Europe/Berlin' }],
  [timer({ static: { intervalSeconds: 60 } }), 'whatever'],
])('%j takes %j', (prop, value) => {
  expect(validateProps(definition([prop]), { x: value })).toEqual([]);
});

describe('withDefaults', () => {
  test.each<[string, ConfigurableProp, unknown, unknown]>([
    ['fills in a required prop', text({ default: 'd' }), undefined, 'd'],
    ['fills in a falsy default', integer({ default: 0 }), undefined, 0],
    ['fills in a hidden prop', text({ default: 'd', hidden: true }), undefined, 'd'],
    [
      'fixes the schedule at the time of the deploy',
      timer({ default: { intervalSeconds: 9 } }),
      undefined,
      { intervalSeconds: 9 },
    ],
    ['fills in an optional prop', text({ default: 'd', optional: true }), undefined, 'd'],
    ['leaves a disabled prop out', text({ default: 'd', disabled: true }), undefined, undefined],
    ['keeps what is configured', text({ default: 'd' }), 'c', 'c'],
    ['keeps what is configured, falsy', integer({ default: 5 }), 0, 0],
    [
      'leaves an optional prop out that is null',
      text({ default: 'd', optional: true }),
      null,
      undefined,
    ],
    [
      'keeps the label of a picked option',
      text(),
      { __lv: { label: 'A', value: 'a' } },
      { __lv: { label: 'A', value: 'a' } },
    ],
    [
      'reads a timer as replies show it',
      timer(),
      { cron: null, interval_seconds: 5 },
      { intervalSeconds: 5 },
    ],
    [
      'reads an account by its id',
      { name: 'x', type: 'app' },
      'apn_1234567',
      { authProvisionId: 'apn_1234567' },
    ],
    [
      'drops an endpoint that came back',
      { name: 'x', type: '$.interface.http' },
      { endpoint_url: 'http://…' },
      undefined,
    ],
    ['drops what nobody configures', { name: 'x', type: '$.service.db' }, {}, undefined],
    ['drops a secret that was only shown', text({ secret: true }), { secret: true }, undefined],
  ])('%s', (_what, prop, given, expected) => {
    const complete = withDefaults(definition([prop]), { x: given });
    expect(complete).toEqual(expected === undefined ? {} : { x: expected });
  });

  test('values without a prop stay: additionalProps may bring it', () => {
    expect(withDefaults(definition([]), { later: 1 })).toEqual({ later: 1 });
  });
});
