/**
 * The runtime's one entry. An editor or `weir dev` forks it (`--attended`: it ends when the last
 * client has been gone for a while, of `--linger` seconds); `weir serve` loads the same file and calls `serve`.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../../package.json';
import { messageOf, WeirError, type ErrorData } from '../protocol/errors.ts';
import { type RuntimeFile, settingsVariable, type StartMessage } from '../protocol/rpc.ts';
import { findKey } from './accounts/key-file.ts';
import { type Moved, moveFromDatabase, moveToDatabase } from './store/backup/move.ts';
import { type Restored, restoreBackup } from './store/backup/restore.ts';
import {
  checkDataFolder as checkDataFolderOf,
  checkKey,
  type DataFolderCheck,
} from './app/check-data-folder.ts';
import { fetchCode, shareCode } from './components/deployments/shared-code.ts';
import type { Level } from './base/log.ts';
import { type KeyOperations, withKeys } from './app/open-keys.ts';
import { keyCheckOf } from './accounts/key-check.ts';
import { type DatabaseCheck, engineAt, sqlJsIn } from './store/engines.ts';
import type { Watch } from './store/move/progress.ts';
import type { ListenFlags } from './server/listen-options.ts';
import { startNode } from './app/node.ts';
import { startRuntime, type Runtime } from './app/runtime.ts';
import type { RuntimeOptions } from './app/runtime-options.ts';
import { serverMemoryMb } from './base/server-memory.ts';
import { parseRedirects, parseSettings } from './base/settings.ts';
import { salvageStore, type Salvaged } from './store/sqlite/salvage.ts';

export interface ServeOptions extends ListenFlags {
  /** Data folder. */
  readonly data: string;
  /** URL of a PostgreSQL database that holds everything; the data folder does unless given. */
  readonly store?: string | undefined;
  /** See `NodeOptions`. */
  readonly leaseSeconds?: number | undefined;
  /** See `NodeOptions`. */
  readonly nodeAddress?: string | undefined;
  readonly port?: number | undefined;
  /** File that is given a line of each request, `-` for standard output. */
  readonly requestLog?: string | undefined;
  /** Address of an OTLP collector that is sent traces. */
  readonly traces?: string | undefined;
  /** `HOST=URL` each. */
  readonly redirects?: readonly string[] | undefined;
  /** `name=value` each, see settings.ts. */
  readonly settings?: readonly string[] | undefined;
  /** `512mb` or `2gb`: what the server and its component processes may take; that of the machine or container unless given. */
  readonly memory?: string | undefined;
  /** Is given each line of the runtime's log. */
  readonly echo?: ((level: Level, line: string) => void) | undefined;
}

export interface Served {
  readonly runtime: RuntimeFile;
  /** Address for callers from elsewhere. */
  readonly outsideUrl: string | undefined;
  stop(): Promise<void>;
  /** Resolves when the runtime has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

/** Throws WeirError with one sentence when it cannot start. */
export async function serve(options: ServeOptions): Promise<Served> {
  const { store, leaseSeconds, nodeAddress } = options;
  const served = { ...runtimeOptions(options), memoryMb: serverMemoryMb(options.memory) };
  const runtime =
    store === undefined
      ? await startRuntime(served)
      : await startNode({ ...served, store, leaseSeconds, nodeAddress });
  return {
    runtime: runtime.file,
    outsideUrl: runtime.outsideUrl,
    stop: () => runtime.stop(),
    ended: runtime.ended,
  };
}

/** Looks at a data folder that no runtime has; for `weir doctor`. Throws what a start would. */
export function checkDataFolder(data: string): Promise<DataFolderCheck> {
  return checkDataFolderOf(data, sqlJsIn(__dirname));
}

export { checkKey, type DatabaseCheck, type KeyOperations, type Moved };

/** Looks at a database; for `weir doctor`. Throws what a start would. */
export async function checkDatabase(url: string): Promise<DatabaseCheck> {
  const key = await findKey({ env: process.env, home: homedir() });
  const engine = await engineAt(url);
  return engine.check(url, key && keyCheckOf(key));
}

/** Puts a copy that was made with code into a data folder without a store. Throws WeirError. */
export function restoreDataFolder(data: string, backup: string): Promise<Restored> {
  return restoreBackup(resolve(data), resolve(backup), sqlJsIn(__dirname));
}

export interface DatabaseMove extends Watch {
  /** Data folder. */
  readonly data: string;
  /** `postgres://user:password@host/database` */
  readonly url: string;
  readonly to: 'database' | 'data folder';
}

/** Moves the store of a data folder; for `weir db move`. See backup/move.ts. Throws WeirError. */
export async function moveDataFolder({
  data,
  url,
  to,
  ...watch
}: DatabaseMove): Promise<Moved | undefined> {
  const key = await findKey({ env: process.env, home: homedir() });
  const move = to === 'database' ? moveToDatabase : moveFromDatabase;
  const deployments = join(resolve(data), 'deployments');
  return move({
    ...watch,
    data: resolve(data),
    shareCode: (code) => shareCode(code, deployments),
    fetchCode: (code) => fetchCode(code, deployments),
    sqlJs: sqlJsIn(__dirname),
    async connect() {
      const engine = await engineAt(url);
      return engine.openMove(url, key && keyCheckOf(key));
    },
  });
}

/** The operations `keys.…` on what no runtime of this data folder has open; for `weir keys`. Throws what a start would. */
export function withKeysOf<T>(
  { data, store }: Pick<ServeOptions, 'data' | 'store'>,
  use: (call: KeyOperations['call']) => Promise<T>,
): Promise<T> {
  return withKeys({ data: resolve(data), store, version }, sqlJsIn(__dirname), ({ call }) =>
    use(call),
  );
}

/** Saves what can be read of a damaged store into a new one; for `weir doctor`. Throws WeirError. */
export function salvageDataFolder(data: string, file: string): Promise<Salvaged> {
  return salvageStore(join(resolve(data), 'weir.db'), file, sqlJsIn(__dirname));
}

function reachOf(options: ListenFlags): ListenFlags {
  const { host, publicUrl, allowHosts, tlsCert, tlsKey, trustProxy, plainHttp } = options;
  return { host, publicUrl, allowHosts, tlsCert, tlsKey, trustProxy, plainHttp };
}

function start(options: ServeOptions): Promise<Runtime> {
  return startRuntime(runtimeOptions(options));
}

function runtimeOptions(options: ServeOptions): RuntimeOptions {
  if (options.publicUrl !== undefined && !/^https?:\/\/[^/]/i.test(options.publicUrl)) {
    throw new WeirError(
      'bad_input',
      `"${options.publicUrl}" is not a URL; --public-url takes one such as https://example.test.`,
    );
  }
  if (options.traces !== undefined && !URL.canParse(options.traces)) {
    throw new WeirError(
      'bad_input',
      `"${options.traces}" is not a URL; --traces takes that of an OTLP collector, such as http://127.0.0.1:4318.`,
    );
  }
  return {
    data: resolve(options.data),
    dist: __dirname,
    version,
    port: options.port,
    requestLog: options.requestLog,
    traces: options.traces,
    ...reachOf(options),
    redirects: parseRedirects(options.redirects ?? []),
    settings: parseSettings(options.settings ?? []),
    ...(options.echo === undefined ? {} : { echo: options.echo }),
  };
}

/**
 * The runtime outlives a window that is reloaded, and not much more. The new window connects once its
 * extensions are activated, which takes more than 5 s in a browser on a busy machine.
 */
const lingerMs = 20_000;
const firstClientMs = 30_000;

/** Ends the runtime when nobody has been connected for a while. */
function endWhenAlone(runtime: Runtime, linger: number): void {
  const end = () => void runtime.stop();
  let timer: NodeJS.Timeout | undefined = setTimeout(end, firstClientMs);
  runtime.onClients((count) => {
    clearTimeout(timer);
    timer = count === 0 ? setTimeout(end, linger) : undefined;
  });
}

async function runAsChild(): Promise<void> {
  const tell = (message: StartMessage) =>
    new Promise<void>((sent) => {
      if (process.send === undefined) sent();
      else process.send(message, () => sent());
    });
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        attended: { type: 'boolean' },
        linger: { type: 'string' },
        host: { type: 'string' },
        port: { type: 'string' },
        'public-url': { type: 'string' },
        redirect: { type: 'string', multiple: true },
        set: { type: 'string', multiple: true },
      },
    });
    if (values.data === undefined)
      throw new WeirError('bad_input', 'The runtime needs --data DIR.');
    const runtime = await start({
      data: values.data,
      host: values.host,
      port: values.port === undefined ? undefined : Number(values.port),
      publicUrl: values['public-url'],
      redirects: values.redirect,
      settings: [...settingsOfParent(), ...(values.set ?? [])],
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => void runtime.stop());
    if (values.attended === true) {
      endWhenAlone(runtime, values.linger === undefined ? lingerMs : Number(values.linger) * 1000);
    }
    await tell({ t: 'ready', runtime: runtime.file });
    if (process.connected) process.disconnect();
    await runtime.ended;
    process.exit(0);
  } catch (error) {
    const data: ErrorData = WeirError.is(error)
      ? error.toJSON()
      : { code: 'internal', message: messageOf(error) };
    console.error(error);
    await tell({ t: 'failed', error: data });
    process.exit(1);
  }
}

/** Taken out of the environment, which programs that the runtime starts are given. */
function settingsOfParent(): string[] {
  const text = process.env[settingsVariable] ?? '[]';
  delete process.env[settingsVariable];
  return JSON.parse(text) as string[];
}

if (require.main === module) void runAsChild();
