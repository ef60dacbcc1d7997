import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { maskOf } from '../../../../../src/protocol/mask.ts';
import { sourceOfTest } from '../../../../../src/protocol/source-of-test.ts';
import { sourceTestOf } from '../../../../../src/runtime/workflows/tests/save-source-test.ts';
import { sourceOutcomeOf } from '../../../../../src/runtime/workflows/tests/source-outcome.ts';
import { testTrigger } from '../../../../../src/runtime/workflows/tests/test-trigger.ts';

test.each([
  ['source: ../a.mjs # the first\nexpect: {}', '../a.mjs'],
  ["event: {}\n'source' : '../a b.mjs'", '../a b.mjs'],
  ['"source": "../a#b.mjs"', '../a#b.mjs'],
  ['source:\nexpect: {}', ''],
  ['event:\n  source: no\n# source: no', undefined],
  ['sources: many', undefined],
])('%j is the test of %j', (text, source) => {
  expect(sourceOfTest(text)).toBe(source);
});

const nothing = {
  status: 'succeeded' as const,
  error: null,
  emits: [],
  db: [],
  data_stores: [],
  response: null,
  exports: {},
  return_value: null,
  logs: [],
};

test('the db after a run is what it had, with what was set and without what was deleted', () => {
  const db = [
    { prop: 'db', key: 'count', value: 2 },
    { prop: 'db', key: 'old', value: null },
    { prop: 'other', key: 'first', value: [1] },
  ];
  const outcome = sourceOutcomeOf({ ...nothing, db }, { db: { count: 1, old: 'x', kept: true } });
  expect(outcome.db).toEqual({ db: { count: 2, kept: true }, other: { first: [1] } });
});

test('a saved test has no time, no account and nothing that lets somebody in', () => {
  const token = 'token-of-an-account-55';
  const outcome = {
    status: 'succeeded' as const,
    error: null,
    emits: [{ event: { said: token, n: 1 }, id: '1', ts: 1_700_000_000_000 }],
    db: { db: { after: 1 } },
    response: { status: 202, headers: { date: 'now' }, body: 'ok' },
  };
  const { text } = sourceTestOf(
    {
      source: '../counter.mjs',
      props: {
        by: 2,
        key: { secret: true },
        app: { authProvisionId: 'acc_1' },
        http: { endpoint_url: 'http://127.0.0.1/1' },
      },
      db: {},
      event: { headers: { authorization: 'Bearer 123', accept: '*/*' } },
      archive: undefined,
      outcome,
    },
    maskOf({ token }),
  );
  expect(text).not.toContain(token);
  const { props, event, expect: expected } = parse(text);
  expect(props).toEqual({ by: 2, key: '[removed]' });
  expect(event.headers).toEqual({ authorization: '[removed]', accept: '*/*' });
  expect(expected).toEqual({
    status: 'succeeded',
    emits: [{ event: { said: '[token]', n: 1 }, id: '1' }],
    db: { db: { after: 1 } },
    response: { status: 202, body: 'ok' },
  });
});

const endpoint = { props: [{ name: 'http', type: '$.interface.http' }] } as never;

test.each([
  ['JSON', { a: 1 }, '{"a":1}'],
  ['text', 'plain', 'plain'],
  ['none', null, ''],
])('an event that looks like a request is one, with a body of %s', (_, body, text) => {
  const event = { method: 'POST', path: '/x', query: { q: 'a b' }, headers: { h: 1 }, body };
  const trigger = testTrigger(event, endpoint);
  expect(trigger).toMatchObject({
    kind: 'http',
    prop: 'http',
    path: '/x',
    query: 'q=a+b',
    headers: { h: '1' },
  });
  expect(trigger.kind === 'http' && Buffer.from(trigger.body).toString()).toBe(text);
});

test('everything else is the event as it is', () => {
  expect(testTrigger({ method: 'POST' }, { props: [] })).toEqual({
    kind: 'event',
    json: '{"method":"POST"}',
  });
  expect(testTrigger(undefined, endpoint)).toEqual({ kind: 'event', json: '{}' });
});
