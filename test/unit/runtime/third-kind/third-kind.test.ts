import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/runtime/base/clock.ts';
import { secureRandom } from '../../../../src/runtime/base/ids.ts';
import { createDeliveries } from '../../../../src/runtime/events/delivery/deliveries.ts';
import { createEmitIds } from '../../../../src/runtime/events/emit/emit-ids.ts';
import { Listeners } from '../../../../src/runtime/events/emit/listeners.ts';
import { EventPlanner } from '../../../../src/runtime/events/emit/planner.ts';
import { EmitterKinds } from '../../../../src/runtime/events/emitter-kind.ts';
import { Inbox } from '../../../../src/runtime/events/inbox.ts';
import { OwnedEmitters } from '../../../../src/runtime/events/owner/owned-emitters.ts';
import { Signals } from '../../../../src/runtime/events/signals.ts';
import type { TakenEmitter } from '../../../../src/runtime/store/ownership.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { open } from '../../../support/open-store.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { webhook } from '../../../support/records.ts';
import { until } from '../../../support/until.ts';
import { mailboxKind } from './mailbox-kind.ts';
import { neverHeld } from '../../../../src/runtime/events/work-hold.ts';

/** The parts between a trigger and a webhook, over a store that has two rows of the third kind. */
async function world(file: string) {
  const store = await open(file);
  onTestFinished(() => store.close().catch(() => undefined));
  const emitters = new OwnedEmitters();
  const kinds = new EmitterKinds();
  const inbox = new Inbox({ store, emitters, kinds, clock: systemClock });
  const listeners = new Listeners({
    subscriptions: () => store.subscriptions.all(),
    listens: (id) => kinds.find(id)?.listens(id) ?? store.webhooks.get(id)?.active === true,
  });
  const planner = new EventPlanner({
    strategy: () => null,
    mostWaiting: { count: 1000, bytes: 1e6 },
    emitId: createEmitIds(secureRandom),
    listeners,
  });
  const deliveries = createDeliveries({
    store,
    fenceOf: (id) => emitters.get(id)?.fence,
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
  onTestFinished(() => deliveries.close());
  kinds.add(mailboxKind({ store, planner, deliveries, inbox }));
  const left: TakenEmitter[] = [];
  await store.ownership.takeAll((taken) => {
    emitters.add(taken);
    left.push(taken);
    deliveries.take(taken.openDeliveries);
  });
  deliveries.start();
  return { store, emitters, kinds, inbox, left };
}

/** A row of the table of emitters, as the configuration of the kind would write it. */
async function withRows(ids: readonly string[]): Promise<string> {
  const file = join(temporaryFolder(), 'weir.db');
  await (await open(file)).close();
  const database = new DatabaseSync(file);
  for (const id of ids) database.prepare('INSERT INTO emitters (id) VALUES (?)').run(id);
  database.close();
  return file;
}

test('what comes in for a third kind of emitter is delivered, to webhooks and to others of its kind', async () => {
  const receiver = await startReceiver();
  const { store, kinds, inbox } = await world(await withRows(['mb_1', 'mb_2']));
  await store.webhooks.insert(webhook('wh_1', { url: receiver.url }));
  const channel = '';
  await store.subscriptions.ensure({ id: 'sub_1', emitterId: 'mb_2', listenerId: 'wh_1', channel });
  await store.subscriptions.ensure({ id: 'sub_2', emitterId: 'mb_1', listenerId: 'mb_2', channel });

  const endpoint = kinds.endpoint('hi_mailbox');
  const trigger = { kind: 'event', json: '{"from":"Ada"}' } as const;
  await inbox.accept(endpoint?.emitterId ?? '', { cause: 'http', trigger }).durable;

  const received = await until('the delivery', () => receiver.received[0]);
  expect(JSON.parse(received.body)).toEqual({ from: 'Ada' });
});

test('what a crash left in the inbox of a third kind runs at the next start', async () => {
  const file = await withRows(['mb_1']);
  const { store, emitters } = await world(file);
  const { id: emitterId, fence } = emitters.require('mb_1');
  const trigger = { kind: 'event', json: '1' } as const;
  await store.accept({ emitterId, fence, cause: 'http', trigger, at: 1 }).durable;
  await store.close();

  const again = await world(file);
  again.inbox.recover(
    again.left.map((taken) => ({ ...taken, emitter: again.emitters.require(taken.id) })),
  );
  const event = await until('the event', async () => {
    const { rows } = await again.store.events.list(emitterId, { limit: 10 });
    return rows[0];
  });
  expect(event.payload).toBe('1');
});

test('an id of no kind belongs to no emitter', () => {
  expect(() => new EmitterKinds().of('xy_1')).toThrow('There is no source xy_1.');
});
