import { expect, test } from 'vitest';
import type { Execution } from '../../../../src/protocol/catalogue.ts';
import {
  parsePageMessage,
  parseSubject,
} from '../../../../src/extension/workflow-page/page-message.ts';
import {
  failureGroups,
  workflowPage,
  type WorkflowPageParts,
} from '../../../../src/extension/workflow-page/page-model.ts';
import * as make from '../make.ts';

const step = { type: 'action', uses: null, component_id: null, disabled: false, line: 1 } as const;
const workflow = make.workflow({
  name: 'Orders',
  triggers: [make.httpTrigger],
  steps: [
    { ...step, namespace: 'total', path: 'total' },
    { ...step, namespace: 'check', path: 'loop.check' },
  ],
});
const parts: WorkflowPageParts = {
  runtime: '/w/.weir',
  workflow,
  executions: [],
  total: 0,
  pins: [],
  isTrusted: true,
};
const failed = (id: string, message: string, part = {}) =>
  make.execution({
    id,
    status: 'failed',
    cause: 'http',
    error: { name: 'Error', message },
    ...part,
  });

test('failures are grouped by step and error, whatever the numbers in it, newest first', () => {
  const groups = failureGroups(
    [
      failed('exec_6', 'total: no order 17', { created_at: 60 }),
      failed('exec_5', 'loop[3].check: below zero\nand more', { created_at: 50 }),
      failed('exec_4', 'total: no order 9', { created_at: 40 }),
      make.execution({ id: 'exec_3', status: 'crashed', cause: 'http', error: null }),
      failed('exec_2', 'nobody: is a step', { created_at: 20 }),
      failed('exec_1', 'loop[640].check: below zero', { created_at: 10 }),
    ],
    workflow,
  );
  expect(groups).toMatchObject([
    { step: 'total', error: 'Error: no order 17', ids: ['exec_6', 'exec_4'], at: 60 },
    { step: 'loop.check', error: 'Error: below zero', ids: ['exec_5', 'exec_1'] },
    { step: null, error: 'crashed', ids: ['exec_3'] },
    { step: null, error: 'Error: nobody: is a step' },
  ]);
  expect(groups[0]?.open).toEqual(['exec_4', 'exec_6']);
});

test('what was made good is not retried once more', () => {
  const executions = [
    make.execution({ id: 'exec_2', cause: 'replay', replay_of: 'exec_1' }),
    failed('exec_1', 'total: no'),
  ];
  const page = workflowPage({ ...parts, executions, total: 2 }, 0);
  expect(page.failures).toMatchObject([{ ids: ['exec_1'], open: [] }]);
  expect(page.actions).not.toContain('retryFailed');
});

test('a retry that failed or still waits makes nothing good', () => {
  const replay = (n: number, of: number, status: Execution['status'], message: string) =>
    failed(`exec_${n}`, message, { cause: 'replay', replay_of: `exec_${of}`, status });
  const first = failed('exec_1', 'total: no');
  const chain = [replay(3, 2, 'failed', 'total: still no'), replay(2, 1, 'failed', 'total: no')];
  // Nobody ran the last link again, so neither of the errors is made good.
  expect(failureGroups([...chain, first], workflow)).toMatchObject([
    { error: 'Error: still no', ids: ['exec_3'], open: ['exec_1'], retries: 'open' },
    { error: 'Error: no', ids: ['exec_2', 'exec_1'], open: ['exec_1'], retries: 'open' },
  ]);
  const waits = make.execution({
    id: 'exec_4',
    status: 'paused',
    cause: 'replay',
    replay_of: 'exec_3',
  });
  const pending = failureGroups([waits, ...chain, first], workflow);
  expect(pending.map(({ open, retries }) => [open, retries])).toEqual([
    [[], 'pending'],
    [[], 'pending'],
  ]);
  const good = failureGroups([{ ...waits, status: 'succeeded' }, ...chain, first], workflow);
  expect(good.map(({ retries }) => retries)).toEqual(['good', 'good']);
});

test('the newest hundred are drawn, oldest first, and tests are not', () => {
  const executions = Array.from({ length: 130 }, (_, at) =>
    make.execution({ id: `exec_${130 - at}`, test: at === 0, started_at: 1, ended_at: 5 }),
  );
  const { points } = workflowPage({ ...parts, executions, total: 130 }, 0);
  expect(points).toHaveLength(100);
  expect(points[0]?.id).toBe('exec_30');
  expect(points.at(-1)).toMatchObject({ id: 'exec_129', took: 4 });
});

test('what can be done is what there is to do it with', () => {
  expect(workflowPage(parts, 0).actions).toEqual(['runWithEvent', 'openInBuilder', 'openWorkflow']);
  const executions = [
    make.execution({ id: 'exec_2', status: 'paused', test: true, ended_at: null }),
    failed('exec_1', 'total: no'),
  ];
  const full = { ...parts, executions, total: 2, pins: [make.pin()] };
  expect(workflowPage(full, 0)).toMatchObject({
    open: [{ id: 'exec_2', status: 'paused', took: null }],
    triggers: [expect.stringContaining('http')],
    actions: [
      'runWithEvent',
      'retryFailed',
      'replayOnFiles',
      'cancelAllExecutions',
      'managePins',
      'openInBuilder',
      'openWorkflow',
    ],
  });
  expect(workflowPage({ ...full, isTrusted: false }, 0).actions).toEqual([
    'cancelAllExecutions',
    'managePins',
    'openInBuilder',
    'openWorkflow',
  ]);
});

test('messages and states that are not of ours are nothing', () => {
  expect(parsePageMessage({ t: 'do', action: 'retryFailed' })).toEqual({
    t: 'do',
    action: 'retryFailed',
  });
  for (const wrong of [
    null,
    'ready',
    { t: 'do', action: 'toString' },
    { t: 'open' },
    { t: 'retry', at: '1' },
  ]) {
    expect(parsePageMessage(wrong)).toBeUndefined();
  }
  expect(parseSubject({ runtime: '/w', workflowId: 'p_1' })).toBeDefined();
  expect(parseSubject({ runtime: '/w' })).toBeUndefined();
});
