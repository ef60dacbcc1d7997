import { expect, test } from 'vitest';
import { createHosts } from '../../src/runtime/processes/hosts.ts';
import { emitted, event, hostEntry, hostsFor, limits, perform, start } from './hosts-helper.ts';

const hosts = await hostsFor();

test('the spare process is the one that is used, and is replaced', async () => {
  const forked: number[] = [];
  const gone: number[] = [];
  const pool = createHosts({
    entry: await hostEntry(),
    execPath: process.execPath,
    env: process.env,
    onFork: ({ pid }) => forked.push(pid),
    onExit: ({ pid }) => gone.push(pid),
  });
  pool.warm();
  pool.warm();
  expect(forked).toHaveLength(1);
  const { host } = await start(pool, 'export default { run() {} }');
  expect(host.pid).toBe(forked[0]);
  expect(forked).toHaveLength(2);
  const big = await start(
    pool,
    'export default { run() {} }',
    {},
    { limits: { ...limits, memoryMb: 128 } },
  );
  expect(big.host.pid).toBe(forked[2]);
  const spare = forked[1];
  if (spare === undefined) throw new Error('no spare process');
  process.kill(spare, 'SIGKILL');
  await expect.poll(() => gone).toEqual([forked[1]]);
  const fresh = await start(pool, 'export default { run() {} }');
  expect(fresh.host.pid).toBe(forked[3]);
  expect(pool.list()).toHaveLength(3);
  await pool.close();
  expect(pool.list()).toHaveLength(0);
  expect(gone).toHaveLength(forked.length);
  await expect(start(pool, 'export default { run() {} }')).rejects.toMatchObject({
    code: 'runtime_unavailable',
  });
});

test('work and its ends travel in batches, whatever their order', async () => {
  const { host } = await start(
    hosts,
    `export default { async run({ i }) { if (i % 3 === 0) await null; if (i % 7 === 0) await new Promise((r) => setImmediate(r)); this.$emit(i); this.$emit(-i); } }`,
  );
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, (_, i) => perform(host, event({ i }))),
  );
  outcomes.forEach((outcome, i) => {
    expect(emitted(outcome)).toEqual([i, i === 0 ? 0 : -i]);
    expect(outcome.messages).toBe(1);
  });
  expect(host.inFlight).toBe(0);
});

test('what a run produces arrives at the end of each turn, not at the end of the run', async () => {
  const { host } = await start(
    hosts,
    `export default { async run() { for (let i = 0; i < 3; i++) { this.$emit(i); console.log(i); await new Promise((r) => setTimeout(r, 10)); } } }`,
  );
  const outcome = await perform(host, event());
  expect(emitted(outcome)).toEqual([0, 1, 2]);
  expect(outcome.messages).toBe(4);
});

test('within a turn nothing is held back beyond 64 KB', async () => {
  const { host } = await start(
    hosts,
    `export default { run() { for (let i = 0; i < 10; i++) this.$emit('x'.repeat(40_000)); } }`,
  );
  const outcome = await perform(host, event());
  expect(outcome.emits).toHaveLength(10);
  expect(outcome.messages).toBe(6);
});

test('a new configuration holds for what comes after it', async () => {
  const { host } = await start(
    hosts,
    `export default { props: { x: 'string', db: '$.service.db' }, async run() { const { x } = this; this.db.set('x', x); await new Promise((r) => setTimeout(r, 20)); this.$emit([x, this.x, this.db.get('x')]); } }`,
    { props: { x: 'old' } },
  );
  const before = perform(host, event());
  host.configure({
    props: { x: 'new' },
    accounts: {},
    endpoints: {},
    db: { db: { x: '"stored"' } },
  });
  const after = perform(host, event());
  expect(emitted(await before)).toEqual([['old', 'old', 'old']]);
  expect(emitted(await after)).toEqual([['new', 'new', 'new']]);
});

test('a program that cannot be started is our error, not the component’s', async () => {
  const pool = createHosts({ entry: await hostEntry(), execPath: '/nowhere/node', env: {} });
  await expect(start(pool, 'export default { run() {} }')).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('/nowhere/node ENOENT') as string,
  });
  await pool.close();
});
