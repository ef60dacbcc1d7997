import * as make from '../../unit/extension/make.ts';
import {
  attempt,
  at,
  deliveries,
  loadInspector,
  order,
  run,
  showEvent,
  showOrder,
  type ShownInspector,
} from '../support/inspector.ts';

/** Every state the inspector can be in, by what is to be seen. */
export const inspectorStates = {
  'everything about an event': showOrder,

  async 'everything unfolded'() {
    const shown = await showOrder();
    await unfold(shown);
    return shown;
  },

  async 'the body as it was received'() {
    const shown = await showOrder();
    await shown.page.getByRole('button', { name: 'As received' }).click();
    await shown.page.getByText('{"id":42').waitFor();
    return shown;
  },

  async 'an event that is being read'() {
    const shown = await loadInspector();
    await shown.page.getByText('Loading the event…').waitFor();
    return shown;
  },

  async 'an event that was deleted'() {
    const shown = await loadInspector();
    await shown.say({ t: 'problem', of: null, problem: 'dc_0000001 has no event 1-0.' });
    await shown.page.getByText('has no event').waitFor();
    return shown;
  },

  async 'a runtime that has ended'() {
    const shown = await showOrder();
    const problem = 'The connection to the runtime ended. The runtime is gone.';
    await shown.say({ t: 'problem', of: order.id, problem });
    await shown.page.getByRole('alert').getByText(problem).waitFor();
    return shown;
  },

  async 'a dropped event'() {
    const shown = await showEvent(make.event({ dropped: 'unique: id 1 was emitted before' }));
    await shown.page.getByText('Not emitted:').waitFor();
    return shown;
  },

  async 'a run that failed after it emitted'() {
    const shown = await showEvent(order);
    await shown.say({ t: 'run', of: order.id, run: failedRun });
    await shown.page.getByText('100 more in the run.').waitFor();
    return shown;
  },

  async 'a tick of a timer'() {
    const shown = await showEvent(order);
    const trigger = {
      kind: 'timer' as const,
      prop: 'timer',
      timestamp: Math.floor(at / 1000),
      interval_seconds: null,
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
    };
    await shown.say({ t: 'run', of: order.id, run: { ...run, cause: 'timer', trigger } });
    await shown.page.getByText('a tick of its timer').waitFor();
    return shown;
  },

  async 'a replay of a run by hand'() {
    const shown = await showEvent(order);
    const trigger = { kind: 'event' as const, event: { hello: { who: 'world' } } };
    const replay = { ...run, cause: 'replay' as const, replay_of: 'inv_0', attempt: 2, trigger };
    await shown.say({ t: 'run', of: order.id, run: { ...replay, logs: [] } });
    await shown.page.getByText('run by hand').waitFor();
    return shown;
  },

  async 'a hook, and no webhook'() {
    const shown = await showEvent(order);
    const hook = { ...run, cause: 'hook' as const, hook: 'deploy' as const, trigger: null };
    await shown.say({ t: 'run', of: order.id, run: hook });
    await shown.say({ t: 'deliveries', of: order.id, deliveries: [] });
    await shown.page.getByText('no webhook was subscribed').waitFor();
    return shown;
  },

  async 'deliveries of every outcome'() {
    const shown = await showEvent(order);
    await shown.say({ t: 'deliveries', of: order.id, deliveries: everyOutcome });
    await shown.page.getByText('1 of 5 delivered').waitFor();
    await unfold(shown);
    return shown;
  },

  async 'a text, and nothing in the last day'() {
    const shown = await showEvent(make.event({ event: 'A text.\n'.repeat(100) }));
    const none = Array.from({ length: 48 }, () => 0);
    const activity = { from: at, bucket_ms: 1_800_000, emitted: none, failed: none };
    await shown.say({ t: 'activity', of: '1-0', activity });
    await shown.page.getByText('0 events, no failed run').first().waitFor();
    await shown.page.getByRole('treeitem').click();
    return shown;
  },

  async 'five megabytes'() {
    const shown = await showEvent(make.event({ event: fiveMegabytes() }));
    await shown.page.getByRole('treeitem', { name: 'rows' }).click();
    await shown.page.getByText('39900 more…').waitFor();
    return shown;
  },
} satisfies Readonly<Record<string, () => Promise<ShownInspector>>>;

/** Rows, wide and deep, and one long text. */
export function fiveMegabytes() {
  const rows = Array.from({ length: 40_000 }, (_, n) => ({
    id: n,
    name: `Customer number ${n}`,
    note: 'x'.repeat(60),
  }));
  return { rows, text: 'y'.repeat(1_000_000) };
}

const stack = `TypeError: Cannot read properties of undefined (reading 'id')
    at Object.run (/w/components/orders.mjs:12:24)
    at async handle (node:internal/x:1:1)
    at total (/w/components/common/a very long folder name/that goes on and on/prices.ts:3:9)`;

const failedRun = {
  ...run,
  status: 'failed' as const,
  error: { name: 'TypeError', message: stack.split('\n')[0] ?? '', stack },
  stackLinks: [...stack.matchAll(/\/w.*?:\d+:\d+/g)].map(({ 0: place, index }) => ({
    start: index,
    end: index + place.length,
  })),
  logs: Array.from({ length: 300 }, (_, n) => ({
    id: n,
    ts: at + n,
    source_id: 'dc_0000001',
    invocation_id: 'inv_1',
    kind: 'console' as const,
    level: (['debug', 'info', 'warn', 'error'] as const)[n % 4] ?? 'info',
    text: `line ${n}`,
  })),
};

const everyOutcome = [
  ...deliveries,
  { ...make.delivery({ id: 'del_4', status: 'pending' }), webhook: 'Mail', attempts: [] },
  {
    ...make.delivery({ id: 'del_5', status: 'cancelled' }),
    webhook: 'Archive',
    attempts: [attempt(null)],
  },
];

async function unfold({ page }: ShownInspector): Promise<void> {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
}
