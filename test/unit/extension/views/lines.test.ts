import { describe, expect, test } from 'vitest';
import { eventLine, titleOf } from '../../../../src/extension/views/event-line.ts';
import {
  deliveryLine,
  healthOf,
  webhookLine,
} from '../../../../src/extension/views/listener-line.ts';
import { formatDuration, invocationLine } from '../../../../src/extension/views/invocation-line.ts';
import { relativeTime } from '../../../../src/extension/views/line.ts';
import { sourceLine } from '../../../../src/extension/views/source-line.ts';
import * as make from '../make.ts';

const now = 1_000_000_000;
const timer = { name: 'timer', type: '$.interface.timer' };

test.each([
  [0, 'now'],
  [-999, 'now'],
  [-12_000, '12s ago'],
  [61_000, 'in 1m'],
  [-3 * 3_600_000, '3h ago'],
  [-50 * 3_600_000, '2d ago'],
])('%i ms away is %j', (distance, text) => {
  expect(relativeTime(now + distance, now)).toBe(text);
});

describe('a source', () => {
  test.each([
    [{ endpoint_url: 'http://127.0.0.1:1/h/hi_1' }, 'globe', '/h/hi_1'],
    [
      {
        endpoint_url: 'http://127.0.0.1:1/h/hi_1',
        last_invocation: make.invocation({ ended_at: now - 3000 }),
      },
      'globe',
      'ran 3s ago · /h/hi_1',
    ],
    [{ configurable_props: [timer], next_tick_at: now + 5000 }, 'clock', 'next run in 5s'],
    [{ webhook: make.sourceWebhook() }, 'globe', '/h/ah_1'],
    [{ webhook: make.sourceWebhook({ has_secret: false }) }, 'globe', 'needs the Signing Secret'],
    [{ webhook: make.sourceWebhook({ url: null, account: null }) }, 'globe', 'needs an account'],
    [{}, 'play-circle', 'run by hand'],
    [{ active: false, endpoint_url: 'http://x/h/1' }, 'globe', 'inactive'],
    [
      { last_invocation: make.invocation({ status: 'failed', ended_at: now - 2000 }) },
      'error',
      'failed 2s ago',
    ],
    [
      { last_invocation: make.invocation({ status: 'running' }) },
      'loading~spin',
      'running · run by hand',
    ],
  ])('%o', (part, icon, description) => {
    expect(sourceLine(make.source(part), now)).toMatchObject({ icon, description });
  });

  test.each([
    ['in step', 'dev mode · run by hand'],
    ['broken', 'dev mode: broken save · run by hand'],
  ] as const)('that follows its file (%s) says so first', (following, description) => {
    expect(sourceLine(make.source({}), now, { following }).description).toBe(description);
  });

  test.each([
    ['succeeded', 1, 'error', '1 failed · ran 3s ago · run by hand'],
    ['failed', 1, 'error', 'failed 3s ago'],
    ['failed', 3, 'error', '3 failed · ran 3s ago · run by hand'],
    ['succeeded', 0, 'play-circle', 'ran 3s ago · run by hand'],
  ] as const)(
    'whose last run %s counts %d failed runs that nobody saw',
    (status, unseen, icon, description) => {
      const last = make.invocation({ status, ended_at: now - 3000 });
      const source = make.source({ last_invocation: last });
      expect(sourceLine(source, now, { unseen })).toMatchObject({
        icon,
        description,
      });
    },
  );

  test('whose file is gone says so first, and cannot be updated from it', () => {
    const line = sourceLine(make.source({ path: '/w/a.mjs' }), now, { isMissing: true });
    expect(line).toMatchObject({ icon: 'warning', description: 'file missing · run by hand' });
    expect(line.contextValue).toMatch(/;missing;$/);
    expect(line.contextValue).not.toContain(';file;');
  });

  test('has no colour of its own while its runtime is stopped', () => {
    expect(sourceLine(make.source({}), now, { isRuntimeStopped: true }).colour).toBe(
      'weir.inactive',
    );
  });

  test('says its state in words too', () => {
    expect(sourceLine(make.source({ active: false }), now).accessible).toContain('inactive');
  });
});

describe('an event', () => {
  test('shows channel, source and age', () => {
    const event = make.event({
      indexed_at_ms: now - 3000,
      metadata: { emit_id: 'e', name: 'paid', emitter_id: 'dc_1', summary: 'Order\n 7' },
    });
    expect(eventLine(event, now, 'Orders')).toMatchObject({
      label: 'Order 7',
      description: 'paid · 3s ago · Orders',
      icon: 'symbol-event',
    });
  });

  test('that was dropped is grey and says why', () => {
    const line = eventLine(make.event({ dropped: 'unique: 1', indexed_at_ms: now }), now);
    expect(line).toMatchObject({
      description: 'dropped: unique: 1 · now',
      colour: 'weir.inactive',
    });
  });

  test.each([
    [{ a: 1 }, '{"a":1}'],
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'null'],
    ['x'.repeat(500), `${'x'.repeat(120)}…`],
  ])('without a summary is called by its payload %j', (payload, title) => {
    expect(titleOf(make.event({ event: payload }))).toBe(title);
  });
});

describe('a webhook', () => {
  test('without a name is called by its URL, once', () => {
    expect(webhookLine(make.webhook({}), healthOf([]))).toMatchObject({
      label: 'https://example.com/events',
      description: '',
    });
    expect(webhookLine(make.webhook({ name: 'Mine' }), healthOf([]))).toMatchObject({
      label: 'Mine',
      description: 'https://example.com/events',
    });
  });

  test.each([
    [[], undefined, ''],
    [['delivered'], 'weir.succeeded', ''],
    [['retrying', 'delivered'], 'weir.waiting', '1 retrying'],
    [
      ['delivered', 'exhausted', 'retrying', 'exhausted'],
      'weir.failed',
      '2 exhausted · 1 retrying',
    ],
  ] as const)('with %j says how it does', (statuses, colour, description) => {
    const deliveries = statuses.map((status) => make.delivery({ status }));
    const line = webhookLine(make.webhook({}), healthOf(deliveries));
    expect(line.colour).toBe(colour);
    expect(line.description).toBe(description);
  });

  test('that is switched off is grey, however it did', () => {
    const line = webhookLine(make.webhook({ active: false }), healthOf([make.delivery({})]));
    expect(line).toMatchObject({ colour: 'weir.inactive', description: 'inactive' });
  });
});

describe('a run', () => {
  const started = { started_at: now - 2014, ended_at: now - 2000 };
  test.each([
    [{ ...started, emitted_count: 2 }, 'Request', '2 events · 14 ms · 2s ago', 'pass'],
    [
      { ...started, request: { method: 'POST', path: '/orders' } },
      'POST /orders',
      '0 events · 14 ms · 2s ago',
      'pass',
    ],
    [
      { ...started, cause: 'replay', request: { method: 'GET', path: '/' } },
      'Replay of GET /',
      '0 events · 14 ms · 2s ago',
      'pass',
    ],
    [
      { ...started, emitted_count: 1, dropped_count: 3 },
      'Request',
      '1 event, 3 dropped · 14 ms · 2s ago',
      'pass',
    ],
    [
      { ...started, status: 'failed', error: { name: 'TypeError', message: 'x\ny' } },
      'Request',
      'TypeError: x · 14 ms · 2s ago',
      'error',
    ],
    [
      { status: 'running', started_at: now, ended_at: null, cause: 'timer' },
      'Tick',
      'running · now',
      'loading~spin',
    ],
    [
      { ...started, cause: 'hook', hook: 'deploy' },
      'deploy hook',
      '0 events · 14 ms · 2s ago',
      'pass',
    ],
    [{ ...started, attempt: 2 }, 'Request', '0 events · attempt 2 · 14 ms · 2s ago', 'pass'],
  ] as const)('%o', (part, label, description, icon) => {
    expect(invocationLine(make.invocation(part), now)).toMatchObject({ label, description, icon });
  });

  test.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1500, '1.5 s'],
    [125_000, '2 min 5 s'],
  ])('that took %i ms took %j', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

test('a delivery that is retried says when', () => {
  const delivery = make.delivery({
    status: 'retrying',
    last_status: 503,
    next_attempt_at: now + 30_000,
    created_at: now - 1000,
  });
  expect(deliveryLine(delivery, now, 'Order 7')).toMatchObject({
    label: 'Order 7',
    description: 'retrying · HTTP 503 · again in 30s · 1s ago',
  });
});

test('a delivery that went well shows the answer', () => {
  expect(deliveryLine(make.delivery({ created_at: now }), now, 'Order 7')).toMatchObject({
    description: 'HTTP 200 · now',
    accessible: 'Order 7, delivery, delivered, HTTP 200 · now',
  });
});
