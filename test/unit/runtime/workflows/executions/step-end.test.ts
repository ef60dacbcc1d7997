import { describe, expect, it } from 'vitest';
import {
  endOfFailedStep,
  endOfStep,
  type StepInFlight,
} from '../../../../../src/runtime/workflows/executions/step-end.ts';
import { rowOf } from '../../../../../src/runtime/workflows/executions/step-row.ts';
import type { Outcome } from '../../../../../src/runtime/processes/outcome.ts';
import type { ActionStep } from '../../../../../src/protocol/workflow.ts';

const nothingDone: Outcome = { emits: [], db: [], logs: [], exports: [] };
const error = { name: 'Error', message: 'the token is s3cret-value', stack: 'Error: s3cret-value' };

function rowAt(endedAt: number, outcome: Outcome = nothingDone) {
  const ended = { path: 'post', namespace: 'post', run: 1, attempt: 1, startedAt: 0 };
  const place = { seq: 1, leg: 1, endedAt, keepsLogs: true, mask: (text: string) => text };
  return rowOf(ended, outcome, null, place);
}

function inFlight(attempt: number, step: Partial<ActionStep> = {}): StepInFlight {
  const task = { kind: 'action', path: 'post', namespace: 'post', step } as StepInFlight['task'];
  return { task, run: 1, attempt, startedAt: 0 };
}

type Retries = Parameters<typeof endOfFailedStep>[5];

function failed(attempt: number, step: Partial<ActionStep>, retries: Retries = 'own') {
  return endOfFailedStep(rowAt(1000), inFlight(attempt, step), nothingDone, {}, error, retries);
}

describe('a step that ended by itself', () => {
  it('is told to the walk with what it handed on', () => {
    const outcome: Outcome = {
      ...nothingDone,
      exports: [
        { name: 'id', json: '1' },
        { name: 'id', json: '2' },
        { name: '$return_value', json: '"done"' },
      ],
    };
    const { row, result, outgoing } = endOfStep(rowAt(5, outcome), outcome, {});
    expect(row).toMatchObject({ status: 'succeeded', exports: '{"id":2}', returnValue: '"done"' });
    expect(result).toEqual({ exports: '{"id":2}', returnValue: '"done"' });
    expect(outgoing).toBeUndefined();
  });

  it('waits from its end on, and is no result until then', () => {
    const pause = { kind: 'delay', ms: 60_000 } as const;
    const { row, result } = endOfStep(rowAt(1000), nothingDone, { pause });
    expect(result).toBeUndefined();
    expect(row).toMatchObject({ status: 'paused', pause: { kind: 'delay', dueAt: 61_000 } });
    const forEver = endOfStep(rowAt(1000), nothingDone, { pause: { kind: 'suspend', ms: null } });
    expect(forEver.row.pause).toEqual({ kind: 'suspend', dueAt: null });
  });

  it('keeps with its row what goes out at the end of the leg', () => {
    const send = { kind: 'http', method: 'GET', url: 'http://x/', headers: {} } as const;
    const { row, outgoing } = endOfStep(rowAt(1), nothingDone, { sends: [send] });
    expect(outgoing?.sends).toEqual([{ path: 'post', send }]);
    expect(JSON.parse(row.sends ?? '')).toEqual(outgoing);
  });
});

describe('a step that threw', () => {
  it('P25.71 is tried again after a time that doubles, and shows which attempt failed', () => {
    const step = { retry: { max: 2, backoffMs: 100 } };
    expect(failed(1, step).row).toMatchObject({ status: 'retrying', pause: { dueAt: 1100 } });
    const second = failed(2, step);
    expect(second.row.pause?.dueAt).toBe(1200);
    expect(JSON.parse(second.row.exports ?? '')).toMatchObject({ $attempt: 2 });
    expect(second.result).toBeUndefined();
    expect(failed(3, step)).toMatchObject({ row: { status: 'failed' }, failed: { goesOn: false } });
  });

  it('P25.71 is tried again eight times where the workflow asks for it, over about ten hours', () => {
    let last = 0;
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const { row } = failed(attempt, {}, 'auto');
      expect(row.status).toBe('retrying');
      last += (row.pause?.dueAt ?? 0) - 1000;
    }
    expect(failed(9, {}, 'auto').row.status).toBe('failed');
    expect(last / 3_600_000).toBeCloseTo(10, 1);
  });

  it('a retry of the step itself goes before that of the workflow', () => {
    expect(failed(1, { retry: { max: 0, backoffMs: 1 } }, 'auto').row.status).toBe('failed');
  });

  it('is not tried again in a test, whatever it says itself (P25.90)', () => {
    expect(failed(1, { retry: { max: 3, backoffMs: 1 } }, 'never').row.status).toBe('failed');
  });

  it('lets the execution go on where the step says so', () => {
    const { failed: end, result } = failed(1, { onError: 'continue' });
    expect(end).toEqual({ goesOn: true, error });
    expect(result).toEqual({ failed: { continue: true, exports: '{}' } });
  });
});

describe('its row', () => {
  const said = { ...nothingDone, logs: [{ at: 1, level: 'info', text: 's3cret-value' }] } as const;
  const ended = { path: 'p', namespace: 'p', run: 1, attempt: 1, startedAt: 0 };
  const mask = (text: string): string => text.replaceAll('s3cret-value', '…');

  it('W50 shows no value of a variable in its log', () => {
    const place = { seq: 1, leg: 1, endedAt: 2, keepsLogs: true, mask };
    const { logs } = rowOf(ended, said, error, place);
    expect(logs.map(({ text }) => text)).toEqual(['…', 'Error: …']);
  });

  it('P25.5 has no log where only that it ran is kept', () => {
    const place = { seq: 1, leg: 1, endedAt: 2, keepsLogs: false, mask };
    expect(rowOf(ended, said, error, place).logs).toEqual([]);
  });
});
