import { expect, test } from 'vitest';
import { noticeOn } from '../../../../src/runtime/emit/notices.ts';

/** What `$errors` tells of a run by a request with this body. */
function originalEvent(body: Buffer): unknown {
  const trigger = {
    kind: 'http',
    prop: 'http',
    method: 'POST',
    url: 'http://h/x',
    path: '/x',
    query: '',
    headers: {},
    clientIp: '::1',
    body,
  } as const;
  const run = {
    n: 1,
    emitterId: 'dc_1',
    cause: 'http',
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
  expect(originalEvent(Buffer.from('ä'))).toEqual({
    method: 'POST',
    path: '/x',
    query: '',
    headers: {},
    bodyRaw: 'ä',
    url: 'http://h/x',
    client_ip: '::1',
  });
  expect(originalEvent(Buffer.of(0xff, 0))).toMatchObject({
    bodyRaw: '\uFFFD\0',
    bodyBase64: '/wA=',
  });
});
