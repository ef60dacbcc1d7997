import { expect, test } from 'vitest';
import { executionLine } from '../../../../src/extension/workflows/execution-line.ts';
import { stepLine } from '../../../../src/extension/workflows/step-line.ts';
import { workflowLine } from '../../../../src/extension/workflows/workflow-line.ts';
import * as make from '../make.ts';

const error = { name: 'Error', message: 'greet: no\nat all' };

test.each([
  [make.workflow({}), undefined, 'run by hand', 'play-circle'],
  [make.workflow({ triggers: [make.httpTrigger] }), undefined, '/h/hi_1', 'globe'],
  [make.workflow({ active: false }), make.execution({}), 'switched off', 'play-circle'],
  [
    make.workflow({ triggers: [{ id: 'ti_1', type: 'timer', next_tick_at: 61_000 }] }),
    make.execution({}),
    'ran 1s ago · next run in 1m',
    'clock',
  ],
  [make.workflow({}), make.execution({ status: 'failed' }), 'failed 1s ago · run by hand', 'error'],
  [
    make.workflow({ debug: { paused: true, processes: [] } }),
    make.execution({ status: 'running' }),
    'at a breakpoint',
    'debug-pause',
  ],
  [
    make.workflow({ triggers: [{ id: 'dc_1', type: 'source' }] }),
    undefined,
    'listens to dc_1',
    'link',
  ],
])('a workflow: %#', (workflow, last, description, icon) => {
  expect(workflowLine(workflow, last, 1000)).toMatchObject({ description, icon });
});

test('a workflow that follows its files says so first', () => {
  const line = workflowLine(make.workflow({}), undefined, 0, { isFollowed: true });
  expect(line.description).toBe('dev mode · run by hand');
});

test.each([
  [make.execution({}), 'Request', '0 ms · now', 'pass'],
  [
    make.execution({ cause: 'replay', request: { method: 'POST', path: '/a' } }),
    'Replay of POST /a',
    '0 ms · now',
    'pass',
  ],
  [
    make.execution({ status: 'paused', resumes_at: 61_000, ended_at: null }),
    'Request',
    'due in 1m · now',
    'debug-pause',
  ],
  [
    make.execution({ status: 'paused', ended_at: null }),
    'Request',
    'waits to be resumed · now',
    'debug-pause',
  ],
  [
    make.execution({ status: 'failed', error }),
    'Request',
    'Error: greet: no · 0 ms · now',
    'error',
  ],
  [
    make.execution({ status: 'dropped', reason: 'queue full' }),
    'Request',
    'dropped: queue full · 0 ms · now',
    'circle-slash',
  ],
  [make.execution({ status: 'timed_out' }), 'Request', 'timed out · 0 ms · now', 'error'],
])('an execution: %#', (execution, label, description, icon) => {
  expect(executionLine(execution, 0)).toMatchObject({ label, description, icon });
});

test.each([
  [make.stepRun({ summary: 'greeted' }), 'greet', '0 ms · greeted', 'pass'],
  [
    make.stepRun({ run: 2, status: 'running', ended_at: null }),
    'greet (run 2)',
    'running',
    'loading~spin',
  ],
  [make.stepRun({ status: 'failed', error }), 'greet', '0 ms · Error: greet: no', 'error'],
  [
    make.stepRun({
      status: 'retrying',
      error,
      pause: { kind: 'retry', resumes_at: 2000, resume_url: '', cancel_url: '' },
    }),
    'greet',
    '0 ms · runs again in 2s: Error: greet: no',
    'history',
  ],
])('a step: %#', (step, label, description, icon) => {
  expect(stepLine(step, 0)).toMatchObject({ label, description, icon });
});
