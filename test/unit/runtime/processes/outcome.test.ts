import { expect, test } from 'vitest';
import type { Emit } from '../../../../src/protocol/host.ts';
import { OutcomeRecorder, type Outcome } from '../../../../src/runtime/processes/outcome.ts';

const emit = (event: string): Emit => ({ event, at: 1 });

function record(): { recorder: OutcomeRecorder; outcomes: Outcome[] } {
  const outcomes: Outcome[] = [];
  const push = (outcome: Outcome) => void outcomes.push(outcome);
  const recorder = new OutcomeRecorder({
    respond: () => undefined,
    done: push,
    lost: (_loss, outcome) => push(outcome),
  });
  return { recorder, outcomes };
}

test('pieces come together in order', () => {
  const { recorder, outcomes } = record();
  recorder.progress({ emits: [emit('1')], logs: [{ at: 1, level: 'info', text: 'a' }] });
  recorder.progress({ emits: [emit('2')], db: [{ prop: 'db', key: 'k', json: '1' }] });
  recorder.done({ emits: [emit('3')] });
  expect(outcomes).toEqual([
    {
      emits: [emit('1'), emit('2'), emit('3')],
      db: [{ prop: 'db', key: 'k', json: '1' }],
      logs: [{ at: 1, level: 'info', text: 'a' }],
      exports: [],
    },
  ]);
});

test('a key of a db that is sent again at the end is there once, as it was written last', () => {
  const { recorder, outcomes } = record();
  const set = (key: string, json: string) => ({ prop: 'db', key, json });
  recorder.progress({ db: [set('count', '1'), set('gone', '1')] });
  recorder.done({ db: [set('count', '2'), { prop: 'db', key: 'gone' }] });
  expect(outcomes[0]?.db).toEqual([set('count', '2'), { prop: 'db', key: 'gone' }]);
});

test('what had arrived is kept when the process is lost', () => {
  const { recorder, outcomes } = record();
  recorder.progress({ emits: [emit('1')] });
  recorder.lost({ cause: 'exit', message: 'called process.exit(1)', atFault: true });
  expect(outcomes).toEqual([{ emits: [emit('1')], db: [], logs: [], exports: [] }]);
});

test('the error and the result come through', () => {
  const { recorder, outcomes } = record();
  recorder.done({ error: { name: 'Error', message: 'no' }, result: '1' });
  expect(outcomes[0]).toMatchObject({ error: { message: 'no' }, result: '1', emits: [] });
});

test('pieces of any number of items come together: more than a call takes arguments', () => {
  const { recorder, outcomes } = record();
  const line = { at: 1, level: 'info', text: '' } as const;
  const logs = Array.from({ length: 300_000 }, () => line);
  const emits = Array.from({ length: 300_000 }, () => emit('1'));
  recorder.progress({ logs, emits });
  recorder.progress({ logs, emits });
  recorder.done({});
  expect([outcomes[0]?.logs.length, outcomes[0]?.emits.length]).toEqual([600_000, 600_000]);
});
