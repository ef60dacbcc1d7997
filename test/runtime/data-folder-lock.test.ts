/** One data folder, one runtime: whoever the second one is, and by whatever way it comes. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RuntimeInfo, Source } from '../../src/protocol/catalogue.ts';
import type { RuntimeFile } from '../../src/protocol/rpc.ts';
import { gather, runCli } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';
import { watchLog } from '../support/runtime-log.ts';

const cli = join(resolve(process.env['WEIR_DIST'] ?? 'dist'), 'cli.js');

/** What the machine does not permit is reported as not run. */
const permits = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;

/** Of `nobody`, on every Linux and macOS that has one. */
const otherUser = 65_534;
const canBeOther =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [cli, '--version'], { uid: otherUser }).status === 0;

interface Serving {
  readonly process: ChildProcess;
  /** All it has printed, once it serves or has ended. */
  readonly output: string;
  /** Null while it serves. */
  readonly code: number | null;
}

interface How {
  /** Runs before the command and is given it: `unshare -n`. */
  readonly through?: readonly string[];
  readonly uid?: number;
}

/** Starts `weir serve` and waits until it serves or has ended. */
async function serve(
  folder: string,
  data: string,
  { through = [], uid }: How = {},
): Promise<Serving> {
  const command = [process.execPath, cli, 'serve', '--data', data];
  const [program, ...args] = [...through, ...command] as [string, ...string[]];
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config'), WEIR_KEY: undefined };
  watchLog(data);
  const child = spawn(program, args, {
    env,
    stdio: 'pipe',
    ...(uid !== undefined && { uid, gid: uid }),
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  });
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  return { process: child, output: stdout() + stderr(), code: child.exitCode };
}

/** A runtime with a source whose process lives. */
async function withSource(runtime: TestRuntime, folder: string): Promise<Deployed> {
  const code = `export default { name: 'Kept', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body) } }`;
  const path = await sourceFile(folder, 'kept.mjs', code);
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const send = async () => {
    const { status } = await fetch(source.endpoint_url!, { method: 'POST', body: 'x' });
    return status;
  };
  expect(await send()).toBe(200);
  const connection = await runtime.connect();
  const pids = async () => {
    const info: RuntimeInfo = await connection.call('runtime.info', {});
    return info.hosts.filter(({ source_id }) => source_id === source.id).map(({ pid }) => pid);
  };
  const processes = await until('its process', async () => {
    const all = await pids();
    return all.length > 0 && all;
  });
  const unharmed = async () => {
    expect(await send()).toBe(200);
    expect(await pids()).toEqual(processes);
    expect(await readRuntimeFile(join(folder, 'data'))).toMatchObject({ pid: runtime.pid });
  };
  return { source, unharmed };
}

interface Deployed {
  readonly source: Source;
  /** It serves, with the same processes, and clients find it. */
  readonly unharmed: () => Promise<void>;
}

async function readRuntimeFile(data: string): Promise<RuntimeFile> {
  return JSON.parse(await readFile(join(data, 'runtime.json'), 'utf8')) as RuntimeFile;
}

function refusalBy(pid: number, user: string): RegExp {
  return new RegExp(
    `is in use by the runtime with pid ${pid} \\(user ${user}, since \\S+\\) at http://\\S+: connect to it, stop it, or `,
  );
}

describe('a second runtime on a live folder is refused, and harms nobody', () => {
  const namespaces = ['--net', '--pid', '--mount', '--mount-proc', '--fork'];
  const ways: [name: string, permitted: boolean, through: (data: string) => readonly string[]][] = [
    ['by the same path', true, () => []],
    ['from another network', permits('unshare', '--net', 'true'), () => ['unshare', '--net']],
    [
      'from a container with processes, mounts and a network of its own',
      permits('unshare', ...namespaces, 'true'),
      () => ['unshare', ...namespaces],
    ],
    [
      'by a bind mount',
      permits('unshare', '--mount', 'mount', '--bind', '/usr', '/usr'),
      (data) => {
        const command = `mount --bind "${data}" "${data}-mounted" && exec "$@"`;
        return ['unshare', '--mount', 'sh', '-c', command, 'sh'];
      },
    ],
  ];
  for (const [name, permitted, through] of ways) {
    test(`one that comes ${name}`, async ({ skip }) => {
      skip(!permitted, 'The system does not permit it.');
      const folder = temporaryFolder();
      const data = join(folder, 'data');
      const runtime = await startRuntime({ folder });
      const { unharmed } = await withSource(runtime, folder);
      await mkdir(`${data}-mounted`);
      const path = name === 'by a bind mount' ? `${data}-mounted` : data;
      const second = await serve(folder, path, { through: through(data) });
      expect(second.output).toMatch(refusalBy(runtime.pid, userInfo().username));
      expect(second.code).toBe(1);
      await unharmed();
    });
  }

  test('one of root beside another user, and the other way round', async ({ skip }) => {
    skip(!canBeOther, 'Only root starts the processes of another user.');
    const folder = temporaryFolder();
    await chown(folder, otherUser, otherUser);
    const data = join(folder, 'data');
    const first = await serve(folder, data, { uid: otherUser });
    expect(first.output).toMatch(/serves/);
    const asRoot = await serve(folder, data);
    expect(asRoot.output).toMatch(refusalBy(first.process.pid!, '(nobody|65534)'));
    expect(await readRuntimeFile(data)).toMatchObject({ pid: first.process.pid });
    // What a crash leaves belongs to the other user, and is in nobody's way.
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    const root = await serve(folder, data);
    expect(root.output).toMatch(/serves/);

    await chmod(data, 0o777);
    const asOther = await serve(folder, data, { uid: otherUser });
    expect(asOther.output).toMatch(/in use by the runtime with pid/);
    root.process.kill('SIGKILL');
    await once(root.process, 'exit');
    const again = await serve(folder, data);
    expect(again.output).toMatch(/serves/);
  });
});

test('a copy of a live folder is a folder of its own', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const { source, unharmed } = await withSource(runtime, folder);
  const copy = join(folder, 'copy');
  await mkdir(copy);
  await cp(join(folder, 'config'), join(copy, 'config'), { recursive: true });
  execFileSync('cp', ['-a', join(folder, 'data'), join(copy, 'data')]);
  const list = await runCli(['list', 'sources', '--data', join(copy, 'data')], {
    configFolder: join(copy, 'config'),
  });
  expect(list.stderr).toMatch(/no runtime/i);
  const second = await startRuntime({ folder: copy });
  expect(second.output()).toMatch(/Port \d+, used last time, cannot be had/);
  await unharmed();
  const { endpoint_url } = await second.restData<Source>('GET', `/v1/sources/${source.id}`);
  expect((await fetch(endpoint_url!, { method: 'POST', body: 'y' })).status).toBe(200);
  await second.stop();
  await unharmed();
});

test('after kill -9 the next runtime starts at once, again and again, and leaves one lock', async () => {
  const folder = temporaryFolder();
  for (let i = 0; i < 4; i += 1) {
    const runtime = await startRuntime({ folder });
    const locks = (await readdir(join(folder, 'data'))).filter((name) => name.startsWith('lock'));
    expect(locks).toHaveLength(1);
    await runtime.kill();
  }
});

describe('of several that start at the same moment exactly one gets the folder', () => {
  /** A process that opens the folder when told to, says what came of it, and ends when told to. */
  const script = `
    import { createInterface } from 'node:readline';
    import { openDataFolder } from ${JSON.stringify(resolve('src/runtime/store/data-folder/data-folder.ts'))};
    const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
    console.log('there');
    let folder;
    for (;;) {
      const { value, done } = await lines.next();
      if (done) break;
      if (value === 'release') { await folder?.release(); folder = undefined; console.log('released'); }
      else try { folder = await openDataFolder(value); console.log('open'); }
      catch (error) { console.log(error.code + ' ' + error.message); }
    }
    process.exit();`;

  async function starters(count: number) {
    const folder = temporaryFolder();
    const source = join(folder, 'starter.ts');
    const outfile = join(folder, 'starter.mjs');
    await writeFile(source, script);
    await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node' });
    const start = async () => {
      const child = spawn(process.execPath, [outfile], { stdio: ['pipe', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const ask = async (line: string): Promise<string> => {
        child.stdin.write(`${line}\n`);
        return (await lines.next()).value as string;
      };
      await lines.next();
      const kill = async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      };
      return { ask, kill };
    };
    const all = await Promise.all(Array.from({ length: count }, start));
    return { folder, all, start };
  }

  test('twenty times two in a new folder', async () => {
    const { folder, all } = await starters(2);
    for (let round = 0; round < 20; round += 1) {
      const data = join(folder, `data-${round}`);
      const said = await Promise.all(all.map(({ ask }) => ask(data)));
      const outcomes = said.map((one) => one.split(' ')[0]);
      expect(new Set(outcomes)).toEqual(new Set(['data_folder_in_use', 'open']));
      await Promise.all(all.map(({ ask }) => ask('release')));
    }
  });

  test('twenty times four in a folder that a crash left', async () => {
    const { folder, all, start } = await starters(4);
    const data = join(folder, 'data');
    for (let round = 0; round < 20; round += 1) {
      const victim = await start();
      expect(await victim.ask(data)).toBe('open');
      await victim.kill();
      const said = await Promise.all(all.map(({ ask }) => ask(data)));
      const opened = said.filter((one) => one === 'open');
      const refused = said.filter((one) => /in use by the runtime with pid/.test(one));
      expect([opened.length, refused.length]).toEqual([1, 3]);
      await Promise.all(all.map(({ ask }) => ask('release')));
    }
  });
});
