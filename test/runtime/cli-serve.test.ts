/** `weir serve`: one line when ready, a clean stop, the same port again, one runtime per folder. */
import { once } from 'node:events';
import { access, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gather, runCli, spawnCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { expectErrors } from '../support/runtime-log.ts';

test('prints one line, shows its address to its owner only, and ends with 0', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  expect(runtime.output()).toMatch(/^Weir \S+ serves .* at http:\/\/127\.0\.0\.1:\d+ .*\n$/);
  const file = join(folder, 'data', 'runtime.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(runtime.output()).not.toContain(runtime.apiKey);
  expect(await runtime.stop()).toBe(0);
  await expect(access(file)).rejects.toThrow(/ENOENT/);
  const again = await startRuntime({ folder });
  expect(again.url).toBe(runtime.url);
});

test('a second one for the same folder is refused', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const run = await runtime.weir('serve');
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(String(runtime.pid));
});

test('it starts at once after a command that brought a runtime of its own', async () => {
  const folder = temporaryFolder();
  const [data, from] = [join(folder, 'data'), join(folder, 'from', 'empty-p_AbC123')];
  await mkdir(from, { recursive: true });
  await writeFile(join(from, 'workflow.yaml'), 'schema: workflow/2022.04\nname: Empty\n');
  const options = { configFolder: join(folder, 'config') };
  const run = await runCli(['import', from, '--yes', '--data', data], options);
  expect(run).toMatchObject({ code: 0 });
  // Refused while the folder is in use.
  const runtime = await startRuntime({ folder });
  // One that runs already is used, and goes on.
  expect(await runCli(['import', from, '--yes', '--data', data], options)).toMatchObject({
    code: 0,
  });
  expect((await runtime.weir('list')).code).toBe(0);
});

test('after kill -9 the port is the same, and doctor tells what was left', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  await runtime.kill();
  expect((await runtime.weir('doctor')).stdout).toMatch(/warning +runtime: .*does not answer/);
  const list = await runtime.weir('list');
  expect(list).toMatchObject({ code: 1, stdout: '' });
  expect(list.stderr).toMatch(/weir serve/);
  expect((await startRuntime({ folder })).url).toBe(runtime.url);
});

test('one that hangs is there: nothing says that it ended, takes its store for its own, or starts another one', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  process.kill(runtime.pid, 'SIGSTOP');
  const hangs = `(pid ${runtime.pid}) does not answer`;
  for (const command of [['list'], ['keys', 'list'], ['dev', 'missing.mjs']]) {
    const run = await runtime.weir(...command);
    expect([command, run.code, run.stderr]).toEqual([command, 1, expect.stringContaining(hangs)]);
    expect(run.stderr).not.toContain('No runtime is running');
  }
  const doctor = await runtime.weir('doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/bad +runtime: .* does not answer/);
  expect(doctor.stdout).toMatch(/ok +store: .*, in use\./);
  expect(doctor.stdout).toMatch(/ok +port: \d+, in use by it\./);
  expect(doctor.stdout).not.toContain('cut off');
  const salvaged = join(folder, 'salvaged.db');
  expect((await runtime.weir('doctor', '--salvage', salvaged)).stderr).toContain('stop it first');

  process.kill(runtime.pid, 'SIGCONT');
  expect((await runtime.weir('list')).code).toBe(0);
});

test('an asked port that is taken: exit 1, and the port is named once', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  expectErrors(data, /could not start: Port/);
  const args = ['serve', '--data', data, '--port', String(port)];
  const run = await runCli(args, { configFolder: join(folder, 'config') });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  // Once, and not as a line of the log as well.
  expect(run.stderr).toMatch(new RegExp(`^weir: Port ${port} .*\\n$`));
});

test.each([
  [
    'an address that is not loopback, without a key',
    ['--host', '0.0.0.0'],
    2,
    /0\.0\.0\.0.*weir keys add/,
  ],
  ['not a port', ['--port', 'http'], 2, /port/i],
  ['not a redirect', ['--redirect', 'nonsense'], 2, /HOST=URL/],
  ['not a setting', ['--set', 'nonsense'], 2, /nonsense/],
])('%s', async (_name, flags, code, message) => {
  const folder = temporaryFolder();
  const args = ['serve', '--data', join(folder, 'data'), ...flags];
  const run = await runCli(args, { configFolder: join(folder, 'config') });
  // What is wrong in itself is found before there is a log; whether an address can be had, later.
  if (flags.includes('--host')) expectErrors(join(folder, 'data'), /could not start/);
  expect(run.code).toBe(code);
  expect(run.stderr).toMatch(message);
  expect(run.stderr.trim().split('\n')).toHaveLength(1);
});

test('--json prints one object without the key', async () => {
  const folder = temporaryFolder();
  const child = spawnCli(['serve', '--data', join(folder, 'data'), '--json'], {
    configFolder: join(folder, 'config'),
  });
  const exited = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = gather(child.stdout);
  await once(child.stdout!, 'data');
  const line = JSON.parse(printed()) as { url: string; pid: number };
  expect(line.pid).toBe(child.pid);
  const { apiKey } = JSON.parse(await readFile(join(folder, 'data', 'runtime.json'), 'utf8')) as {
    apiKey: string;
  };
  expect(printed()).not.toContain(apiKey);
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});

test('a broken store is told by doctor and by serve, and not touched', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  await runtime.stop();
  const store = join(folder, 'data', 'weir.db');
  await writeFile(store, 'this is no database');
  const doctor = await runtime.weir('doctor');
  expect(doctor).toMatchObject({ code: 1 });
  expect(doctor.stdout).toMatch(/bad +store: .*weir\.db/);
  runtime.expectErrors(/could not start: .*is not a SQLite database/);
  expect(await runtime.weir('serve')).toMatchObject({ code: 1 });
  expect(await readFile(store, 'utf8')).toBe('this is no database');
});
