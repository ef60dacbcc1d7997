import { expect, test } from 'vitest';
import type { Trigger } from '../../../../../src/protocol/host.ts';
import { noticeOn } from '../../../../../src/runtime/events/emit/notices.ts';

const request = {
  kind: 'http',
  prop: 'http',
  method: 'POST',
  url: 'http://h/x',
  path: '/x',
  query: '',
  headers: {},
  clientIp: '::1',
} as const;

/** What `$errors` tells of a run with this trigger. */
function originalEvent(trigger: Trigger): unknown {
  const run = {
    n: 1,
    emitterId: 'dc_1',
    cause: trigger.kind,
    attempt: 1,
    hops: 0,
    startedAt: 1,
    endedAt: 2,
  };
  const error = { name: 'Error', message: 'no' };
  const notice = noticeOn('$errors', { ...run, trigger, status: 'failed', error, logs: [] });
  return (JSON.parse(notice?.payload ?? '{}') as { original_event: unknown }).original_event;
}

test('a failed request is told with its body, byte for byte where it is no text (P7.47)', () => {
  expect(originalEvent({ ...request, body: Buffer.from('ä') })).toEqual({
    method: 'POST',
    path: '/x',
    query: '',
    headers: {},
    bodyRaw: 'ä',
    url: 'http://h/x',
    client_ip: '::1',
  });
  expect(originalEvent({ ...request, body: Buffer.of(0xff, 0) })).toMatchObject({
    bodyRaw: '\uFFFD\0',
    bodyBase64: '/wA=',
  });
});

test('a failed tick is told as its run got it, time zone included (P8.3)', () => {
  const cron = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };
  expect(originalEvent({ kind: 'timer', prop: 'timer', timestamp: 1, ...cron })).toEqual({
    timestamp: 1,
    ...cron,
  });
  expect(
    originalEvent({ kind: 'timer', prop: 'timer', timestamp: 1, intervalSeconds: 60 }),
  ).toEqual({ timestamp: 1, interval_seconds: 60 });
});
