import { expect, test } from 'vitest';
import { runReport } from '../../../../src/extension/documents/run-report.ts';
import * as make from '../make.ts';

const line = (text: string) => ({
  id: 1,
  ts: 1_700_000_000_007,
  source_id: 'dc_0000001',
  invocation_id: 'inv_1',
  kind: 'console' as const,
  level: 'info' as const,
  text,
});

test('a run as text: what it printed, what it emitted, why it failed', () => {
  const run = {
    ...make.invocation({
      status: 'failed',
      started_at: 0,
      ended_at: 14,
      replay_of: 'inv_0',
      error: { name: 'TypeError', message: 'no', stack: 'TypeError: no\n    at run (a.mjs:1:1)' },
    }),
    logs: [line('first\nsecond')],
    emitted: [make.event({ id: '5-0', dropped: 'unique: 1' })],
    trigger: null,
  };
  const text = runReport(run, 'Orders');
  expect(text).toMatch(/^Request · Orders · inv_1\n.+ · 14 ms · TypeError: no\nReplay of inv_0\n/);
  expect(text).toMatch(/\.007 \[info\] first\n {2}second\n/);
  expect(text).toContain('5-0 {"id":1} (dropped: unique: 1)');
  expect(text).toContain('      at run (a.mjs:1:1)');
});

test('the request of a run is shown as it was received', () => {
  const trigger = {
    kind: 'http' as const,
    prop: 'http',
    method: 'POST',
    url: 'http://127.0.0.1:1/h/hi_1/orders?x=1',
    path: '/orders',
    query: 'x=1',
    headers: { 'content-type': 'application/json', 'x-id': '7' },
    client_ip: '127.0.0.1',
    body: '{"id":1}',
    body_encoding: 'utf8' as const,
    body_bytes: 8,
    raw_body_url: null,
  };
  const run = {
    ...make.invocation({ request: { method: 'POST', path: '/orders' } }),
    logs: [],
    emitted: [],
  };
  expect(runReport({ ...run, trigger }, 'Orders')).toMatch(
    /^POST \/orders · Orders · inv_1\n.+\n\nRequest\n {2}POST http:\S+x=1\n {2}content-type: application\/json\n {2}x-id: 7\n {2}\n {2}\{"id":1\}\n\nLog\n/,
  );
  const binary = { ...trigger, body: 'AP8=', body_encoding: 'base64' as const, body_bytes: 2 };
  expect(runReport({ ...run, trigger: binary }, 'Orders')).toContain('(2 bytes that are not text)');
});

test('a run that did nothing says so', () => {
  const text = runReport(
    { ...make.invocation({}), logs: [], emitted: [], trigger: null },
    'Orders',
  );
  expect(text).toContain('The run printed nothing.');
  expect(text).toContain('The run emitted nothing.');
  expect(text).not.toContain('Error');
});
