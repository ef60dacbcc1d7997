import { expect, test } from 'vitest';
import { parsePropArgument } from '../../../src/protocol/prop-argument.ts';

test.each<[string, string, unknown]>([
  ['string', '5', '5'],
  ['string', '', ''],
  ['integer', '5', 5],
  ['number', '-1.5', -1.5],
  ['boolean', 'true', true],
  ['boolean', '0', false],
  ['string[]', 'a, b,c', ['a', 'b', 'c']],
  ['string[]', '["a,b"]', ['a,b']],
  ['string[]', '', []],
  ['integer[]', '1,2', [1, 2]],
  ['object', '{"a":1}', { a: 1 }],
  ['any', '{"a":1}', { a: 1 }],
  ['any', 'plain', 'plain'],
  ['app', 'apn_1234567', { authProvisionId: 'apn_1234567' }],
  ['app', '{"authProvisionId":"apn_1234567"}', { authProvisionId: 'apn_1234567' }],
  ['data_store', 'ds_1234567', { storeId: 'ds_1234567' }],
  ['$.interface.timer', '60', { intervalSeconds: 60 }],
  ['$.interface.timer', '*/5 * * * *', { cron: '*/5 * * * *' }],
  ['$.interface.timer', '{"cron":"0 9 * * 1"}', { cron: '0 9 * * 1' }],
  ['$.discord.channel', '123-abc', '123-abc'],
])('%s: %j is %j', (type, text, value) => {
  expect(parsePropArgument({ name: 'x', type }, text)).toEqual(value);
});

test.each([
  ['integer', 'five', 'x must be a number, not "five".'],
  ['integer', '', 'x must be a number, not "".'],
  ['integer[]', '1,b', 'x must be a number, not "b".'],
  ['boolean', 'maybe', 'x must be true or false, not "maybe".'],
  ['object', '{a:1}', 'x must be JSON: {a:1}'],
  ['string[]', '["a"', 'x must be JSON: ["a"'],
  ['$.interface.http', 'x', 'x is provided by the runtime; it takes no value.'],
])('%s: %j is refused', (type, text, message) => {
  expect(() => parsePropArgument({ name: 'x', type }, text)).toThrow(
    expect.objectContaining({ code: 'bad_input', message }),
  );
});
