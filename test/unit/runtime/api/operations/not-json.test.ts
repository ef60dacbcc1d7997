import { expect, test } from 'vitest';
import { noticeOn } from '../../../../../src/runtime/events/emit/notices.ts';
import { eventMessage } from '../../../../../src/runtime/api/sse-feeds.ts';
import { presentDryRun } from '../../../../../src/runtime/api/operations/present-dry-run.ts';
import { presentActionRun } from '../../../../../src/runtime/api/operations/present-action-runs.ts';
import { presentTrigger } from '../../../../../src/runtime/api/operations/present-trigger.ts';
import { presentEvent } from '../../../../../src/runtime/api/operations/present.ts';

/** A hostile process can have a payload stored that is no JSON: whoever reads it shows its text. */
const text = '{"a":\n\n1';
const produced = { emits: [], db: [], logs: [], exports: [] };
const record = {
  id: '1-0',
  emitterId: 'dc_1',
  invocation: 1,
  indexedAt: 1,
  emitId: 'e',
  channel: '',
  dedupeId: null,
  summary: null,
  ts: null,
  payload: text,
  dropped: null,
};

test('as an event', () => {
  expect(presentEvent(record, true).event).toBe(text);
  expect(presentEvent(record, false).event).toBe(text);
});

test('in a stream', () => {
  const data = /^data: (.*)$/m.exec(eventMessage(record))?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({ event: text, metadata: { emit_id: 'e' } });
  const whole = { ...record, payload: '{"n":12345678901234567890}' };
  expect(eventMessage(whole)).toContain('"event":{"n":12345678901234567890}');
});

test('as what triggered a run', () => {
  expect(presentTrigger({ kind: 'event', json: text })).toEqual({ kind: 'event', event: text });
});

test('as what triggered a run that failed', () => {
  const notice = noticeOn('$errors', {
    n: 1,
    emitterId: 'dc_1',
    trigger: { kind: 'event', json: text },
    cause: 'event',
    attempt: 1,
    hops: 0,
    startedAt: 1,
    endedAt: 2,
    status: 'failed',
    error: { name: 'Error', message: 'x' },
    logs: [],
  });
  expect(JSON.parse(notice?.payload ?? '')).toMatchObject({ original_event: text });
});

test('as what a run only looked at, or an action, came to', () => {
  const exports = [{ name: 'x', json: text }];
  const emits = [{ event: text, at: 1 }];
  const db = [{ prop: 'db', key: 'k', json: text }];
  expect(presentActionRun({ n: 1, ...produced, exports, result: text })).toMatchObject({
    exports: { x: text },
    return_value: text,
  });
  expect(
    presentDryRun({
      ...produced,
      exports,
      emits,
      db,
      response: undefined,
      dbBefore: {},
      dataStores: [],
      held: [],
    }),
  ).toMatchObject({ exports: { x: text }, emits: [{ event: text }], db: [{ value: text }] });
});

test('a notice that is too long for one text says so', () => {
  const line = { at: 1, kind: 'console', level: 'info', text: '\u0000'.repeat(30e6) } as const;
  const logs = [line, line, line];
  const notice = noticeOn('$logs', {
    n: 1,
    emitterId: 'dc_1',
    trigger: undefined,
    cause: 'manual',
    attempt: 1,
    hops: 0,
    startedAt: 1,
    endedAt: 2,
    status: 'succeeded',
    logs,
  });
  expect(notice?.payload).toContain('too long');
});
