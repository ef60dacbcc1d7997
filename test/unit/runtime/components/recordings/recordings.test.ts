/** Requests of a recording: kept, shared, written as an archive, and found again. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutgoingRequest } from '../../../../../src/protocol/outgoing-request.ts';
import { maskOf } from '../../../../../src/protocol/mask.ts';
import {
  accountMask,
  keptRequests,
} from '../../../../../src/runtime/components/recordings/kept-requests.ts';
import { harOf, requestsOfHar } from '../../../../../src/runtime/components/recordings/har.ts';
import { RecordedAnswers } from '../../../../../src/runtime/components/recordings/recorded-answers.ts';
import { shareableRequest } from '../../../../../src/runtime/components/recordings/shareable-request.ts';

const nothing = maskOf({});

function made(part: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    at: 1_764_000_000_000,
    duration_ms: 12,
    method: 'GET',
    url: 'https://api.example.com/v1/things',
    headers: [],
    body: null,
    response: { status: 200, status_text: 'OK', headers: [], body: body('{}') },
    error: null,
    ...part,
  };
}

function body(text: string): NonNullable<OutgoingRequest['body']> {
  return { text, size: Buffer.byteLength(text) };
}

test('an address of an account may be seen, but for that of a signer', () => {
  const signer = 'http://127.0.0.1:1/oauth1/sign/apn_1.proof';
  const mask = accountMask({
    apn_1: { base_api_uri: 'https://eu.acme.test', oauth_signer_uri: signer },
  });
  expect(mask.text(`https://eu.acme.test ${signer}`)).toBe(
    'https://eu.acme.test [oauth_signer_uri]',
  );
});

describe('what is kept', () => {
  const told = (...requests: readonly unknown[]) =>
    requests.map((one) => ({ json: JSON.stringify(one) }));

  test('has no values of accounts, headers that sign in, or such parameters', () => {
    const secret = 'very-secret-token';
    const mask = accountMask({
      apn_1: { oauth_access_token: secret, domain: 'example', nested: { pass: 'other-secret' } },
    });
    const kept = keptRequests(
      told(
        made({
          url: `https://example.zendesk.com/${secret}?api_key=k-123456&q=1`,
          headers: [
            ['Authorization', 'Bearer x'],
            ['x-note', `a ${secret}`],
          ],
          body: body(JSON.stringify({ note: 'other-secret' })),
          response: {
            status: 200,
            status_text: 'OK',
            headers: [['Set-Cookie', 'session=1']],
            body: body(`you said ${secret}`),
          },
        }),
      ),
      [mask],
    );
    for (const gone of [secret, 'k-123456', 'Bearer x', 'other-secret', 'session=1']) {
      expect(kept).not.toContain(gone);
    }
    expect(kept).toContain('example.zendesk.com');
    expect(kept).toContain('q=1');
  });

  test('is nothing of what is no request, and null when nothing is left', () => {
    expect(keptRequests([{ json: '{' }, ...told({ at: 'x' }, null, [])], [])).toBeNull();
  });
});

test('an archive has what was recorded, and says it again', () => {
  const texts = fc.string({ maxLength: 40 });
  const bodies = fc.option(
    fc.oneof(
      texts.map((text) => body(text)),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => ({
        text: Buffer.from(bytes).toString('base64'),
        is_base64: true as const,
        size: bytes.length,
      })),
    ),
    { nil: null },
  );
  const headers = fc.array(fc.tuple(fc.constantFrom('x-a', 'X-B', 'content-type'), texts));
  const requests = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 4e12 }),
      duration_ms: fc.nat(),
      method: fc.constantFrom('GET', 'POST', 'PATCH'),
      url: fc.webUrl({ withQueryParameters: true }),
      headers,
      body: bodies,
      response: fc.record({
        status: fc.integer({ min: 100, max: 599 }),
        status_text: texts,
        headers,
        body: bodies,
      }),
      error: fc.option(texts, { nil: null }),
    }),
    { maxLength: 4 },
  );
  const plain = (one: OutgoingRequest): unknown => ({
    ...one,
    body: one.body?.text ?? null,
    // An empty answer and none are the same to an archive.
    response: one.response && { ...one.response, body: one.response.body?.text ?? '' },
  });
  fc.assert(
    fc.property(requests, (given) => {
      const archive = harOf(
        given.map((request, n) => ({ step: `step_${n}`, request })),
        '1.0.0',
      );
      const read = requestsOfHar(archive);
      expect(read.map(({ step }) => step)).toEqual(given.map((_, n) => `step_${n}`));
      expect(read.map(({ request }) => plain(request))).toEqual(given.map(plain));
    }),
  );
});

test('an archive of a browser is read, and what is none says where', () => {
  const entry = {
    startedDateTime: '2026-11-24T00:00:00.000Z',
    time: 3,
    request: { method: 'GET', url: 'https://a.example/', headers: [{ name: 'a', value: 'b' }] },
    response: { status: 0, content: { size: 0, mimeType: 'x-unknown' } },
    cache: {},
  };
  const [one] = requestsOfHar(JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
  expect(one?.request).toMatchObject({ method: 'GET', response: null });
  expect(() => requestsOfHar('{"log":{"entries":[{"request":{}}]}}')).toThrow(/log\.entries\.0\./);
});

describe('who is answered', () => {
  const answered = (answers: RecordedAnswers, asked: Partial<OutgoingRequest>): unknown => {
    const found = answers.answerTo(made(asked));
    return 'answer' in found ? found.answer.body?.text : found;
  };
  const saying = (text: string, part: Partial<OutgoingRequest> = {}): OutgoingRequest =>
    made({ ...part, response: { status: 200, status_text: '', headers: [], body: body(text) } });

  test('in the recorded order, each once, parameters in any order', () => {
    const url = 'https://a.example/x?b=2&a=1';
    const answers = new RecordedAnswers([saying('first', { url }), saying('second', { url })]);
    const asked = { url: 'https://a.example/x?a=1&b=2' };
    expect([answered(answers, asked), answered(answers, asked)]).toEqual(['first', 'second']);
    expect(answered(answers, asked)).toEqual({
      missing: expect.stringMatching(/^GET .* was recorded 2 times, and is made once more\.$/),
    });
  });

  test('rather by the same body, but a body may be another', () => {
    const answers = new RecordedAnswers([
      saying('of a', { method: 'POST', body: body('a') }),
      saying('of b', { method: 'POST', body: body('b') }),
    ]);
    const post = (text: string) => answered(answers, { method: 'POST', body: body(text) });
    expect([post('b'), post('now: 17')]).toEqual(['of b', 'of a']);
  });

  test('not by another method, host, port or path', () => {
    const answers = new RecordedAnswers([saying('yes')]);
    for (const other of [
      { method: 'DELETE' },
      { url: 'https://api.example.com/v1/other' },
      { url: 'https://example.com/v1/things' },
      { url: 'https://api.example.com:8443/v1/things' },
    ]) {
      expect(answered(answers, other)).toEqual({
        missing: expect.stringContaining('not recorded'),
      });
    }
  });

  test('one that failed fails again, and one that was cut says so', () => {
    const answers = new RecordedAnswers([
      made({ url: 'https://a.example/1', response: null, error: 'connect ECONNREFUSED' }),
      made({
        url: 'https://a.example/2',
        response: {
          status: 200,
          status_text: '',
          headers: [],
          body: { text: '', size: 9e6, is_cut: true },
        },
      }),
    ]);
    expect(answered(answers, { url: 'https://a.example/1' })).toEqual({
      broken: 'connect ECONNREFUSED',
    });
    expect(answered(answers, { url: 'https://a.example/2' })).toEqual({
      missing: expect.stringMatching(/too long to be kept: pin the step/),
    });
  });
});

test('what is shared has no tokens in forms and JSON, and other texts stay byte by byte', () => {
  const text = (given: string) =>
    shareableRequest({ body: body(given) }, nothing).body?.text ?? expect.unreachable();
  expect(text('grant_type=refresh&client_secret=s3cr3t&refresh_token=r3')).toBe(
    'grant_type=refresh&client_secret=%5Bremoved%5D&refresh_token=%5Bremoved%5D',
  );
  expect(text('{"a": [ {"access_token":"t0k3n", "b" : 1} ]}')).toBe(
    '{"a":[{"access_token":"[removed]","b":1}]}',
  );
  for (const same of ['{"a": [ 1,  2 ]}', 'plain text', '<a b="password">', 'a=1&b=2']) {
    expect(text(same)).toBe(same);
  }
});
