import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createHosts } from '../../src/runtime/processes/hosts.ts';
import { createHostList, type HostRecord } from '../../src/runtime/processes/leftovers.ts';
import { isAlive } from '../support/is-alive.mts';
import { until } from '../support/until.ts';
import { component, event, folder, hostEntry, limits, perform, start } from './hosts-helper.ts';

/** No host outlives its runtime, and no stranger is killed for one. */
const entry = await hostEntry();

/** A runtime of its own that starts one host, gives it work, and prints its pid. */
async function runtimeWith(code: string): Promise<{ runtime: number; host: number }> {
  const script = `
    import { createHosts } from ${JSON.stringify(join(process.cwd(), 'src/runtime/processes/hosts.ts'))};
    const hosts = createHosts({ entry: ${JSON.stringify(entry)}, execPath: process.execPath, env: process.env });
    const host = await hosts.start({ bundle: ${JSON.stringify(component(code))}, sourceId: null, limits: ${JSON.stringify(limits)} });
    host.configure({ props: {}, accounts: {}, endpoints: {}, db: {} });
    host.work(1, { call: 'run', trigger: { kind: 'event', json: '{}' } }, {
      progress() { console.log(host.pid); }, respond() {}, done() {}, lost() {},
    });`;
  const { child, line } = await runScript(script);
  return { runtime: child.pid ?? 0, host: Number(line) };
}

/** Runs TypeScript in a process of its own. Resolves with the first line that it prints. */
async function runScript(script: string) {
  const source = join(folder, 'parent.ts');
  const outfile = join(folder, 'parent.mjs');
  writeFileSync(source, script);
  await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node' });
  const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, line };
}

test.for([
  ['spins', 'for (;;);'],
  ['waits', 'await new Promise(() => {});'],
])('P22.9 a host that %s ends when its runtime is killed', async ([, code]) => {
  const { runtime, host } = await runtimeWith(
    `export default { async run() { this.$emit(1); await new Promise((r) => setTimeout(r, 20)); ${code} } }`,
  );
  expect(isAlive(host)).toBe(true);
  process.kill(runtime, 'SIGKILL');
  await until('the end of the component', () => !isAlive(host));
});

/** Of a runtime: its guard is the child that runs code of its command line. */
function guardOf(runtime: number): number | undefined {
  const lines = execFileSync('ps', ['-ww', '-axo', 'pid=,ppid=,command='], { encoding: 'utf8' });
  for (const line of lines.split('\n')) {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (Number(parent) === runtime && command.includes(' -e ')) return Number(pid);
  }
  return undefined;
}

const spinning = `export default { async run() { process.title = 'renamed'; this.$emit(1); await new Promise((r) => setTimeout(r, 20)); for (;;); } }`;

test('P22.9 the guard ends with its runtime, and one that was killed is replaced', async () => {
  const { runtime, host } = await runtimeWith(spinning);
  const first = await until('the guard', () => guardOf(runtime));
  // One that ends sooner than a second after its start is not started again at once.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  process.kill(first, 'SIGKILL');
  const second = await until('another guard', () => {
    const found = guardOf(runtime);
    return found !== first && found;
  });
  expect(isAlive(host)).toBe(true);
  process.kill(runtime, 'SIGKILL');
  await until('the end of the component', () => !isAlive(host));
  await until('the end of the guard', () => !isAlive(second));
});

test('a guard that nobody told of a process, or of another one with its pid, leaves it alone', async () => {
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const parent = `
    import { Guard } from ${JSON.stringify(join(process.cwd(), 'src/runtime/processes/guard.ts'))};
    const guard = new Guard({ execPath: process.execPath, environment: {} });
    guard.add({ pid: ${stranger.pid}, startedAt: '1' });
    setInterval(() => guard.pid !== undefined && console.log(guard.pid), 20);`;
  const { child, line } = await runScript(parent);
  const guard = Number(line);
  child.kill('SIGKILL');
  await until('the end of the guard', () => !isAlive(guard));
  expect(isAlive(stranger.pid!)).toBe(true);
  stranger.kill('SIGKILL');
});

test.runIf(process.platform === 'linux')(
  'P22.9 a component is ended before its runtime when memory runs out',
  async () => {
    const { runtime, host } = await runtimeWith(spinning);
    const score = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));
    await until('its score', () => score(host) !== score(runtime));
    expect(score(host)).toBeGreaterThan(score(runtime));
    process.kill(runtime, 'SIGKILL');
    await until('the end of the component', () => !isAlive(host));
  },
);

test('processes are remembered while they live, the spare one too', async () => {
  const live = new Map<number, HostRecord>();
  const hosts = createHosts({
    entry,
    execPath: process.execPath,
    env: process.env,
    onFork: (record) => live.set(record.pid, record),
    onExit: (record) => live.delete(record.pid),
  });
  const { host } = await start(hosts, 'export default { run() {} }');
  expect(live.size).toBe(2);
  expect(live.get(host.pid)?.token).toMatch(/^[0-9a-f-]{36}$/);
  await hosts.close();
  expect(live.size).toBe(0);
});

test('leftovers are ended when file and system agree on who they are', async () => {
  const data = mkdtempSync(join(folder, 'data-'));
  const path = join(data, 'hosts.json');
  const list = createHostList(path);
  const hosts = createHosts({
    entry,
    execPath: process.execPath,
    env: process.env,
    onFork: (record) => list.add(record),
  });
  const { host } = await start(hosts, 'export default { run() { return new Promise(() => {}); } }');
  const lost = perform(host, event());
  const written = readFileSync(path, 'utf8');
  // Each time as a runtime that starts after a crash finds it.
  const ended = (text: string, file = path) => {
    writeFileSync(file, text);
    return createHostList(file).endLeftovers();
  };
  const changed = (change: (record: Written) => Written): string => {
    const content = JSON.parse(written) as { folder: string; hosts: Written[] };
    return JSON.stringify({ ...content, hosts: content.hosts.map(change) });
  };
  expect(await ended(changed((record) => ({ ...record, pid: process.pid })))).toEqual([]);
  expect(await ended(changed((record) => ({ ...record, pid: 2 ** 22 + 1 })))).toEqual([]);
  expect(await ended(changed((record) => ({ ...record, token: 'other' })))).toEqual([]);
  expect(await ended(changed((record) => ({ ...record, startedAt: '1' })))).toEqual([]);
  for (const damaged of ['', '[]', 'null', '{"folder":1}', written.slice(0, -1)]) {
    expect(await ended(damaged)).toEqual([]);
  }
  const copy = mkdtempSync(join(folder, 'copy-'));
  expect(await ended(written, join(copy, 'hosts.json'))).toEqual([]);
  expect(isAlive(host.pid)).toBe(true);

  expect(await ended(written)).toContain(host.pid);
  expect((await lost).loss).toMatchObject({ cause: 'signal' });
  await hosts.close();
});

test('a list whose folder is gone, or another one, is not written and ends nothing', () => {
  const data = mkdtempSync(join(folder, 'data-'));
  const path = join(data, 'hosts.json');
  const list = createHostList(path);
  list.add({ pid: process.pid, token: 'a' });
  // As the lock does: the number of a folder that is open goes to no other one.
  const descriptor = openSync(data, 'r');
  rmSync(data, { recursive: true });
  list.remove({ pid: process.pid, token: 'a' });
  expect(existsSync(data)).toBe(false);
  const other = mkdtempSync(join(folder, 'other-'));
  renameSync(other, data);
  list.add({ pid: process.pid, token: 'b' });
  expect(existsSync(path)).toBe(false);
  closeSync(descriptor);
});

interface Written {
  readonly pid: number;
  readonly token: string;
  readonly startedAt: string | null;
}
