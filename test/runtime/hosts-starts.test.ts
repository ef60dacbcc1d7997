/** Starts of component processes: a few at a time, whatever the code of some of them does. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHosts } from '../../src/runtime/processes/hosts.ts';
import { until } from '../support/until.ts';
import { component, emitted, event, hostEntry, limits, perform, start } from './hosts-helper.ts';

const entry = await hostEntry();

async function pool(mostStarting: number) {
  const forked = new Set<number>();
  const hosts = createHosts({
    entry,
    execPath: process.execPath,
    env: process.env,
    mostStarting,
    onFork: ({ pid }) => {
      forked.add(pid);
      most.running = Math.max(most.running, hosts.starts.running);
    },
  });
  const most = { running: 0 };
  return { hosts, forked, most };
}

test('P22.8 as many start at a time as may; all of them run in the end', async () => {
  const { hosts, most } = await pool(2);
  const all = Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const { host } = await start(hosts, `export default { run() { this.$emit(${n}); } }`);
      return emitted(await perform(host, event()));
    }),
  );
  expect(hosts.starts.waiting + hosts.starts.running).toBe(10);
  expect(await all).toEqual(Array.from({ length: 10 }, (_, n) => [n]));
  expect(most.running).toBe(2);
  expect(hosts.starts).toEqual({ waiting: 0, running: 0 });
  await hosts.close();
});

test('P22.8 code that loops or waits while it is evaluated holds up the others for two seconds at most', async () => {
  const { hosts } = await pool(2);
  const stuck = ['for (;;);', 'await new Promise(() => {});'].map((code) =>
    hosts
      .start({ bundle: component(`${code}\nexport default {};`), sourceId: null, limits })
      .catch((error: unknown) => error),
  );
  const { host } = await start(hosts, 'export default { run() { this.$emit(1); } }');
  expect(emitted(await perform(host, event()))).toEqual([1]);
  await hosts.close();
  await Promise.all(stuck);
});

test('P22.8 a start that is cancelled while it waits forks no process', async () => {
  const { hosts, forked } = await pool(1);
  const first = start(hosts, 'export default { run() {} }');
  const control = new AbortController();
  const second = start(hosts, 'export default { run() {} }', {}, { signal: control.signal });
  control.abort();
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
  await first;
  // The first one, and the spare.
  await until('the spare process', async () => forked.size === 2);
  await pause(0);
  expect(forked.size).toBe(2);
  await hosts.close();
});

test('what waits for its turn when the runtime ends is refused', async () => {
  const { hosts } = await pool(1);
  const all = Array.from({ length: 5 }, () => start(hosts, 'export default { run() {} }'));
  const refused = Promise.allSettled(all);
  await hosts.close();
  const codes = (await refused).map((one) => one.status);
  expect(codes).toContain('rejected');
  expect(hosts.starts).toEqual({ waiting: 0, running: 0 });
});
