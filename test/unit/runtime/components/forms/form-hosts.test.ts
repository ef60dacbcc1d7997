import { expect, test } from 'vitest';
import type { Deployment } from '../../../../../src/runtime/components/deployments/deployment.ts';
import type { LoadedComponent } from '../../../../../src/runtime/components/load.ts';
import { FormHosts } from '../../../../../src/runtime/components/forms/form-hosts.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

/** Processes are real in test/runtime/actions-forms.test.ts; here it is who gets which. */
function pool(most = 2) {
  let started = 0;
  const killed: number[] = [];
  const clock = new FakeClock();
  const hosts = new FormHosts({
    most,
    idleMs: 60_000,
    clock,
    open: () => {
      started += 1;
      const pid = started;
      const host = {
        pid,
        alive: true,
        kill() {
          host.alive = false;
          killed.push(pid);
        },
      };
      return Promise.resolve({ host } as unknown as LoadedComponent);
    },
  });
  const signal = new AbortController().signal;
  const use = (hash: string, work = (_component: LoadedComponent) => Promise.resolve()) =>
    hosts.use({ hash } as Deployment, signal, async (component) => {
      await work(component);
      return component.host.pid;
    });
  return { hosts, use, killed, clock, count: () => started };
}
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

test('the next call of the same code has the same process, a call beside it has another one', async () => {
  const { use } = pool();
  const { open, opened } = gate();
  const first = use('a', () => opened);
  const second = await use('a');
  open();
  expect([await first, second, await use('a')]).toEqual([1, 2, 1]);
});

test('one process too many: who has waited longest for work is ended', async () => {
  const { use, killed } = pool();
  expect([await use('a'), await use('b'), await use('c')]).toEqual([1, 2, 3]);
  expect(killed).toEqual([1]);
  expect([await use('b'), await use('a')]).toEqual([2, 4]);
});

test('more calls than processes wait their turn, in order; one that fails makes room', async () => {
  const { use, count } = pool();
  const { open, opened } = gate();
  const order: string[] = [];
  const running = [use('a', () => opened), use('a', () => opened)];
  const waiting = ['x', 'y', 'z'].map((name) =>
    use('a', () => {
      order.push(name);
      return name === 'x' ? Promise.reject(new Error('no')) : Promise.resolve();
    }),
  );
  open();
  const ended = await Promise.allSettled([...running, ...waiting]);
  expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    false,
    true,
    true,
  ]);
  expect([order, count()]).toEqual([['x', 'y', 'z'], 2]);
});

test('a call that is given up while it waits takes no turn', async () => {
  const { hosts, use } = pool(1);
  const { open, opened } = gate();
  const running = use('a', () => opened);
  const gone = new AbortController();
  const given = hosts.use({ hash: 'a' } as Deployment, gone.signal, () => Promise.resolve());
  gone.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  const next = use('a');
  open();
  expect([await running, await next]).toEqual([1, 1]);
});

test('a process that died is not kept; an idle one ends after a while, and at the end', async () => {
  const { hosts, use, killed, clock } = pool();
  await use('a', ({ host }) => {
    host.kill('it ran into something');
    return Promise.resolve();
  });
  expect(clock.waits).toEqual([]);
  await use('b');
  clock.ring();
  expect(killed).toEqual([1, 2]);
  await use('c');
  hosts.close();
  expect([killed, clock.waits]).toEqual([[1, 2, 3], []]);
});
