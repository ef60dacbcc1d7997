/** What is kept of an answer, by what Node tells of it. */
import { channel } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import type { OutgoingRequest } from '../../../../../src/protocol/outgoing-request.ts';
import { RequestRecord } from '../../../../../src/component/host/outgoing/request-record.ts';
import { watchFetch } from '../../../../../src/component/host/outgoing/watch-fetch.ts';

const records: RequestRecord[] = [];
watchFetch((start) => {
  const record = new RequestRecord(start, { left: 1000 }, () => 0);
  records.push(record);
  return record;
});

/** A request as undici tells of it. */
function told(
  headers: readonly string[],
  chunks: readonly string[],
  method = 'GET',
): OutgoingRequest {
  const request = { origin: 'https://a.example', path: '/', method, headers: [] };
  const tell = (event: string, more: object = {}): void =>
    channel(`undici:request:${event}`).publish({ request, ...more });
  tell('create');
  tell('headers', { response: { statusCode: 200, statusText: 'OK', headers } });
  for (const chunk of chunks) tell('bodyChunkReceived', { chunk: Buffer.from(chunk) });
  tell('trailers');
  return records.at(-1)?.toJSON() ?? expect.unreachable();
}

test('a body that was told is kept', () => {
  const { response } = told(['content-length', '4'], ['te', 'xt']);
  expect(response?.body).toEqual({ text: 'text', size: 4 });
});

test('one of which nothing was told, as by older versions, is not taken for an empty one', () => {
  expect(told(['content-length', '4'], []).response?.body).toMatchObject({ is_cut: true });
  expect(told(['content-length', '0'], []).response?.body).toBeNull();
  expect(told(['content-length', '4'], [], 'HEAD').response?.body).toBeNull();
});
