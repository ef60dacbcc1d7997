/**
 * A process that dies between a commit and its fan-out: `listener-child.js STORE`. `dc_1` emits, `dc_2`
 * listens; as soon as the commit is on disk, and before anybody is told of it, the process kills itself.
 */
import { systemClock } from '../../src/runtime/base/clock.ts';
import { OwnedEmitters } from '../../src/runtime/events/owner/owned-emitters.ts';
import type { Host } from '../../src/runtime/processes/host.ts';
import { IdleProcesses } from '../../src/runtime/processes/idle-processes.ts';
import { Runner } from '../../src/runtime/events/runs/runner.ts';
import { Signals } from '../../src/runtime/events/signals.ts';
import { invocationsOf } from '../support/invocations.ts';
import { open } from '../support/open-store.ts';
import { source, webhook } from '../support/records.ts';

const [, , file = ''] = process.argv;

/** A process of a component that emits one event in each run, and ends at once. */
const emitting: Pick<Host, 'alive' | 'configure' | 'work'> = {
  alive: true,
  configure: () => undefined,
  work: (_n, _work, observer) =>
    observer.done({ emits: [{ event: '{"made":1}', at: 1 }], db: [], logs: [] }),
};

async function main(): Promise<void> {
  const store = await open(file);
  for (const id of ['dc_1', 'dc_2']) await store.sources.insert(source(id));
  await store.webhooks.insert(webhook('wh_1'));
  const emitters = new OwnedEmitters();
  await store.ownership.takeAll((taken) => void emitters.add(taken));
  const signals = new Signals();
  // Prepended: before whatever else is told of a commit.
  signals.prependListener('committed', () => process.kill(process.pid, 'SIGKILL'));
  const runner = new Runner({
    openHost: async () => emitting as Host,
    configuration: () => ({ props: {}, accounts: {}, endpoints: {}, db: {} }),
    httpConcurrency: 1,
    idleMs: 60_000,
    idleProcesses: new IdleProcesses({ clock: systemClock }),
    emitterId: 'dc_1',
    clock: systemClock,
  });
  const { inbox } = invocationsOf({
    store,
    signals,
    emitters,
    listenersOf: (id, channel) =>
      id === 'dc_1' && channel === ''
        ? { webhooks: ['wh_1'], triggers: ['dc_2'] }
        : { webhooks: [], triggers: [] },
    log: (_level, line) => console.log(line),
    runnerOf: () => runner,
  });
  inbox.accept('dc_1', { cause: 'manual', trigger: { kind: 'event', json: '{}' } });
}

void main();
