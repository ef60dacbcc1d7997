/** A PostgreSQL of the tests' own: a real server on a free port of this machine, in a folder that goes with it. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../scripts/editor/free-port.mts';
import { fetchPostgres } from '../../scripts/test/postgres-binaries.mts';
import { type AtEnd, atEndOfTest } from './at-end.ts';
import { temporaryFolder } from './folder.ts';
import { until } from './until.ts';

/** The oldest PostgreSQL that Weir takes. */
const oldest = 14;

export interface TestPostgres {
  /** Of a new database that has nothing in it. */
  newDatabase(): Promise<string>;
  /** Of the server's own database. */
  readonly url: string;
  readonly port: number;
  /** Of its first process, the parent of the others; undefined after `kill`. */
  readonly pid: number | undefined;
  /** Runs one statement, for what a test looks at. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Ends the server at this moment; what it had written stays. */
  kill(): Promise<void>;
  /** After `kill`: on the same port, with what it had. */
  start(): Promise<void>;
  /** SIGSTOP for all of its processes, or SIGCONT: it is there, and answers nothing. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts one; it ends with the test, or with what `atEnd` says. Rejects when there is none to start. */
export async function startPostgres(atEnd: AtEnd = atEndOfTest): Promise<TestPostgres> {
  return (await initialised(atEnd)).started();
}

/** A server and one that follows it: what the first one acknowledges, the other one has. */
export interface ReplicatedPostgres extends TestPostgres {
  /** Kills the first one and makes the other one take its place; `port` is that of the other one from then on. */
  failOver(): Promise<void>;
}

/** As `startPostgres`, with a synchronous standby beside it. */
export async function startReplicatedPostgres(
  atEnd: AtEnd = atEndOfTest,
): Promise<ReplicatedPostgres> {
  const place = await initialised(atEnd);
  const copy = await place.copied();
  const first = await place.started();
  const other = await copy.following(first.port);
  // Only now: until somebody follows, nothing would be acknowledged.
  await first.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await first.query('SELECT pg_reload_conf()');
  await until('the standby to be synchronous', async (seen) => {
    const rows = seen(await first.query('SELECT sync_state FROM pg_stat_replication'));
    return rows[0]?.['sync_state'] === 'sync';
  });
  let current = first;
  return {
    get url() {
      return current.url;
    },
    get port() {
      return current.port;
    },
    get pid() {
      return current.pid;
    },
    query(sql, database = current.url) {
      const { pathname } = new URL(database);
      return current.query(sql, urlOf(current.port, pathname.slice(1)));
    },
    newDatabase: () => current.newDatabase(),
    start: () => current.start(),
    kill: () => current.kill(),
    signal: (signal) => current.signal(signal),
    async failOver() {
      await first.kill();
      await other.query('SELECT pg_promote()');
      current = other;
    },
  };
}

/** The folder of a server that does not run yet. */
interface Place {
  started(): Promise<TestPostgres>;
  /** The same again, in another folder. */
  copied(): Promise<Place>;
  /** Started as a standby of the server on this port. */
  following(port: number): Promise<TestPostgres>;
}

async function initialised(atEnd: AtEnd): Promise<Place> {
  const bin = await binaries();
  const user = unprivilegedUser();
  const folder = ownFolder(atEnd, user);
  execFileSync(
    join(bin, 'initdb'),
    ['-D', join(folder, 'data'), '-U', 'weir', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  return placeIn(folder, bin, user, atEnd);
}

function placeIn(folder: string, bin: string, user: User | undefined, atEnd: AtEnd): Place {
  const data = join(folder, 'data');
  const started = () => serverIn(folder, bin, user, atEnd);
  return {
    started,
    async copied() {
      const other = ownFolder(atEnd, user);
      await cp(data, join(other, 'data'), { recursive: true, preserveTimestamps: true });
      if (user !== undefined) {
        const owner = `${user.uid}:${user.gid}`;
        execFileSync('chown', ['-R', owner, join(other, 'data')]);
      }
      return placeIn(other, bin, user, atEnd);
    },
    following(port) {
      const settings = `primary_conninfo = 'host=127.0.0.1 port=${port} user=weir'\n`;
      writeFileSync(join(data, 'postgresql.auto.conf'), settings);
      writeFileSync(join(data, 'standby.signal'), '');
      return started();
    },
  };
}

function ownFolder(atEnd: AtEnd, user: User | undefined): string {
  const folder = temporaryFolder(atEnd);
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

async function serverIn(
  folder: string,
  bin: string,
  user: User | undefined,
  atEnd: AtEnd,
): Promise<TestPostgres> {
  const data = join(folder, 'data');
  const port = await freePort();
  const url = urlOf(port, 'postgres');
  let server: Server | undefined;
  let databases = 0;
  const stop = async (signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> => {
    if (server === undefined) return;
    const { child, guard } = server;
    server = undefined;
    const ended = exited(child);
    signalTree(child.pid, 'SIGCONT');
    child.kill(signal);
    await ended;
    guard.kill();
    await exited(guard);
  };
  const start = async (): Promise<void> => {
    // After a kill its processes take a moment to notice, and hold their memory until then.
    server = await until('PostgreSQL to start', () => run(bin, data, port, user, folder));
  };
  await start();
  atEnd(() => stop('SIGQUIT'));
  const query: TestPostgres['query'] = async (sql, database = url) => {
    const client = new Client({ connectionString: database });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    url,
    port,
    get pid() {
      return server?.child.pid;
    },
    query,
    start,
    async newDatabase() {
      const name = `test_${++databases}`;
      await query(`CREATE DATABASE ${name}`);
      return urlOf(port, name);
    },
    kill: () => stop('SIGKILL'),
    signal: (signal) => signalTree(server?.child.pid, signal),
  };
}

/**
 * `WEIR_TEST_POSTGRES` (the folder with its programs), else the one on the PATH, else Debian's, which puts none
 * there, else the one from npm.
 */
async function binaries(): Promise<string> {
  const named = process.env['WEIR_TEST_POSTGRES'];
  if (named !== undefined) {
    const major = majorOf(named);
    if (major >= oldest) return named;
    throw new Error(
      `WEIR_TEST_POSTGRES=${named} has no PostgreSQL ${oldest} or newer: name the folder with initdb and postgres.`,
    );
  }
  const onPath = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const found = [...(process.env['PATH'] ?? '').split(':'), ...debian()];
  if (onPath.status === 0) found.unshift(onPath.stdout.trim());
  return (
    found.find((bin) => majorOf(bin) >= oldest) ??
    (await fetchPostgres((line) => console.log(line)))
  );
}

function debian(): string[] {
  const folder = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(folder).toSorted((one, other) => Number(other) - Number(one));
    return versions.map((version) => join(folder, version, 'bin'));
  } catch {
    return [];
  }
}

/** 0 where there is none. */
function majorOf(bin: string): number {
  const asked = ['postgres', 'initdb'].map((program) =>
    spawnSync(join(bin, program), ['--version'], { encoding: 'utf8' }),
  );
  if (asked.some(({ status }) => status !== 0)) return 0;
  return Number(/\) (\d+)/.exec(asked[0]?.stdout ?? '')?.[1] ?? 0);
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. Undefined where nobody has to be told. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres', 'nobody']
    .map((name) => users.find((one) => one.startsWith(`${name}:`)))
    .find((one) => one !== undefined);
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'PostgreSQL does not run as root, and there is no user "postgres" or "nobody".',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

interface Server {
  readonly child: ChildProcess;
  /** Ends the server when this process does, however that goes. */
  readonly guard: ChildProcess;
}

/** Undefined when it ended before it took a connection. */
async function run(
  bin: string,
  data: string,
  port: number,
  user: User | undefined,
  folder: string,
): Promise<Server | undefined> {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    'log_min_messages=fatal',
    // The tests end processes and not the machine: what a process has written stays, flushed or not.
    'fsync=off',
  ].flatMap((setting) => ['-c', setting]);
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
    ...user,
    cwd: folder,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const guard = spawn('sh', ['-c', 'cat >/dev/null; kill -QUIT "$0"', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const answers = await until('PostgreSQL to answer or end', async () =>
    child.exitCode === null && child.signalCode === null ? await isReady(port) : 'ended',
  );
  if (answers !== 'ended') return { child, guard };
  guard.kill();
  return undefined;
}

async function isReady(port: number): Promise<'ready' | undefined> {
  const client = new Client({ connectionString: urlOf(port, 'postgres') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return 'ready';
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** The server and the processes that it forked. */
function signalTree(pid: number | undefined, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return;
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  for (const one of [pid, ...children.stdout.split('\n').map(Number)]) {
    try {
      if (one > 0) process.kill(one, signal);
    } catch (error) {
      // One that has ended meanwhile needs no signal.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function urlOf(port: number, database: string): string {
  return `postgres://weir@127.0.0.1:${port}/${database}`;
}
