/**
 * The composition root: it makes the rooms, connects what they tell each other, and takes them down
 * in the opposite order. Read it as the table of contents of the runtime.
 */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../protocol/errors.ts';
import { protocolVersion, type RuntimeFile } from '../protocol/rpc.ts';
import { Accounts } from './accounts/accounts.ts';
import { loadKey } from './accounts/key-file.ts';
import { createSealer } from './accounts/seal.ts';
import { createComponents } from './components/components.ts';
import { withRecentBuilds } from './components/recent-builds.ts';
import { openDataFolder } from './data-folder/data-folder.ts';
import { Debugging } from './debug/debugging.ts';
import { DataStores } from './data-stores/data-stores.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { DedupeStates } from './emit/dedupe-states.ts';
import { isDedupeStrategy } from './emit/dedupe.ts';
import { createEmitIds } from './emit/emit-ids.ts';
import { EventIds } from './emit/event-ids.ts';
import { Listeners } from './emit/listeners.ts';
import { EventPlanner } from './emit/planner.ts';
import { createApi } from './faces/api.ts';
import { serveFile } from './files/serve-file.ts';
import { filePrefix, SharedFiles } from './files/shared-files.ts';
import { openStash } from './files/stash.ts';
import { createRpcFace } from './faces/rpc.ts';
import { createPidFile } from './hosts/pid-file.ts';
import { createHosts } from './hosts/hosts.ts';
import { newId, randomBase62, secureRandom } from './ids.ts';
import { Invocations } from './invocations/invocations.ts';
import { accountIds, hostConfiguration } from './lifecycle/configuration.ts';
import { FormHosts } from './lifecycle/form-hosts.ts';
import { Forms } from './lifecycle/forms.ts';
import { Instances } from './lifecycle/instances.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import { restore } from './lifecycle/restore.ts';
import { outsideLog } from './lifecycle/outside-log.ts';
import { openComponent } from './lifecycle/open-component.ts';
import type { PrepareOptions } from './lifecycle/prepare.ts';
import { PropSets } from './lifecycle/prop-sets.ts';
import { createLog, describeError, type Level } from './log.ts';
import { createChangeFeed } from './operations/changes.ts';
import { createHandlers } from './operations/handlers.ts';
import { createOperations } from './operations/operations.ts';
import type { Room } from './operations/room.ts';
import { startRetention } from './retention.ts';
import { startSearchIndex } from './search-index.ts';
import { createServer } from './server/server.ts';
import { systemTimer } from './set-timer.ts';
import type { Settings } from './settings.ts';
import { Signals } from './signals.ts';
import { openStore } from './store/open-store.ts';
import { sqlJsIn } from './store/sqlite/sqlite.ts';
import { createEndpointHandler, endpointPrefix } from './triggers/http.ts';
import { timerTrigger } from './triggers/timer-trigger.ts';
import { Timers } from './triggers/timers.ts';

export interface RuntimeOptions {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Folder of the built files (dist): the component host and SQLite's wasm stand in it. */
  readonly dist: string;
  readonly version: string;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** What `this.http.endpoint` shows in place of the loopback address (tunnels, forwarded ports). */
  readonly publicUrl?: string | undefined;
  readonly redirects: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly echo?: (level: Level, line: string) => void;
}

export interface Runtime {
  readonly file: RuntimeFile;
  /** How many RPC clients are connected; told at each change. */
  onClients(listener: (count: number) => void): void;
  /** Ends cleanly; what still runs goes on at the next start. The same promise for every caller. */
  stop(): Promise<void>;
  /** Resolves when it has ended, whoever asked for it. */
  readonly ended: Promise<void>;
}

/** Long enough for a run in flight to end, short enough for a person who waits. */
const stopGraceMs = 3000;

/** A person waits at a form: longer than this nothing it asks may take. */
const longestFormCallMs = 60_000;
const formIdleMs = 60_000;
const mostFormHosts = 4;

/** A debugger attaches within a second; on a busy machine, in its first session, it takes several. */
const debuggerWaitMs = 30_000;

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { settings } = options;
  const now = Date.now;
  const folder = await openDataFolder(options.data);
  const log = createLog(join(folder.path, 'logs'), now, options.echo);
  const report = (where: string, error: unknown) =>
    log('error', `${where}: ${describeError(error)}`);
  const closing: (() => Promise<void> | void)[] = [() => folder.release()];

  try {
    const sealer = createSealer(await loadKey({ env: process.env, home: homedir() }));
    const store = await openStore({
      file: join(folder.path, 'weir.db'),
      sqlJs: sqlJsIn(options.dist),
      now,
    });
    closing.push(() => store.close());
    const apiKey = store.settings.get('apiKey') ?? randomBytes(24).toString('base64url');
    await store.settings.set('apiKey', apiKey);

    const signals = new Signals();
    const listeners = new Listeners({
      subscriptions: () => store.subscriptions.all(),
      listens: (id) =>
        id.startsWith('wh_')
          ? store.webhooks.get(id)?.active === true
          : instances.running(id) !== undefined,
    });
    const planner = new EventPlanner({
      states: new DedupeStates((id) => store.sources.dedupe(id)),
      strategy: (id) => {
        const strategy = instances.get(id)?.record.definition.dedupe ?? '';
        return isDedupeStrategy(strategy) ? strategy : null;
      },
      ids: new EventIds(store.events.lastId()),
      emitId: createEmitIds(secureRandom),
      listeners,
    });

    let baseUrl = options.publicUrl?.replace(/\/+$/, '') ?? '';
    const endpointUrl = (interfaceId: string) => `${baseUrl}${endpointPrefix}${interfaceId}`;
    const accounts = new Accounts({
      table: store.accounts,
      sealer,
      now,
      newId: () => newId('apn_', secureRandom),
    });
    const limits = {
      memoryMb: settings['run.memoryMb'],
      timeoutMs: settings['run.timeoutSeconds'] * 1000,
    };

    const pidFile = createPidFile(join(folder.path, 'hosts.json'));
    for (const pid of await pidFile.endLeftovers())
      log('warn', `Ended process ${pid}, left by a runtime that was killed`);
    const dataStores = new DataStores({
      table: store.dataStores,
      now,
      newId: () => newId('ds_', secureRandom),
    });
    const sharedFiles = new SharedFiles({
      folder: join(folder.path, 'files'),
      setTimer: systemTimer,
      newId: () => filePrefix + randomBase62(22, secureRandom),
      url: endpointUrl,
    });
    await sharedFiles.open();
    closing.push(() => sharedFiles.close());
    const stash = await openStash(join(folder.path, 'stash'));
    const hosts = createHosts({
      entry: join(options.dist, 'component-host.js'),
      execPath: process.execPath,
      redirects: options.redirects,
      env: process.env,
      spareMemoryMb: limits.memoryMb,
      onAsk: (ask) => (ask.of === 'file' ? sharedFiles.answer(ask) : dataStores.answer(ask)),
      onFork: (record) => pidFile.add(record),
      onGone: (record) => pidFile.remove(record),
    });
    closing.push(() => hosts.close());
    const components = createComponents({
      folder: join(folder.path, 'deployments'),
      packagesFolder: join(folder.path, 'packages'),
      hosts,
      installPolicy: settings['packages.install'],
      ...(settings['npm.path'] === '' ? {} : { npmPath: settings['npm.path'] }),
    });
    const debugging = new Debugging({
      components,
      setTimer: systemTimer,
      waitMs: debuggerWaitMs,
      opened: (debugged) => signals.emit('debug', debugged),
      changed: ({ sourceId }) => {
        // Processes behind forms that were started before know nothing of it.
        formHosts.close();
        if (sourceId !== null) signals.emit('source', sourceId);
      },
    });
    const hostEvents = (sourceId: string) => outsideLog({ store, signals, now, log }, sourceId);
    const instances: Instances = new Instances({
      openHost: ({ record, deployment }) =>
        debugging.components.open(deployment, {
          sourceId: record.id,
          limits,
          ...hostEvents(record.id),
        }),
      configuration: (record) =>
        hostConfiguration({ store, accounts, sealer, endpointUrl, stashDir: stash }, record),
      httpConcurrency: settings['run.httpConcurrency'],
      idleMs: settings['run.idleSeconds'] * 1000,
    });
    const invocations = new Invocations({
      store,
      signals,
      planner,
      now,
      log,
      live: (id, lane) => (lane === 'hook' ? instances.get(id)?.live : instances.running(id)),
    });
    closing.push(() => invocations.stop());

    const timers = new Timers({
      now,
      setTimer: systemTimer,
      fire: (sourceId, timer) => invocations.accept(sourceId, timerTrigger(timer, now()), 'timer'),
      isRunning: (sourceId) => instances.get(sourceId)?.live.busy === true,
      skipped: (sourceId) =>
        log('info', `${sourceId}: a tick was left out because the run before it still goes on`),
      moved: (sourceId, interfaceId, nextAt) => {
        instances.tickMoved(sourceId, interfaceId, nextAt);
        store.sources.setNextTick(interfaceId, nextAt).then(
          () => signals.emit('source', sourceId),
          (error: unknown) => report('A tick could not be stored', error),
        );
      },
    });
    closing.push(() => timers.close());

    const deliveries = createDeliveries({
      store,
      signals,
      now,
      random: Math.random,
      openSecret: (sealed) => sealer.open(sealed),
      concurrency: settings['delivery.concurrency'],
      report,
    });
    closing.push(() => deliveries.close());

    const prepare: PrepareOptions = {
      components: debugging.components,
      saved: store.components,
      codeFolder: join(folder.path, 'code'),
      limits,
      hostEvents,
      accountsOf: (configured) => accounts.credentialsOf(accountIds(configured)),
    };
    const formHosts = new FormHosts({
      open: (deployment, signal) =>
        openComponent(debugging.components, deployment, {
          sourceId: null,
          limits: { ...limits, timeoutMs: Math.min(limits.timeoutMs, longestFormCallMs) },
          signal,
          onLog: (lines) => {
            for (const { text } of lines) log('info', `${deployment.path ?? 'code'}: ${text}`);
          },
        }),
      setTimer: systemTimer,
      idleMs: formIdleMs,
      most: mostFormHosts,
    });
    closing.push(() => formHosts.close());
    const forms = new Forms({
      hosts: formHosts,
      origins: { ...prepare, components: withRecentBuilds(components, now) },
      accountsOf: prepare.accountsOf,
    });
    const propSets = new PropSets(() => newId('dyp_', secureRandom));
    const lifecycle = new Lifecycle({
      store,
      signals,
      components,
      instances,
      invocations,
      accounts,
      sealer,
      timers,
      prepare,
      newId: (prefix) => newId(prefix, secureRandom),
      now,
      log,
    });

    // What a lower room tells, connected to who wants to know.
    for (const event of [
      'source',
      'sourceDeleted',
      'webhook',
      'webhookDeleted',
      'subscription',
      'subscriptionDeleted',
    ] as const) {
      signals.on(event, () => listeners.changed());
    }
    signals.on('sourceDeleted', (id) => planner.forget(id));
    signals.on('committed', ({ made }) => deliveries.enqueue(made.deliveries));
    startRetention(store, signals, settings, now, log);
    closing.push(startSearchIndex({ store, signals, setTimer: systemTimer, log }));

    const startedAt = new Date(now()).toISOString();
    const room: Room = {
      store,
      signals,
      lifecycle,
      invocations,
      instances,
      components,
      prepare,
      forms,
      propSets,
      debugging,
      deliveries,
      accounts,
      dataStores,
      sealer,
      newId: (prefix) => newId(prefix, secureRandom),
      now,
      endpointUrl,
      stashDir: stash,
      info: () => ({
        version: options.version,
        url: server.url,
        public_url: options.publicUrl ?? null,
        pid: process.pid,
        data_folder: folder.path,
        started_at: startedAt,
        clients: rpc.clients,
        hosts: hosts
          .list()
          .map((host) => ({ pid: host.pid, source_id: host.sourceId, in_flight: host.inFlight })),
      }),
      stop: () => setImmediate(() => void stop()),
    };
    const changes = createChangeFeed(room);
    const operations = createOperations(createHandlers(room), report, () => store.flush());
    const rpc = createRpcFace({
      operations,
      changes,
      hello: { protocol: protocolVersion, version: options.version, pid: process.pid },
      report,
    });

    const endpoint = createEndpointHandler({
      endpoint: (id) => instances.endpoint(id),
      accept: (sourceId, trigger, listener) =>
        invocations.accept(sourceId, trigger, 'http', listener),
      record: (sourceId, trigger) => invocations.record(sourceId, trigger, 'http'),
      upload: (request) => sharedFiles.receive(request),
      bodyLimit: settings['http.bodyLimitKb'] * 1024,
    });
    const api = createApi({ operations, store, signals, report });
    await restore({ store, components, instances, log });
    const server = await createServer({
      ...(options.host === undefined ? {} : { host: options.host }),
      port: { asked: options.port, remembered: rememberedPort(store.settings.get('port')) },
      apiKey,
      endpoint: (request, response) => {
        const isFile = request.url?.startsWith(`${endpointPrefix}${filePrefix}`) === true;
        return isFile
          ? serveFile((id) => sharedFiles.get(id), request, response)
          : endpoint(request, response);
      },
      api,
      upgrade: (request, socket, head) => rpc.upgrade(request, socket, head),
      warn: (message) => log('warn', message),
      report,
    });
    closing.push(() => server.close());
    if (baseUrl === '') baseUrl = server.url;
    await store.settings.set('port', String(server.port));

    await invocations.recover();
    lifecycle.startTimers();
    deliveries.start();

    const file: RuntimeFile = {
      url: server.url,
      pid: process.pid,
      apiKey,
      version: options.version,
      startedAt,
    };
    await folder.announce(file);
    hosts.warm();
    log('info', `Weir ${options.version} serves ${folder.path} at ${server.url}`);

    let stopping: Promise<void> | undefined;
    let ended: () => void = () => undefined;
    const endedPromise = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const stop = (): Promise<void> => {
      stopping ??= (async () => {
        log('info', 'Stopping');
        timers.close();
        rpc.close('The runtime is stopping.');
        api.close('The runtime is stopping.');
        await Promise.all(instances.all().map(({ live }) => live.drain(stopGraceMs)));
        await closeAll(closing, report);
        ended();
      })();
      return stopping;
    };
    return {
      file,
      onClients: (listener) => void rpc.onClients(listener),
      stop,
      ended: endedPromise,
    };
  } catch (error) {
    log('error', `Weir could not start: ${messageOf(error)}`);
    await closeAll(closing, report);
    throw error;
  }
}

/** Last made, first closed; one that fails does not keep the others open. */
async function closeAll(
  closing: (() => Promise<void> | void)[],
  report: (where: string, error: unknown) => void,
): Promise<void> {
  for (const close of closing.toReversed()) {
    try {
      await close();
    } catch (error) {
      report('Stopping', error);
    }
  }
}

function rememberedPort(text: string | undefined): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}
