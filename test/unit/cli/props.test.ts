import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/arguments.ts';
import { missingProps } from '../../../src/cli/props/complete.ts';
import { configuredProps } from '../../../src/cli/props/configured.ts';
import { parseSchedule, typedValue } from '../../../src/cli/props/typed.ts';
import type { ConfigurableProp } from '../../../src/protocol/definition.ts';

const prop = (type: string, more: object = {}): ConfigurableProp => ({ name: 'p', type, ...more });

describe('text as a value of the prop', () => {
  test.each<[string, string[], unknown]>([
    ['string', ['5'], '5'],
    ['string', ['a=b'], 'a=b'],
    ['string', [''], ''],
    ['integer', ['5'], 5],
    ['integer', ['-5'], -5],
    ['number', ['0.5'], 0.5],
    ['boolean', ['true'], true],
    ['boolean', ['No'], false],
    ['string[]', ['a'], ['a']],
    ['string[]', ['a', 'b'], ['a', 'b']],
    ['string[]', ['["a","b"]'], ['a', 'b']],
    ['string[]', ['[not json'], ['[not json']],
    ['integer[]', ['1', '2'], [1, 2]],
    ['object', ['{"a":1}'], { a: 1 }],
    ['object', ['[1,"a"]'], [1, 'a']],
    ['object', ['"{\\"a\\":1}"'], '{"a":1}'],
    ['object', ['words'], 'words'],
    ['any', ['{"a":1}'], { a: 1 }],
    ['any', ['words'], 'words'],
    ['app', ['apn_1'], { authProvisionId: 'apn_1' }],
    ['$.interface.timer', ['15m'], { intervalSeconds: 900 }],
    ['$.interface.timer', ['0 9 * * 1-5'], { cron: '0 9 * * 1-5' }],
    ['$.interface.timer', ['{"cron":"* * * * *"}'], { cron: '* * * * *' }],
  ])('%s %j → %j', (type, texts, value) => expect(typedValue(prop(type), texts)).toEqual(value));

  test.each<[string, string[]]>([
    ['integer', ['five']],
    ['integer', ['']],
    ['boolean', ['maybe']],
    ['boolean', ['toString']],
    ['boolean', ['constructor']],
    ['boolean', ['__proto__']],
    ['object', ['{a:1}']],
    ['object', [' [1,']],
    ['integer[]', ['1', 'x']],
    ['$.interface.timer', ['often']],
    ['string', ['a', 'b']],
  ])('%s does not take %j', (type, texts) => {
    expect(() => typedValue(prop(type), texts)).toThrow(UsageError);
  });

  test('a secret is not repeated', () => {
    expect(() => typedValue(prop('integer', { secret: true }), ['hunter2'])).toThrow(
      /^(?!.*hunter2).*p takes a number/,
    );
  });
});

test.each([
  ['90', { intervalSeconds: 90 }],
  ['90s', { intervalSeconds: 90 }],
  ['2h', { intervalSeconds: 7200 }],
  ['1d', { intervalSeconds: 86_400 }],
  [' */5 * * * * ', { cron: '*/5 * * * *' }],
  ['* * * *', undefined],
  ['15 minutes', undefined],
  ['', undefined],
])('schedule %j', (text, schedule) => expect(parseSchedule(text)).toEqual(schedule));

describe('the arguments together', () => {
  const props = [prop('integer'), { name: 'app', type: 'app', app: 'x' }];

  test.each(['__proto__', 'constructor', 'toString'])('%s is a name like others', (name) => {
    const configured = configuredProps(undefined, { prop: [`${name}=1`] });
    expect(Object.entries(configured)).toEqual([[name, 1]]);
    expect(Object.getPrototypeOf(configured)).toBe(Object.prototype);
  });

  test('an argument wins over the file', () => {
    const given = { file: { p: 1, app: null }, prop: ['p=2'], account: ['app=apn_1'] };
    expect(configuredProps(props, given)).toEqual({ p: 2, app: { authProvisionId: 'apn_1' } });
  });

  test.each([
    [{ prop: ['unknown=1'] }, /no prop "unknown".*p, app/],
    [{ prop: ['p'] }, /NAME=VALUE, not "p"/],
    [{ prop: ['=1'] }, /NAME=VALUE/],
    [{ account: ['p=apn_1'] }, /p is not an app/],
  ])('%j is wrong', (given, message) => {
    expect(() => configuredProps(props, given)).toThrow(message);
  });

  test('a prop may yet come from additionalProps', () => {
    const reloading = [prop('string', { reloadProps: true })];
    expect(configuredProps(reloading, { prop: ['later=1'] })).toEqual({ later: 1 });
  });

  test('a definition that is not known takes JSON or text', () => {
    const given = { prop: ['a=5', 'b=x', 'c={"d":1}'] };
    expect(configuredProps(undefined, given)).toEqual({ a: 5, b: 'x', c: { d: 1 } });
  });
});

describe('what is missing', () => {
  test.each<[boolean, ConfigurableProp, object]>([
    [true, prop('string'), {}],
    [true, prop('string[]', { secret: true }), {}],
    [false, prop('string'), { p: '' }],
    [false, prop('string', { optional: true }), {}],
    [false, prop('string', { default: 'x' }), {}],
    [false, prop('string', { hidden: true }), {}],
    [false, prop('app'), {}],
    [false, prop('alert'), {}],
    [false, prop('$.interface.http'), {}],
    [false, prop('$.service.db'), {}],
    [true, prop('$.interface.timer'), {}],
    [false, prop('$.interface.timer', { default: { intervalSeconds: 60 } }), {}],
    [false, prop('$.interface.timer', { static: { cron: '* * * * *' } }), {}],
  ])('%s: %j with %j', (missing, one, configured) => {
    expect(missingProps([one], configured as Record<string, unknown>)).toEqual(
      missing ? [one] : [],
    );
  });
});
