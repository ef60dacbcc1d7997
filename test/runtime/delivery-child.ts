/**
 * A process that delivers until it is killed: `delivery-child.js STORE URL COUNT`. At its first start
 * it emits COUNT events, numbered; it prints "ready" when all are on disk.
 */
import { createDeliveries } from '../../src/runtime/delivery/deliveries.ts';
import { Signals } from '../../src/runtime/signals.ts';
import { addSource, addWebhook, emit, openTestStore } from './delivery-world.ts';

const [, , file = '', url = '', count = ''] = process.argv;

async function main(): Promise<void> {
  const store = await openTestStore(file, Date.now);
  if (store.webhooks.get('wh_1') === undefined) {
    await addSource(store);
    await addWebhook(store, 'wh_1', url);
    await emit(
      store,
      ['wh_1'],
      Array.from({ length: Number(count) }, (_, i) => String(i)),
    );
  }
  const deliveries = createDeliveries({
    store,
    signals: new Signals(),
    now: Date.now,
    random: Math.random,
    openSecret: (sealed) => sealed,
    concurrency: 1,
    report: (_where, error) => {
      throw error;
    },
  });
  deliveries.start();
  console.log('ready');
  setInterval(() => {
    if (store.deliveries.open().length === 0) console.log('done');
  }, 20);
}

void main();
