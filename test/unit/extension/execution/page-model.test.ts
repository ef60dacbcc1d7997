import { expect, test } from 'vitest';
import { parsePageMessage } from '../../../../src/extension/execution/page-message.ts';
import {
  detailsOf,
  headOf,
  summariesOf,
  unchanged,
  type Abilities,
} from '../../../../src/extension/execution/page-model.ts';
import type { WholeExecution } from '../../../../src/protocol/catalogue.ts';
import * as make from '../make.ts';

const all: Abilities = { isTrusted: true, workflow: { name: 'Orders' }, hasCode: () => true };

function whole(part: Partial<WholeExecution>): WholeExecution {
  return {
    ...make.execution({}),
    trigger: { kind: 'event', event: {} },
    steps: [],
    sends: [],
    requests: [],
    response: null,
    ...part,
  };
}

const pause = { kind: 'suspend' as const, resumes_at: 5, resume_url: 'r', cancel_url: 'c' };

function stepActions(execution: WholeExecution, abilities = all): readonly string[] {
  const found = detailsOf(execution, 'greet 1 1', abilities)?.details;
  return found?.kind === 'step' ? found.actions : expect.unreachable();
}

test('what can be done is what the execution and the window allow', () => {
  const ended = whole({ steps: [make.stepRun({ props: {} })] });
  expect(headOf(ended, all, 0).actions).toEqual([
    'replay',
    'replayOnFiles',
    'saveTest',
    'openWorkflowPage',
    'openWorkflow',
    'openText',
  ]);
  expect(stepActions(ended)).toEqual([
    'runStep',
    'runFromStep',
    'runFromStepWith',
    'pinStep',
    'openCode',
  ]);
  expect(headOf(whole({ status: 'failed' }), all, 0).actions).toContain('retryFailed');
  expect(headOf(whole({ status: 'failed', test: true }), all, 0).actions).not.toContain(
    'retryFailed',
  );
  const running = whole({ status: 'paused', steps: [make.stepRun({ status: 'paused', pause })] });
  expect(headOf(running, all, 0).actions).toContain('cancelExecution');
  expect(headOf(running, all, 0).actions).not.toContain('saveTest');
  expect(stepActions(running)).toEqual([
    'resumeExecution',
    'skipPause',
    'copyResumeUrl',
    'openCode',
  ]);
  const unlimited = whole({
    status: 'paused',
    steps: [make.stepRun({ status: 'paused', pause: { ...pause, resumes_at: null } })],
  });
  expect(stepActions(unlimited)).not.toContain('skipPause');
  const noCode = { ...all, hasCode: () => false };
  expect(stepActions(ended, { ...noCode, isTrusted: false })).toEqual([]);
  expect(stepActions(ended, { ...noCode, workflow: undefined })).toEqual([]);
  expect(headOf(ended, { ...all, isTrusted: false }, 0).actions).not.toContain('replay');
  expect(stepActions({ ...ended, test: true }, noCode)).toEqual(['runStep', 'pinStep']);
});

test('the last run of a step says that its result is stale, and why', () => {
  const steps = [make.stepRun({ status: 'failed' }), make.stepRun({ attempt: 2 })];
  const stale = new Map([['greet', { path: 'greet', because: 'upstream', of: 'check' } as const]]);
  const shown = summariesOf(whole({ steps }), 0, stale);
  expect(shown.map((step) => step.stale)).toEqual([null, 'check has changed since']);
  const details = detailsOf(whole({ steps }), 'greet 1 2', all, stale)?.details;
  expect(details).toMatchObject({ stale: 'check has changed since' });
  const running = whole({ status: 'running', steps: [make.stepRun({ status: 'running' })] });
  expect(summariesOf(running, 0, stale)[0]?.stale).toBeNull();
});

test('a step that ran again is told apart from its last run', () => {
  const steps = [make.stepRun({ attempt: 1, status: 'failed' }), make.stepRun({ attempt: 2 })];
  expect(summariesOf(whole({ steps }), 0).map(({ isLast }) => isLast)).toEqual([false, true]);
});

test('only what has changed is sent again', () => {
  const [a, b] = [make.stepRun({}), make.stepRun({ path: 'b', namespace: 'b', status: 'running' })];
  const before = summariesOf(whole({ steps: [a, b] }), 0);
  const after = summariesOf(whole({ steps: [a, { ...b, status: 'succeeded' }] }), 0);
  expect(unchanged(before, before)).toBe(2);
  expect(unchanged(before, after)).toBe(1);
  expect(unchanged(before, after.slice(0, 1))).toBe(1);
  expect(unchanged([], after)).toBe(0);
});

test('an error of a step stands at the step, another one at the trigger', () => {
  const error = { name: 'Error', message: 'no', stack: 'Error: no\n    at run (/w/a.ts:1:2)' };
  const ofStep = whole({
    error: { ...error, message: 'greet: no' },
    steps: [make.stepRun({ status: 'failed', error })],
  });
  expect(detailsOf(ofStep, 'trigger', all)?.details).toMatchObject({ error: null });
  const atStep = detailsOf(ofStep, 'greet 1 1', all);
  expect(atStep?.details.stackLinks).toHaveLength(1);
  expect(atStep?.frames).toMatchObject([{ file: '/w/a.ts', line: 1, column: 2 }]);
  const own = whole({ status: 'timed_out', error });
  expect(detailsOf(own, 'trigger', all)?.details).toMatchObject({ error });
  expect(detailsOf(own, 'nobody 1 1', all)).toBeUndefined();
});

test.each([
  { t: 'ready' },
  { t: 'select', key: 'a 1 1' },
  { t: 'do', action: 'replay' },
  { t: 'doStep', action: 'pinStep', key: 'a 1 1' },
  { t: 'copy', text: 'x' },
  { t: 'openFrame', at: 0 },
])('a message is taken: %j', (message) => {
  expect(parsePageMessage({ ...message, more: 1 })).toEqual(message);
});

test.each([
  null,
  'ready',
  { t: 'do', action: 'constructor' },
  { t: 'doStep', action: 'pinStep' },
  { t: 'doStep', action: 'replay', key: 'a' },
  { t: 'select', key: 1 },
])('anything else is not: %j', (message) => {
  expect(parsePageMessage(message)).toBeUndefined();
});
