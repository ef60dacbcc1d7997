/**
 * A process that delivers until it is killed: `delivery-child.js STORE URL COUNT`. At its first start
 * it emits COUNT events, numbered; it prints "ready" when all are on disk.
 */
import { systemClock } from '../../src/runtime/base/clock.ts';
import { createDeliveries } from '../../src/runtime/events/delivery/deliveries.ts';
import { Signals } from '../../src/runtime/events/signals.ts';
import { open } from '../support/open-store.ts';
import { event, run, source, webhook } from '../support/records.ts';
import { neverHeld } from '../../src/runtime/events/work-hold.ts';

const [, , file = '', url = '', count = ''] = process.argv;

async function main(): Promise<void> {
  const store = await open(file);
  if (store.webhooks.get('wh_1') === undefined) {
    await store.sources.insert(source('dc_1'));
    await store.webhooks.insert(webhook('wh_1', { url }));
    const now = Date.now();
    const numbered = (_: unknown, i: number) =>
      event(`${now}-${i}`, { payload: String(i), webhooks: ['wh_1'] });
    await run(store, { events: Array.from({ length: Number(count) }, numbered), endedAt: now });
  }
  const { fence } = await store.ownership.take('dc_1');
  const deliveries = createDeliveries({
    store,
    fenceOf: () => fence,
    signals: new Signals(),
    clock: systemClock,
    hold: neverHeld,
    random: Math.random,
    openSecret: (sealed) => sealed,
    concurrency: 1,
    report: (_where, error) => {
      throw error;
    },
  });
  const stillOpen = async () => (await store.ownership.take('dc_1')).openDeliveries;
  deliveries.take(await stillOpen());
  deliveries.start();
  console.log('ready');
  setInterval(() => {
    void stillOpen().then((left) => left.length === 0 && console.log('done'));
  }, 20);
}

void main();
