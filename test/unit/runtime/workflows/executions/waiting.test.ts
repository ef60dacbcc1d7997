import { describe, expect, it } from 'vitest';
import {
  awaits,
  earliestOf,
  isResumedAlready,
  wakesOf,
} from '../../../../../src/runtime/workflows/executions/waiting.ts';
import { wholeExecution } from '../../../../../src/runtime/workflows/executions/keys.ts';
import type {
  ResumeHit,
  StepPause,
  StepRun,
} from '../../../../../src/runtime/store/history/executions.ts';

function row(path: string, pause: StepPause, more: Partial<StepRun> = {}): StepRun {
  return {
    seq: 1,
    path,
    namespace: path,
    run: 1,
    attempt: 1,
    status: pause.kind === 'retry' ? 'retrying' : 'paused',
    startedAt: 0,
    endedAt: 0,
    leg: 1,
    exports: '{}',
    returnValue: null,
    decision: null,
    error: null,
    pause,
    sends: null,
    props: null,
    ...more,
  };
}

function hit(path: string, run = 1, action: ResumeHit['action'] = 'resume'): ResumeHit {
  return { execution: 1, path, run, action, trigger: undefined };
}

function waiting(rows: readonly StepRun[], hits: ResumeHit[] = []) {
  return { waiting: new Map(rows.map((one) => [one.path, one])), hits };
}

describe('which waits are over', () => {
  it('a delay by its time, not a moment before', () => {
    const delayed = waiting([row('wait', { kind: 'delay', dueAt: 1000 })]);
    expect(wakesOf(delayed, 999)).toEqual([]);
    expect(wakesOf(delayed, 1000)).toMatchObject([{ row: { path: 'wait' }, isAgain: false }]);
  });

  it('P25.43 a suspend that nobody ended cancels the execution, with the reason', () => {
    const suspended = waiting([row('ask', { kind: 'suspend', dueAt: 1000 })]);
    expect(wakesOf(suspended, 999)).toEqual([]);
    expect(wakesOf(suspended, 1000)).toEqual({ cancel: 'ask was not resumed in time.' });
    expect(wakesOf({ ...suspended, hits: [hit('ask')] }, 1000)).toMatchObject([
      { hit: { path: 'ask' } },
    ]);
  });

  it('P25.39 a time that a person lets come is a time: no request goes along with it', () => {
    const delayed = waiting([row('wait', { kind: 'delay', dueAt: 1000 })], [hit('wait', 1, 'due')]);
    expect(wakesOf(delayed, 5)).toMatchObject([{ row: { path: 'wait' }, hit: undefined }]);
    const suspended = waiting(
      [row('ask', { kind: 'suspend', dueAt: 1000 })],
      [hit('ask', 1, 'due')],
    );
    expect(wakesOf(suspended, 5)).toEqual({ cancel: 'ask was not resumed in time.' });
    const retried = waiting(
      [row('post', { kind: 'retry', dueAt: 1000 }, { attempt: 2 })],
      [hit('post', -2, 'due')],
    );
    expect(wakesOf(retried, 5)).toMatchObject([{ isAgain: true, hit: undefined }]);
  });

  it('a rerun and a retry run the step itself again', () => {
    const both = waiting([
      row('poll', { kind: 'rerun', dueAt: 10 }),
      row('post', { kind: 'retry', dueAt: 10 }),
    ]);
    expect(wakesOf(both, 10)).toMatchObject([
      { row: { path: 'poll' }, isAgain: true },
      { row: { path: 'post' }, isAgain: true },
    ]);
  });

  it('a try again is waited for under the number of its attempt', () => {
    const retried = [row('post', { kind: 'retry', dueAt: null }, { attempt: 2 })];
    expect(wakesOf(waiting(retried, [hit('post', 1)]), 0)).toEqual([]);
    expect(wakesOf(waiting(retried, [hit('post', -2)]), 0)).toHaveLength(1);
  });

  it('a cancel of one step or of the whole execution goes before everything', () => {
    const rows = [
      row('a', { kind: 'delay', dueAt: 0 }),
      row('b', { kind: 'suspend', dueAt: null }),
    ];
    expect(wakesOf(waiting(rows, [hit('b', 1, 'cancel')]), 5)).toEqual({ cancel: undefined });
    const { path, run } = wholeExecution;
    expect(wakesOf(waiting(rows, [hit(path, run, 'cancel')]), 5)).toEqual({ cancel: undefined });
  });

  it('P25.41 what was resumed before its pause was stored does not pause', () => {
    const suspended = row('ask', { kind: 'suspend', dueAt: null });
    expect(isResumedAlready(waiting([suspended]))).toBe(false);
    expect(isResumedAlready(waiting([suspended], [hit('ask')]))).toBe(true);
    expect(isResumedAlready(waiting([suspended], [hit('ask', 2)]))).toBe(false);
  });

  it('sleeps until the first of them is due, or for ever', () => {
    expect(earliestOf(waiting([row('ask', { kind: 'suspend', dueAt: null })]))).toBeNull();
    const times = [30, 10, 20].map((dueAt, i) => row(`w${i}`, { kind: 'delay', dueAt }));
    expect(earliestOf(waiting(times))).toBe(10);
  });
});

describe('P25.42 whom a request can still resume', () => {
  const paused = row('ask', { kind: 'suspend', dueAt: null });

  it('the newest run of a step that waits', () => {
    expect(awaits(undefined, [paused], 'ask', 1)).toBe(true);
    const again = row('ask', { kind: 'suspend', dueAt: null }, { run: 2 });
    expect(awaits(undefined, [paused, again], 'ask', 1)).toBe(false);
    expect(awaits(undefined, [paused, again], 'ask', 2)).toBe(true);
  });

  it('one whose pause is not stored yet, not one that is over', () => {
    expect(awaits(undefined, [], 'ask', 1)).toBe(true);
    const over = { ...paused, status: 'succeeded', pause: null } as const;
    expect(awaits(undefined, [over], 'ask', 1)).toBe(false);
  });
});
