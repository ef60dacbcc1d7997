import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders, signingKeys } from '../../../../../src/runtime/events/delivery/sign.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const keys = [signingKeys(secret)];

test.each(['{"a":1}', '"text"', 'null', '{"text":"ünïcødé 🔑"}', `"${'x'.repeat(100_000)}"`])(
  'the Standard Webhooks library verifies body %#',
  (body) => {
    const headers = signedHeaders(keys, { messageId: 'msg1', emitterId: 'dc_a', body }, Date.now());
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() =>
      new Webhook(`whsec_${randomBytes(24).toString('base64')}`).verify(body, headers),
    ).toThrow('No matching signature');
  },
);

test('the platform headers, verified as its users do', () => {
  const body = '{"a":1}';
  const headers = signedHeaders(
    keys,
    { messageId: 'msg1', emitterId: 'dc_a', body },
    1_700_000_000_999,
  );
  const hex = createHmac('sha256', secret).update(`1700000000.${body}`).digest('hex');
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-pd-emitter-id': 'dc_a',
    'x-pd-timestamp': '2023-11-14T22:13:20.999Z',
    'x-pd-signature': `t=1700000000,v1=${hex}`,
    'webhook-id': 'msg1',
    'webhook-timestamp': '1700000000',
  });
});

test('during a rotation either secret verifies', () => {
  const [newer, older] = [1, 2].map(() => `whsec_${randomBytes(24).toString('base64')}`) as [
    string,
    string,
  ];
  const message = { messageId: 'msg1', emitterId: 'dc_a', body: '{}' };
  const headers = signedHeaders([signingKeys(newer), signingKeys(older)], message, Date.now());
  for (const known of [newer, older]) {
    expect(new Webhook(known).verify('{}', headers)).toEqual({});
    const [time, ...signatures] = headers['x-pd-signature']!.split(',');
    const hmac = createHmac('sha256', known).update(`${time!.slice(2)}.{}`);
    expect(signatures).toContain(`v1=${hmac.digest('hex')}`);
  }
  expect(() => new Webhook(secret).verify('{}', headers)).toThrow('No matching signature');
});
