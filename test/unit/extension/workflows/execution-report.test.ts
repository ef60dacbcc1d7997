import { expect, test } from 'vitest';
import { executionReport } from '../../../../src/extension/workflows/execution-report.ts';
import * as make from '../make.ts';

const logLine = {
  id: 1,
  ts: 0,
  source_id: 'p_1',
  invocation_id: 'inv_1',
  kind: 'console',
} as const;

test('an execution as text, with the line of each step', () => {
  const stack = 'Error: no\n    at run (/w/hello/answer/entry.ts:1:2)';
  const { text, stepLines } = executionReport(
    {
      ...make.execution({
        status: 'failed',
        cause: 'manual',
        error: { name: 'Error', message: 'answer: no' },
      }),
      trigger: { kind: 'event', event: { a: 1 } },
      sends: [],
      requests: [],
      response: null,
      steps: [
        make.stepRun({
          exports: { $summary: 'greeted', n: 3 },
          summary: 'greeted',
          return_value: 'x',
          logs: [{ ...logLine, level: 'info', text: 'said\nso' }],
        }),
        make.stepRun({
          namespace: 'answer',
          path: 'if_1.yes.answer',
          attempt: 2,
          status: 'failed',
          error: { name: 'Error', message: 'no', stack },
          logs: [{ ...logLine, level: 'error', text: stack }],
        }),
      ],
    },
    'Hello',
    0,
  );
  const lines = text.split('\n');
  expect(lines[0]).toBe('Run by hand · Hello · exec_1');
  expect(stepLines.map((line) => lines[line])).toEqual([
    '✔ greet · succeeded · 0 ms · greeted',
    '✖ if_1.yes.answer (attempt 2) · failed · 0 ms · Error: no',
  ]);
  expect(text).toContain('Event\n  {\n    "a": 1\n  }\n');
  expect(text).toContain('  Return value\n    "x"\n  Export n\n    3\n  Log\n');
  // What was thrown stands there once.
  expect(text.split('entry.ts:1:2')).toHaveLength(2);
});

test('what waits says how long and where it goes on', () => {
  const pause = {
    kind: 'suspend',
    resumes_at: null,
    resume_url: 'http://127.0.0.1/r',
    cancel_url: 'http://127.0.0.1/c',
  } as const;
  const { text } = executionReport(
    {
      ...make.execution({ status: 'paused', resumes_at: 90_000, ended_at: null }),
      trigger: null,
      sends: [],
      requests: [],
      response: null,
      steps: [make.stepRun({ status: 'paused', pause })],
    },
    'Hello',
    0,
  );
  expect(text).toContain('paused · due in 1m');
  expect(text).toContain('‖ greet · paused · 0 ms · waits to be resumed');
  expect(text).toContain('Resume: http://127.0.0.1/r');
  expect(text).toContain('Trigger\n  It is no longer kept.');
});
