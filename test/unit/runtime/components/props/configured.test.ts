import { expect, test } from 'vitest';
import {
  accountIds,
  mergeConfigured,
  secretProps,
} from '../../../../../src/runtime/components/props/configured.ts';
import { unwrapped } from '../../../../../src/protocol/picked-value.ts';
import { presentProps } from '../../../../../src/runtime/components/props/present.ts';
import { definition } from '../definitions.ts';

const subject = definition([
  { name: 'token', type: 'string', secret: true },
  { name: 'channel', type: 'string' },
  { name: 'http', type: '$.interface.http' },
  { name: 'every', type: '$.interface.timer', default: { intervalSeconds: 900 } },
  { name: 'at', type: '$.interface.timer' },
  { name: 'app', type: 'app' },
  { name: 'db', type: '$.service.db' },
]);

test.each([
  [{ __lv: { label: 'A', value: 1 } }, 1],
  [
    {
      __lv: [
        { label: 'A', value: 1 },
        { label: 'B', value: 2 },
      ],
    },
    [1, 2],
  ],
  [{ __lv: ['bare'] }, ['bare']],
  [
    { label: 'A', value: 1 },
    { label: 'A', value: 1 },
  ],
  ['text', 'text'],
  [undefined, undefined],
])('unwrapped(%j) is %j', (value, expected) => {
  expect(unwrapped(value)).toEqual(expected);
});

test('secretProps names them', () => {
  expect(secretProps(subject)).toEqual(['token']);
});

test('what replies show may be sent back: it changes nothing but what was changed', () => {
  const before = { token: 'shh', channel: 'a', every: { intervalSeconds: 60 } };
  const shown = presentProps(subject, before, { http: 'http://x/h/hi_1' });
  const merged = mergeConfigured(subject, before, { ...shown, channel: 'b' });
  expect(merged).toMatchObject({ token: 'shh', channel: 'b' });
  expect(mergeConfigured(subject, before, { token: 'new' })).toMatchObject({ token: 'new' });
  expect(mergeConfigured(subject, before, { token: null })).not.toHaveProperty('token');
});

test('presentProps shows interfaces, hides secrets and drops what older code left', () => {
  const configured = {
    token: 'shh',
    channel: { __lv: { label: 'A', value: 'a' } },
    at: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
    app: { authProvisionId: 'apn_1234567' },
    oldToken: 'shh too',
  };
  const shown = presentProps(subject, configured, { http: 'http://127.0.0.1:1/h/hi_1' });
  expect(shown).toEqual({
    token: { secret: true },
    channel: { __lv: { label: 'A', value: 'a' } },
    http: { endpoint_url: 'http://127.0.0.1:1/h/hi_1' },
    every: { cron: null, interval_seconds: 900 },
    at: { cron: '0 9 * * 1', timezone: 'Europe/Berlin', interval_seconds: null },
    app: { authProvisionId: 'apn_1234567' },
  });
  expect(JSON.stringify(shown)).not.toContain('shh');
});

test('accounts are named by id in every form, and no option that was picked is taken for one', () => {
  const picked = (value: unknown) => ({ __lv: { label: 'Shown', value } });
  expect(
    accountIds({
      app: { authProvisionId: 'apn_1' },
      picked: picked('apn_2'),
      both: picked({ authProvisionId: 'apn_3' }),
      size: picked('xl'),
      sizes: { __lv: [{ label: 'Large', value: 'l' }] },
      count: picked(4),
      text: 'apn_4',
    }),
  ).toEqual(['apn_1', 'apn_2', 'apn_3']);
});
