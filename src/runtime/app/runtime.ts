/**
 * The composition root: it makes the rooms, from the lowest to the highest, connects what they tell each
 * other, and takes them down in the opposite order. Read it as the table of contents of the runtime;
 * the groups of parts are made in the files beside it.
 */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { messageOf, type WeirError } from '../../protocol/errors.ts';
import { folderId } from '../../protocol/folder-id.ts';
import type { RuntimeFile } from '../../protocol/rpc.ts';
import { loadApiKey } from '../accounts/api-key.ts';
import { keyPath, loadKey } from '../accounts/key-file.ts';
import { createSealer } from '../accounts/seal.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Closing, createClosing } from '../base/closing.ts';
import { createLog, describeError, type Log } from '../base/log.ts';
import { collectWhenIdle, ownCollector } from '../base/collect-when-idle.ts';
import { RemoteRuns } from '../cluster/relayed-signals.ts';
import { warmBundler } from '../components/bundle/bundle.ts';
import type { Deliveries } from '../events/delivery/deliveries.ts';
import { Inbox } from '../events/inbox.ts';
import type { Services } from '../events/services.ts';
import { Keys } from '../server/access/keys.ts';
import { isWildcard } from '../server/loopback.ts';
import { publicAddress } from '../server/public-address.ts';
import { resolveListenOptions } from '../server/listen-options.ts';
import type { Server } from '../server/server.ts';
import { takeAgentRuns } from '../sources/one-off-runs/agent-runs.ts';
import { type DataFolder, nameOf, openDataFolder } from '../store/data-folder/data-folder.ts';
import { Life } from './life.ts';
import type { TakenEmitter } from '../store/ownership.ts';
import { openFolderStore, sqlJsIn } from '../store/engines.ts';
import { createLeaderRole, type LeaderRole } from './leader-role.ts';
import { openAccounts } from './open-accounts.ts';
import { type OpenedApi, openApi } from './open-api.ts';
import { openCode } from './open-code.ts';
import { openLifecycles } from './open-lifecycles.ts';
import { readLimits } from './open-processes.ts';
import { isFetched } from './open-registry.ts';
import { openServer } from './open-server.ts';
import { createOwnDeliveries } from './own-deliveries.ts';
import type { Running } from './running.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { createServices } from './services.ts';

export interface Runtime {
  readonly file: RuntimeFile;
  /** Address for callers from elsewhere. */
  readonly outsideUrl: string | undefined;
  /** Serves a connection that another node has taken. @returns false where there is no such listener */
  take(socket: Duplex, by: 'local' | 'outside'): boolean;
  /** How many RPC clients are connected; called at each change. */
  onClients(listener: (count: number) => void): void;
  /** Ends cleanly; interrupted runs resume at the next start. Returns the same promise to every caller. */
  stop(): Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

/** Starts a runtime; if a part fails to start, the others are stopped, and the log says why. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const folder = await openDataFolder(options.data);
  const log = createLog(join(folder.path, 'logs'), Date.now, () => folder.inPlace(), options.echo);
  const closing = createClosing((where, error) =>
    log('error', `${where}: ${describeError(error)}`),
  );
  closing.push(() => folder.release());
  const uncaught = (error: Error): void =>
    log('error', `The runtime ends, as nothing caught this error: ${error.stack ?? error.message}`);
  process.on('uncaughtExceptionMonitor', uncaught);
  closing.push(() => void process.off('uncaughtExceptionMonitor', uncaught));
  if (folder.leftBehind !== undefined) {
    log(
      'warn',
      `The data folder that stood at ${folder.path} before was deleted or moved away while ${nameOf(folder.leftBehind)} used it; that one still runs, answers 503 and keeps its port. Stop it.`,
    );
  }
  try {
    return await start(options, folder, log, closing);
  } catch (error) {
    log('error', `Weir could not start: ${messageOf(error)}`);
    await closing.closeAll();
    throw error;
  }
}

async function start(
  options: RuntimeOptions,
  folder: DataFolder,
  log: Log,
  closing: Closing,
): Promise<Runtime> {
  const parts = await openParts(options, folder, log, closing, () => server);
  const { store, inbox, running, leading, lifecycles, left, api, life, reach, apiKey } = parts;
  const { server, ports } = await openServer({
    ...parts,
    health: life.health,
    ending: () => life.ending(),
  });
  const outsideUrl = server.outside?.url;
  parts.address.listensAt(
    outsideUrl === undefined || isWildcard(reach.outside?.host) ? server.url : outsideUrl,
  );

  // In this turn of the loop, so that no new trigger is before the queued ones.
  recover(left.splice(0), parts, inbox, running);
  leading?.takeIn();
  lifecycles.lifecycle.startTimers();
  lifecycles.workflows.startTimers();
  running.start();
  await ports.set('port', server.port);
  if (server.outside !== undefined) await ports.set('outsidePort', server.outside.port);

  const { version } = options;
  const { path } = folder;
  const { pid } = process;
  const { startedAt } = parts;
  const file = { url: server.url, pid, apiKey, version, startedAt, folder: folderId(path) };
  await folder.announce(file);
  await leading?.start();
  life.started();
  parts.codeParts.hosts.warm();
  // A runtime without a source was started to deploy one. If esbuild cannot run, the deploy reports it.
  if (store.sources.all().length === 0) warmBundler().catch(() => undefined);
  for (const warning of reach.warnings) log('warn', warning);
  const elsewhere = outsideUrl === undefined ? '' : `, and callers from elsewhere at ${outsideUrl}`;
  log('info', `Weir ${version} serves ${path} at ${server.url}${elsewhere}`);
  life.watchPlace();
  return {
    take: (socket, by) => server.take(socket, by),
    file,
    outsideUrl,
    onClients: (listener) => void api.rpc.onClients(listener),
    stop: () => life.stop(),
    ended: life.ended,
  };
}

/** Makes all parts but the listener. @param server made after this: nothing asks for it before it listens */
async function openParts(
  options: RuntimeOptions,
  folder: DataFolder,
  log: Log,
  closing: Closing,
  server: () => Server,
) {
  const { settings, node, dist, redirects } = options;
  const data = folder.path;
  const clock = node?.clock ?? systemClock;
  const { store, key } = await openKept(options, data, clock, log);
  closing.push(() => store.close());
  const services = createServices(
    { settings, clock, log, closing, store, memoryMb: options.memoryMb },
    node?.link.isPaused,
  );
  const { signals, emitters, now } = services;
  const sealer = createSealer(key);
  const keys = new Keys({ settings: store.settings, now, random: randomBytes });
  const reach = resolveListenOptions(options, keys.list().length > 0);
  const address = publicAddress(options.publicUrl);
  const configFolder = dirname(keyPath({ env: process.env, home: homedir() }));
  const accountParts = await openAccounts({
    ...services,
    isShared: node !== undefined,
    sealer,
    key,
    configFolder,
    dataFolder: data,
    url: () => server().url,
    // Runs that begin from now on have what is new.
    changed: (id) => {
      lifecycles.lifecycle.accountChanged(id);
      signals.emit('account', id);
    },
    isFetched,
    packages: () =>
      codeParts.registry.brought(store.components.all().flatMap(({ path }) => path ?? [])),
  });
  closing.push(() => accountParts.connections.close());
  const inbox = new Inbox({
    ...services,
    triggeredElsewhere: (ids) => leading?.sharing.ring(ids),
  });
  const deliveries = createOwnDeliveries({ ...services, sealer });
  const left = await takeEmitters(services, deliveries);
  const common = {
    ...services,
    runtime: options,
    data,
    sealer,
    inbox,
    deliveries,
    accountParts,
    endpointUrl: address.endpointUrl,
    code: node?.code,
    dist,
    redirects,
  };
  const codeParts = await openCode({ ...common, configFolder });
  await accountParts.companions.open();
  const runsElsewhere = new RemoteRuns();
  const lifecycles = await openLifecycles({
    ...common,
    codeParts,
    elsewhere: node && runsElsewhere,
    runsHere: (id) => leading?.sharing.handOver.runsHere(id) ?? emitters.get(id) !== undefined,
    inUseElsewhere: node && (async () => (leading === undefined ? [] : leading.deploymentsInUse())),
    isWatched: () => api.rpc.clients > 0,
  });
  const { running, environment } = lifecycles;
  // Another runtime changes an account that is kept for the user.
  closing.push(
    accountParts.watch((id) => {
      lifecycles.lifecycle.accountChanged(id);
      signals.emit(accountParts.accounts.find(id) === undefined ? 'accountDeleted' : 'account', id);
    }),
  );
  running.startUpkeep();
  closing.push(collectWhenIdle(ownCollector(), clock));
  const leading: LeaderRole | undefined =
    node &&
    store.shared &&
    createLeaderRole({
      ...common,
      ...codeParts,
      shared: store.shared,
      link: node.link,
      running: running.sources,
      runningWorkflows: running.workflows,
      runs: runsElsewhere,
      isFollowed: () => api.isFollowed(),
      requested: (requests) => api.metrics.requestedElsewhere(requests),
      keeper: accountParts.keeper,
      environment,
      runMs: readLimits(settings).timeoutMs,
    });

  // Nobody waits for what a crash cut off.
  await store.actionRuns.endLost(now());
  await takeAgentRuns(data, store.actionRuns);
  const parts = {
    ...common,
    reach,
    address,
    keys,
    codeParts,
    lifecycles,
    running,
    leading,
    runsElsewhere,
    left,
    // The same in every start of a data folder; so is the port, if it is free.
    apiKey: await loadApiKey(store.settings, sealer),
    startedAt: new Date(now()).toISOString(),
  };
  const api: OpenedApi = await openApi({
    ...parts,
    sqlJs: sqlJsIn(dist),
    server,
    stop: () => setImmediate(() => void life.stop()),
  });
  const life = new Life({ ...common, folder, running, leading, api });
  return { ...parts, api, life };
}

/** Owns every emitter of the store that has no other owner. @returns what the owners before left of them */
async function takeEmitters(
  { store, emitters }: Services,
  deliveries: Deliveries,
): Promise<TakenEmitter[]> {
  const left: TakenEmitter[] = [];
  await store.ownership.takeAll((taken) => {
    emitters.add(taken);
    left.push(taken);
    deliveries.take(taken.openDeliveries);
  });
  return left;
}

/** Resumes the unfinished runs of emitters that still exist. */
function recover(
  left: readonly TakenEmitter[],
  { emitters }: Services,
  inbox: Inbox,
  running: Running,
): void {
  const found = left.flatMap((taken) => {
    const emitter = emitters.get(taken.id);
    return emitter === undefined ? [] : [{ ...taken, emitter }];
  });
  inbox.recover(found);
  for (const { pendingSends } of found) running.workflows.sends.enqueue(pendingSends);
}

/** Opens the store, and the key that seals the secrets in it. */
async function openKept({ node, dist }: RuntimeOptions, data: string, clock: Clock, log: Log) {
  const key = node?.key ?? (await loadKey({ env: process.env, home: homedir() }));
  // Child processes, such as esbuild, would inherit this environment.
  delete process.env['WEIR_KEY'];
  const onFailure = ({ message }: WeirError, fault?: unknown): void => {
    // After a node was replaced, the next one continues its work.
    log('error', node === undefined ? `${message} Until then nothing is taken in.` : message);
    if (fault !== undefined) log('error', describeError(fault));
  };
  const store = await (node?.openStore(onFailure) ??
    openFolderStore({ data, sqlJs: sqlJsIn(dist), clock, onFailure }));
  return { store, key };
}
