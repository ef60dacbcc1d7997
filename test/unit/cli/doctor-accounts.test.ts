import { expect, test } from 'vitest';
import { accountChecks } from '../../../src/cli/doctor/accounts.ts';
import * as make from '../extension/make.ts';

const now = Date.parse('2026-11-24T00:00:00.000Z');
const app = { id: 'acme', name: 'acme' };

test('without accounts there is nothing to say, and healthy ones are one line', () => {
  expect(accountChecks([], now)).toEqual([]);
  expect(accountChecks([make.account({}), make.account({ id: 'apn_2' })], now)).toEqual([
    { name: 'accounts', state: 'ok', found: '2 kept, and none needs anybody.' },
  ]);
});

test('each that is not healthy says why, and what to do', () => {
  const why = { healthy: false, error: 'acme.test answered with 503.' };
  const checks = accountChecks(
    [
      make.account({ id: 'apn_1', name: 'Fine', app }),
      make.account({ id: 'apn_2', name: 'Late', app, dead: false, ...why }),
      make.account({ id: 'apn_3', name: 'Gone', app, dead: true, healthy: false, error: 'No.' }),
      make.account({
        id: 'apn_4',
        name: 'Soon',
        app,
        dead: false,
        healthy: true,
        renews: false,
        expires_at: '2026-11-25T00:00:00.000Z',
      }),
    ],
    now,
  );
  expect(checks).toEqual([
    {
      name: 'account Late of acme',
      state: 'warning',
      found: 'acme.test answered with 503.',
      advice: 'It is tried again; "weir accounts check apn_2" tries it now.',
    },
    {
      name: 'account Gone of acme',
      state: 'bad',
      found: 'No.',
      advice: 'Run "weir accounts reconnect apn_3": what uses it goes on.',
    },
    {
      name: 'account Soon of acme',
      state: 'warning',
      found: 'Its token ends at 2026-11-25 00:00 UTC. Connect the account again by then.',
      advice: 'Run "weir accounts reconnect apn_4".',
    },
  ]);
});
