import { expect, test } from 'vitest';
import { actionRunReport, agentCallReport } from '../../../../src/extension/agents/agent-report.ts';
import {
  actionRunLine,
  agentCallLine,
  offeredActionLine,
  offerLine,
} from '../../../../src/extension/views/agent-line.ts';
import * as make from '../make.ts';

const error = { name: 'TypeError', message: 'no', stack: 'TypeError: no\n    at run' };

test('an offer says how much of it runs for real, and an action which account it has', () => {
  const offer = { what: 'shop', accounts: {}, live: [] };
  expect(offerLine(offer, 'shop').description).toBe('dry run');
  expect(offerLine({ ...offer, live: ['a'] }, 'shop').description).toBe('1 for real');
  const live = make.offeredAction({ live: true, destructive: true });
  expect(offeredActionLine(live, ['Main']).description).toBe('for real · may destroy · Main');
  expect(offeredActionLine(make.offeredAction({ destructive: true }), []).description).toBe(
    'dry run',
  );
});

test.each([
  [{}, 'helper 1.0.0 · 12 ms · 2m ago'],
  [{ outcome: 'refused' as const }, 'refused · helper 1.0.0 · 12 ms · 2m ago'],
  [{ key: 'local' }, 'helper 1.0.0 · 12 ms · 2m ago'],
  [{ key: 'ci' }, 'helper 1.0.0 (key ci) · 12 ms · 2m ago'],
])('a call %j says who asked, and what came of it', (part, description) => {
  const call = make.agentCall(part);
  expect(agentCallLine(call, Date.parse(call.at) + 120_000)).toMatchObject({ description });
});

test.each([
  [{}, 'pass', 'helper 1.0.0 · 12 ms · now'],
  [{ agent: null }, 'pass', '12 ms · now'],
  [{ status: 'running' as const, ended_at: null }, 'loading~spin', 'running · helper 1.0.0 · now'],
  [{ status: 'failed' as const, error }, 'error', 'TypeError: no · helper 1.0.0 · 12 ms · now'],
])('a run of an action with %j', (part, icon, description) => {
  expect(actionRunLine(make.actionRun(part), 12)).toMatchObject({ icon, description });
});

test('a call as text: who asked, with what, and why it was refused', () => {
  const text = agentCallReport(make.agentCall({ outcome: 'refused', message: 'Not allowed.' }));
  expect(text).toMatch(/^shop-greet · helper 1\.0\.0\n.+ · 12 ms · refused\n/);
  expect(text).toContain('Message\n  Not allowed.\n');
  expect(text).toContain('Arguments\n  {\n    "who": "Ada"\n  }\n');
});

test('a run of an action as text: values, log, requests, exports and how it ended', () => {
  const text = actionRunReport({
    ...make.actionRun({ status: 'failed', error }),
    configured_props: { who: 'Ada', pass: { secret: true } },
    exports: { $summary: 'Greeted' },
    return_value: null,
    summary: 'Greeted',
    logs: [{ ts: 1_700_000_000_007, level: 'info', text: 'first\nsecond' }],
    requests: [
      {
        at: 0,
        duration_ms: 7,
        method: 'GET',
        url: 'http://shop.test/a',
        headers: [],
        body: null,
        response: { status: 404, status_text: 'Not Found', headers: [], body: null },
        error: null,
      },
    ],
  });
  expect(text).toMatch(/^Greet · shop-greet 0\.0\.1 · arun_1\n.+ · 12 ms · failed\n/);
  expect(text).toContain('Asked for by helper 1.0.0\n/w/greet.mjs\n');
  expect(text).toContain('  pass: {\n    "secret": true\n  }\n');
  expect(text).toMatch(/\.007 \[info\] first\n {2}second\n/);
  expect(text).toContain('Requests\n  GET http://shop.test/a · 404 · 7 ms\n');
  expect(text).toContain('Exports\n  $summary: "Greeted"\n');
  expect(text).toContain('Error\n  TypeError: no\n      at run\n');
});
