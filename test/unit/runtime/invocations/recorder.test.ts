import { expect, test } from 'vitest';
import type { Emit } from '../../../../src/protocol/host.ts';
import { Recorder, type Ending } from '../../../../src/runtime/invocations/recorder.ts';

const emit = (event: string): Emit => ({ event, at: 1 });

function record(): { recorder: Recorder; endings: Ending[] } {
  const endings: Ending[] = [];
  const push = (ending: Ending) => void endings.push(ending);
  const recorder = new Recorder({ done: push, lost: (_loss, ending) => push(ending) });
  return { recorder, endings };
}

test('pieces come together in order', () => {
  const { recorder, endings } = record();
  recorder.progress({ emits: [emit('1')], logs: [{ at: 1, level: 'info', text: 'a' }] });
  recorder.progress({ emits: [emit('2')], db: [{ prop: 'db', key: 'k', json: '1' }] });
  recorder.done({ emits: [emit('3')] });
  expect(endings).toEqual([
    {
      emits: [emit('1'), emit('2'), emit('3')],
      db: [{ prop: 'db', key: 'k', json: '1' }],
      logs: [{ at: 1, level: 'info', text: 'a' }],
      exports: [],
    },
  ]);
});

test('what had arrived is kept when the process is lost', () => {
  const { recorder, endings } = record();
  recorder.progress({ emits: [emit('1')] });
  recorder.lost({ cause: 'exit', message: 'called process.exit(1)', atFault: true });
  expect(endings).toEqual([{ emits: [emit('1')], db: [], logs: [], exports: [] }]);
});

test('the error and the result come through', () => {
  const { recorder, endings } = record();
  recorder.done({ error: { name: 'Error', message: 'no' }, result: '1' });
  expect(endings[0]).toMatchObject({ error: { message: 'no' }, result: '1', emits: [] });
});
