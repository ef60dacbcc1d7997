import { describe, expect, test } from 'vitest';
import type { StackFrame } from '../../../../src/extension/documents/stack-frames.ts';
import {
  InspectorSession,
  type InspectorHost,
} from '../../../../src/extension/inspector/session.ts';
import type { RuntimeClient } from '../../../../src/extension/model/runtime-client.ts';
import type { HostMessage } from '../../../../src/webview/inspector/messages.ts';
import * as make from '../make.ts';

const events = ['1-0', '2-0', '3-0'].map((id) => make.event({ id, invocation_id: `inv_${id}` }));
const stack =
  'Error: no\n    at run (/w/a.mjs:3:7)\n    at node:internal:1:1\n    at f (/w/b.ts:9:1)';
const failed = make.invocation({ error: { name: 'Error', message: 'no', stack } });

/** Three events of one source, the second of which is looked at. */
function inspect(
  answers: Readonly<Record<string, unknown>> = {},
  own: Partial<InspectorHost> = {},
) {
  const posted: HostMessage[] = [];
  const did: string[] = [];
  const frames: StackFrame[] = [];
  const client = {
    call(method: string, params: { event_id?: string; before?: string; after?: string }) {
      if (method in answers) {
        const answer = answers[method];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      }
      const at = events.findIndex(({ id }) => id === (params.before ?? params.after));
      const neighbour = events[at + (params.before === undefined ? -1 : 1)];
      const known: Record<string, unknown> = {
        'events.get': events.find(({ id }) => id === params.event_id),
        'events.list': { data: neighbour === undefined ? [] : [neighbour] },
        'events.deliveries': { deliveries: [{ ...make.delivery({}), attempts: [] }] },
        'invocations.get': { ...failed, logs: [], trigger: null },
        'sources.activity': { from: 0, bucket_ms: 1, emitted: [], failed: [] },
        'deliveries.redeliver': {},
      };
      return Promise.resolve(known[method]);
    },
  } as unknown as RuntimeClient;
  const session = new InspectorSession(
    {
      client: () => Promise.resolve(client),
      nameOf: (id) => (id === 'dc_0000001' ? 'Orders' : undefined),
      post: (message) => void posted.push(message),
      copy: async (text) => void did.push(`copy ${text}`),
      title: ({ id }) => void did.push(`title ${id}`),
      openJson: async ({ id }) => void did.push(`json ${id}`),
      compare: async (older, newer) => void did.push(`compare ${older.id} ${newer.id}`),
      showRun: async ({ id }) => void did.push(`run ${id}`),
      replay: async ({ id }) => void did.push(`replay ${id}`),
      debug: async ({ id }) => void did.push(`debug ${id}`),
      showFailedRuns: async (id) => void did.push(`failed runs of ${id}`),
      wentTo: ({ id }) => void did.push(`went to ${id}`),
      openFrame: async (frame) => void frames.push(frame),
      ...own,
    },
    { runtime: '/w/.weir', emitterId: 'dc_0000001', eventId: '2-0' },
  );
  const last = <T extends HostMessage['t']>(t: T) =>
    posted.findLast((message): message is Extract<HostMessage, { t: T }> => message.t === t);
  return { session, posted, did, frames, last };
}

test('a page that is ready is sent everything about the event', async () => {
  const { session, posted, did, last } = inspect();
  await session.receive({ t: 'ready' });
  expect(new Set(posted.map(({ t }) => t))).toEqual(
    new Set(['event', 'neighbours', 'run', 'deliveries', 'activity']),
  );
  expect(last('event')).toMatchObject({ emitter: 'Orders', event: { id: '2-0' } });
  expect(last('neighbours')).toMatchObject({ newer: true, older: true });
  expect(last('deliveries')?.deliveries).toMatchObject([{ webhook: null }]);
  expect(did).toEqual(['title 2-0']);
});

test('goes to the newer and the older one, and stays at the ends', async () => {
  const { session, did, last } = inspect();
  await session.receive({ t: 'ready' });
  await session.receive({ t: 'do', action: 'newer' });
  expect(session.subject.eventId).toBe('3-0');
  expect(last('neighbours')).toMatchObject({ of: '3-0', newer: false, older: true });
  await session.receive({ t: 'do', action: 'newer' });
  expect(session.subject.eventId).toBe('3-0');
  await session.receive({ t: 'do', action: 'older' });
  await session.receive({ t: 'do', action: 'older' });
  expect(session.subject.eventId).toBe('1-0');
  expect(did.filter((what) => what.startsWith('went'))).toEqual([
    'went to 3-0',
    'went to 2-0',
    'went to 1-0',
  ]);
});

test('compares with the one before, opens the document and the run', async () => {
  const { session, did } = inspect();
  await session.receive({ t: 'ready' });
  for (const action of [
    'compare',
    'openJson',
    'showRun',
    'replay',
    'debug',
    'failedRuns',
  ] as const) {
    await session.receive({ t: 'do', action });
  }
  expect(did.slice(1)).toEqual([
    'compare 1-0 2-0',
    'json 2-0',
    'run inv_1',
    'replay inv_1',
    'debug inv_1',
    'failed runs of dc_0000001',
  ]);
});

describe('a frame of the error', () => {
  test('leads to its place in the code', async () => {
    const { session, frames, last } = inspect();
    await session.receive({ t: 'ready' });
    const links = last('run')?.run.stackLinks ?? [];
    expect(links.map(({ start, end }) => stack.slice(start, end))).toEqual([
      '/w/a.mjs:3:7',
      '/w/b.ts:9:1',
    ]);
    await session.receive({ t: 'openFrame', at: 1 });
    expect(frames).toMatchObject([{ file: '/w/b.ts', line: 9, column: 1 }]);
  });

  test.each([-1, 2, 0.5, Number.NaN])('that there is not (%d) leads nowhere', async (at) => {
    const { session, frames } = inspect();
    await session.receive({ t: 'ready' });
    await session.receive({ t: 'openFrame', at });
    expect(frames).toEqual([]);
  });
});

test('a source that never rests is asked for the neighbours once at a time', async () => {
  const asked: (() => void)[] = [];
  const call = () => new Promise((resolve) => asked.push(() => resolve({ data: [] })));
  const { session, last } = inspect({}, { client: () => Promise.resolve({ call } as never) });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const answerAll = () => asked.splice(0).map((answer) => answer()).length;
  for (let n = 0; n < 50; n++) session.changed([{ type: 'event', event: make.event({}) }]);
  await settled();
  // The newer one and the older one.
  expect(answerAll()).toBe(2);
  await settled();
  expect(answerAll()).toBe(2);
  await settled();
  expect(answerAll()).toBe(0);
  expect(last('neighbours')).toMatchObject({ of: '2-0' });
});

test('a part that cannot be read is reported, and the rest is shown', async () => {
  const { session, last } = inspect({ 'events.deliveries': new Error('The store is busy.') });
  await session.receive({ t: 'ready' });
  expect(last('problem')).toEqual({ t: 'problem', of: '2-0', problem: 'The store is busy.' });
  expect(last('run')).toBeDefined();
});

test.each([
  ['openFrame', { t: 'openFrame', at: 0 }],
  ['openJson', { t: 'do', action: 'openJson' }],
  ['compare', { t: 'do', action: 'compare' }],
  ['showRun', { t: 'do', action: 'showRun' }],
  ['copy', { t: 'copy', text: 'x' }],
] as const)('when the editor refuses %s, the page says why', async (what, message) => {
  const refuse = () => Promise.reject(new Error('/w/a.mjs does not exist.'));
  const { session, last } = inspect({}, { [what]: refuse });
  await session.receive({ t: 'ready' });
  await session.receive(message);
  expect(last('problem')).toEqual({ t: 'problem', of: '2-0', problem: '/w/a.mjs does not exist.' });
});

test('for an event that was deleted nothing else is sent', async () => {
  const { session, posted } = inspect({ 'events.get': new Error('There is no event 2-0.') });
  await session.receive({ t: 'ready' });
  expect(posted).toEqual([{ t: 'problem', of: null, problem: 'There is no event 2-0.' }]);
});

test('newer events and deliveries of the event are sent, those of others are not', async () => {
  const { session, posted } = inspect();
  await session.receive({ t: 'ready' });
  posted.length = 0;
  const other = make.event({ metadata: { emit_id: 'e', name: '', emitter_id: 'dc_2' } });
  session.changed([{ type: 'event', event: other }] as never);
  session.changed([{ type: 'delivery', delivery: make.delivery({ event_id: '9-0' }) }] as never);
  session.changed([{ type: 'event', event: make.event({ id: '4-0' }) }] as never);
  session.changed([{ type: 'delivery', delivery: make.delivery({ event_id: '2-0' }) }] as never);
  await expect.poll(() => posted.map(({ t }) => t).sort()).toEqual(['deliveries', 'neighbours']);
});
