/**
 * The composition root: it makes the rooms, from the lowest to the highest, connects what they tell each
 * other, and takes them down in the opposite order. Read it as the table of contents of the runtime;
 * the larger groups of parts are made in the files beside it.
 */
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { folderId } from '../../protocol/folder-id.ts';
import { kindOf } from '../../protocol/ids.ts';
import { protocolVersion, type RuntimeFile } from '../../protocol/rpc.ts';
import { localCaller } from '../server/access/caller.ts';
import { Keys } from '../server/access/keys.ts';
import { loadApiKey } from '../accounts/api-key.ts';
import { keyPath, loadKey, type SealingKey } from '../accounts/key-file.ts';
import { openAccounts } from './open-accounts.ts';
import { createSealer } from '../accounts/seal.ts';
import { UsedApps } from '../accounts/apps/used-apps.ts';
import { AppHooks } from '../sources/apphooks/app-hooks.ts';
import { writeBackup } from '../store/backup/write.ts';
import { settledWithin, systemClock } from '../base/clock.ts';
import { type Closing, createClosing } from '../base/closing.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import { RunsElsewhere } from '../cluster/told-signals.ts';
import { warmBundler } from '../components/bundle/bundle.ts';
import { shareCode } from '../components/deployments/shared-code.ts';
import { removeUnusedCodeFiles } from '../components/code-file.ts';
import { createComponents } from '../components/deployments/components.ts';
import { withRecentBuilds } from '../components/deployments/recent-builds.ts';
import {
  type DataFolder,
  nameOf,
  openDataFolder,
  userName,
} from '../store/data-folder/data-folder.ts';
import { watchPlace } from '../store/data-folder/watch-place.ts';
import { DataStores } from '../components/data-stores/data-stores.ts';
import { loadDeployment } from '../components/load.ts';
import type { PrepareOptions } from '../components/prepare.ts';
import { SavedComponents } from '../components/saved-components.ts';
import { Debugging } from '../components/debug/debugging.ts';
import { EmitterKinds } from '../events/emitter-kind.ts';
import { Inbox } from '../events/inbox.ts';
import { OwnedEmitters } from '../events/owner/owned-emitters.ts';
import { WorkHold } from '../events/work-hold.ts';
import { Environment } from '../accounts/environment/environment.ts';
import { createApi } from '../api/api.ts';
import { createEndpoints } from './endpoints.ts';
import { createLeading, type Leading } from './leading.ts';
import { createOwnDeliveries } from './own-deliveries.ts';
import { createRunningSources } from './running-sources.ts';
import { createRunningWorkflows } from './running-workflows.ts';
import { agentCalls, createMcpFace, isForMcp } from '../api/mcp.ts';
import { createRpcFace } from '../api/rpc.ts';
import { FormHosts } from '../components/forms/form-hosts.ts';
import { Forms } from '../components/forms/forms.ts';
import { PropSets } from '../components/forms/prop-sets.ts';
import { filePrefix, SharedFiles } from '../server/files/shared-files.ts';
import { openStash } from '../server/files/stash.ts';
import type { AskedOfRuntime } from '../processes/host.ts';
import { createHosts } from '../processes/hosts.ts';
import { createHostList } from '../processes/leftovers.ts';
import { type IdPrefix, newId, randomBase62, secureRandom } from '../base/ids.ts';
import { hostConfiguration } from '../sources/host-configuration.ts';
import { Lifecycle } from '../sources/lifecycle.ts';
import { appendLog, processLog } from '../sources/process-log.ts';
import { slugOf } from '../sources/records.ts';
import { restore } from '../sources/restore.ts';
import { createLog, describeError, type Level, type Log } from '../base/log.ts';
import { createChangeFeed } from '../api/operations/changes.ts';
import { findWorkflow } from '../api/operations/find-workflow.ts';
import { createHandlers } from '../api/operations/handlers.ts';
import { takeAgentRuns } from '../sources/one-off-runs/agent-runs.ts';
import { createOperations } from '../api/operations/operations.ts';
import { publicAddress } from '../server/public-address.ts';
import { isFetched, openRegistry } from './open-registry.ts';
import { localPort, portsInFolder, portsInSettings } from '../server/remembered-ports.ts';
import { planReach, type ReachOptions } from '../server/reach.ts';
import { startRetention } from '../events/retention.ts';
import { startSearchIndex } from '../events/search-index.ts';
import { accountIds } from '../components/props/configured.ts';
import { openRequestLog } from '../server/request-log.ts';
import { diskFullness } from '../server/health.ts';
import type { Depth } from '../api/metrics/metrics.ts';
import { MetricsOnDemand } from '../api/metrics/metrics-on-demand.ts';
import { createRateLimit } from '../server/rate-limit.ts';
import { openCertificate } from '../server/certificate.ts';
import { isWildcard } from '../server/loopback.ts';
import { createServer } from '../server/server.ts';
import { Uploads } from '../server/uploads/uploads.ts';
import { Signals } from '../events/signals.ts';
import { giveBackSpareMemory, ownCollector } from '../base/spare-memory.ts';
import type { CodeTable } from '../store/code.ts';
import type { TakenEmitter } from '../store/ownership.ts';
import { openStore } from '../store/sqlite/open-store.ts';
import { sqlJsIn } from '../store/sqlite/wasm/sqlite.ts';
import type { Store } from '../store/store.ts';
import { accountMask } from '../components/recordings/kept-requests.ts';
import { findNamed } from '../api/operations/find-named.ts';
import { isOnPath } from '../workflows/import/is-on-path.ts';
import { Workflows } from '../workflows/lifecycle/workflows.ts';
import type { BaseServices } from '../base/services.ts';

/** What a runtime is started with. */
export interface RuntimeOptions extends ReachOptions, Pick<BaseServices, 'settings'> {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** On a database that several share: what this one has of it. The store is in the data folder unless given. */
  readonly node?: NodeParts | undefined;
  /** Folder of the built files (dist): the component host and SQLite's wasm stand in it. */
  readonly dist: string;
  readonly version: string;
  readonly port?: number | undefined;
  /** File that is given a line of each request, `-` for standard output. */
  readonly requestLog?: string | undefined;
  /** Address of an OTLP collector that is sent traces. */
  readonly traces?: string | undefined;
  readonly redirects: Readonly<Record<string, string>>;
  readonly echo?: (level: Level, line: string) => void;
}

/** What a runtime has of the node that runs it. */
export interface NodeParts extends Pick<BaseServices, 'clock'> {
  readonly openStore: (onFailure: (failure: WeirError, fault?: unknown) => void) => Promise<Store>;
  readonly code: CodeTable;
  readonly key: SealingKey;
  readonly link: NodeLink;
  /** Just before it listens: its ports are free when this resolves. */
  readonly beforeListening: () => Promise<void>;
}

export interface Runtime {
  readonly file: RuntimeFile;
  /** Where callers from elsewhere are taken in. */
  readonly outsideUrl: string | undefined;
  /** Serves a connection that another node has taken. @returns false where there is no such listener */
  take(socket: Duplex, by: 'local' | 'outside'): boolean;
  /** While true no run and no delivery begins: others may be about to do the same. What goes on may end. */
  hold(isHeld: boolean): void;
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

/** What cannot be started is taken down again; the log says why. */
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
  const { settings, version } = options;
  const clock = options.node?.clock ?? systemClock;
  const now = () => clock.now();
  const signals = new Signals();
  const makeId = (prefix: IdPrefix) => newId(prefix, secureRandom);
  /** Logs an error that nobody waits for. */
  const report = (where: string, error: unknown) =>
    log('error', `${where}: ${describeError(error)}`);

  // What is kept: the store, and the key that seals the secrets in it.
  const { node } = options;
  const key = node?.key ?? (await loadKey({ env: process.env, home: homedir() }));
  const sealer = createSealer(key);
  // What is started from here, such as esbuild, has this environment.
  delete process.env['WEIR_KEY'];
  const sqlJs = sqlJsIn(options.dist);
  const onFailure = ({ message }: WeirError, fault?: unknown): void => {
    // Of a node that was replaced, the next one goes on.
    log('error', node === undefined ? `${message} Until then nothing is taken in.` : message);
    if (fault !== undefined) log('error', describeError(fault));
  };
  const store = await (node?.openStore(onFailure) ??
    openStore({ file: join(folder.path, 'weir.db'), sqlJs, clock, onFailure }));
  closing.push(() => store.close());
  const hold = new WorkHold({ store, clock });
  closing.push(() => hold.close());
  const keys = new Keys({ settings: store.settings, now, random: randomBytes });
  const reach = planReach(options, keys.list().length > 0);
  const visitorOf = reach.isOpen ? reach.visitorOf : undefined;
  const configFolder = dirname(keyPath({ env: process.env, home: homedir() }));
  /** Runs that begin from now on have what is new. */
  const accountIsNew = (id: string): void => {
    lifecycle.accountChanged(id);
    signals.emit('account', id);
  };
  const accountParts = await openAccounts({
    store,
    isShared: node !== undefined,
    sealer,
    key,
    configFolder,
    dataFolder: folder.path,
    clock,
    newId: makeId,
    url: () => server.url,
    changed: accountIsNew,
    isFetched,
    packages: () => registry.brought(store.components.all().flatMap(({ path }) => path ?? [])),
    log,
  });
  closing.push(() => accountParts.connections.close());
  const { accounts, apps, companions, keeper, signingSecrets } = accountParts;

  // What is ours, and what the runtime before left of it. What comes in from now on is not among it.
  const emitters = new OwnedEmitters();
  const kinds = new EmitterKinds();
  const inbox = new Inbox({
    store,
    emitters,
    kinds,
    clock,
    triggeredElsewhere: (ids) => leading?.sharing.ring(ids),
  });
  const runsHere = (id: string): boolean =>
    leading?.sharing.handOver.runsHere(id) ?? emitters.get(id) !== undefined;
  const runsElsewhere = new RunsElsewhere();
  const left: TakenEmitter[] = [];
  const deliveries = createOwnDeliveries({
    store,
    hold,
    signals,
    emitters,
    settings,
    openSecret: (sealed) => sealer.open(sealed),
    clock,
    closing,
    report,
  });
  await store.ownership.takeAll((taken) => {
    emitters.add(taken);
    left.push(taken);
    deliveries.take(taken.openDeliveries);
  });

  // What components keep and share outside of a run.
  const address = publicAddress(options.publicUrl);
  const dataStores = new DataStores({
    table: store.dataStores,
    now,
    newId: () => makeId('ds_'),
    changed: (id) => signals.emit('dataStore', id),
  });
  const files = new SharedFiles({
    folder: join(folder.path, 'files'),
    clock,
    newId: () => filePrefix + randomBase62(22, secureRandom),
    url: address.endpointUrl,
  });
  await files.open();
  closing.push(() => files.close());
  const stashDir = await openStash(join(folder.path, 'stash'));
  const legsDir = await openStash(join(folder.path, 'legs'));

  // From a file to a process that has loaded it.
  const limits = {
    memoryMb: settings['run.memoryMb'],
    timeoutMs: settings['run.timeoutSeconds'] * 1000,
    outputMb: settings['run.outputMb'],
  };
  const hostList = createHostList(join(folder.path, 'hosts.json'));
  for (const pid of await hostList.endLeftovers())
    log('warn', `Ended process ${pid}, left by a runtime that was killed`);
  const hosts = createHosts({
    entry: join(options.dist, 'component-host.js'),
    execPath: process.execPath,
    redirects: options.redirects,
    env: process.env,
    spareMemoryMb: limits.memoryMb,
    onRequest: (request: AskedOfRuntime) => {
      switch (request.of) {
        case 'file':
          return files.answer(request);
        case 'workflow':
          return Promise.resolve(request).then(({ id }) => findWorkflow(store, id).id);
        case 'data_store':
          return dataStores.answer(request);
      }
    },
    onFork: (record) => hostList.add(record),
    onExit: (record) => hostList.remove(record),
  });
  closing.push(() => hosts.close());
  const components = createComponents({
    folder: join(folder.path, 'deployments'),
    packagesFolder: join(folder.path, 'packages'),
    hosts,
    code: node?.code,
    installPolicy: settings['packages.install'],
    usesAppFiles: (entry, files) => companions.learn(entry, files),
    ...(settings['npm.path'] === '' ? {} : { npmPath: settings['npm.path'] }),
  });

  const savedComponents = new SavedComponents({
    store,
    components,
    code: node?.code,
    newId: makeId,
    now,
    log,
  });

  // Components of others: where they are found, whom the user trusts, what was locked.
  const workspace = join(folder.path, '..');
  const { places, registries, registry } = openRegistry({
    configFolder,
    workspace,
    settings,
    now,
    definers: (slugs) => apps.definers(slugs),
  });
  await companions.open();

  // What a person does with code before it is deployed, and beside its runs: debugging and forms.
  const debugging = new Debugging({
    components,
    clock,
    waitMs: debuggerWaitMs,
    opened: (debugged) => signals.emit('debug', debugged),
    changed: ({ sourceId }) => {
      // Processes behind forms that were started before know nothing of it.
      formHosts.close();
      if (sourceId !== null) signals.emit('source', sourceId);
    },
  });
  const sourceLogs = { store, emitters, signals, now, log };
  const usedApps = new UsedApps(() =>
    [...store.components.all(), ...store.sources.all()].map(({ definition }) => definition),
  );
  const prepare: PrepareOptions = {
    components: debugging.components,
    saved: store.components,
    codeFolder: join(folder.path, 'code'),
    foreign: async (reference, { signal = new AbortController().signal, progress, adHoc }) => {
      const context = { signal, adHoc, progress: (message: string) => progress?.(message) };
      return (await registry.obtain(reference, context)).path;
    },
    locked: (reference) => registry.lockedFile(reference),
    limits,
    now,
    hostEvents: (sourceId) => processLog(sourceLogs, sourceId),
    loaded: (definition) => usedApps.learn(definition),
    accountsOf: (configured) => accounts.credentialsOf(accountIds(configured)),
    freshen: (configured) => keeper.freshen(accountIds(configured), limits.timeoutMs),
    unauthorized: (configured) => keeper.unauthorized(accountIds(configured)),
    accountsOfApp: (app) => accounts.all().filter((account) => account.app === app),
    sendsEvents: (app) => apps.find(app)?.definition.webhook !== undefined,
  };
  const formHosts = new FormHosts({
    open: (deployment, signal) =>
      loadDeployment(debugging.components, deployment, {
        sourceId: null,
        limits: { ...limits, timeoutMs: Math.min(limits.timeoutMs, longestFormCallMs) },
        signal,
        onLog: (lines) => {
          for (const { text } of lines) log('info', `${deployment.path ?? 'code'}: ${text}`);
        },
      }),
    clock,
    idleMs: formIdleMs,
    most: mostFormHosts,
  });
  closing.push(() => formHosts.close());
  const forms = new Forms({
    hosts: formHosts,
    origins: { ...prepare, components: withRecentBuilds(components, now) },
    accountsOf: prepare.accountsOf,
    freshen: prepare.freshen,
  });
  const propSets = new PropSets(() => makeId('dyp_'));

  const configuration = { emitters, accounts, sealer, endpointUrl: address.endpointUrl, stashDir };
  const running = createRunningSources({
    store,
    hold,
    signals,
    emitters,
    settings,
    clock,
    log,
    closing,
    openHost: ({ record, deployment }) =>
      debugging.components.open(deployment, {
        sourceId: record.id,
        limits,
        ...prepare.hostEvents(record.id),
      }),
    configuration: (record) => hostConfiguration(configuration, record),
    freshen: ({ configuredProps }) => prepare.freshen(configuredProps),
    unauthorized: ({ configuredProps }) => prepare.unauthorized(configuredProps),
    components,
    kinds,
    inbox,
    ...(node !== undefined && { elsewhere: runsElsewhere }),
    report,
  });
  const { instances, invocations, dueEmits, timers } = running;
  const appHooks = new AppHooks({
    apps,
    secrets: signingSecrets,
    hooks: () => instances.appHooks(),
    accounts: () => accountParts.table.all(),
    inbox,
    invocations: store.invocations,
    now,
    tell: (id, text) =>
      appendLog(sourceLogs, id, { at: now(), kind: 'system', level: 'warn', text }),
    report,
  });
  signals.on('emitterDeleted', (id) => appHooks.forget(id));
  const environment = new Environment({
    settings: store.settings,
    seal: (text) => sealer.seal(text),
    open: (sealed) => sealer.open(sealed),
    fits: (sealed) => sealer.fits(sealed),
    now,
    // Of the workspace, whose folder the data folder lies in.
    file: join(folder.path, '..', '.env'),
  });
  const runningWorkflows = await createRunningWorkflows({
    store,
    hold,
    signals,
    emitters,
    settings,
    clock,
    log,
    closing,
    data: folder.path,
    redirects: options.redirects,
    limits,
    components,
    open: (...opened) => debugging.components.open(...opened),
    hostEvents: prepare.hostEvents,
    accounts,
    prepare,
    freshen: (ids, ms) => keeper.freshen(ids, ms),
    hasAccounts: () => keeper.hasAny,
    unauthorized: (ids) => keeper.unauthorized(ids),
    environment,
    stashDir,
    legsDir,
    endpointUrl: address.endpointUrl,
    running,
    kinds,
    inbox,
    runsHere,
    isWatched: () => rpc.clients > 0,
    tested: (id) => {
      workflows.endTest(id).catch((error: unknown) => {
        if (!WeirError.is(error, 'store_failed'))
          report(`The test of ${id} could not be ended`, error);
      });
    },
    report,
  });
  const { instances: workflowInstances, executions, keys: executionKeys, sends } = runningWorkflows;
  const { resumeUrl } = runningWorkflows;
  const lifecycle = new Lifecycle({
    store,
    signals,
    savedComponents,
    emitters,
    instances,
    invocations,
    accounts,
    sealer,
    timers,
    prepare,
    newId: makeId,
    now,
    log,
  });
  const workflows = new Workflows({
    store,
    signals,
    emitters,
    instances: workflowInstances,
    executions,
    inbox,
    runsHere,
    inUseElsewhere:
      node === undefined
        ? undefined
        : async () => (leading === undefined ? [] : leading.deploymentsInUse()),
    timers,
    components,
    savedComponents,
    prepare,
    workspace,
    scripts: {
      dist: options.dist,
      packagesFolder: join(folder.path, 'packages'),
      installPolicy: settings['packages.install'],
    },
    newId: makeId,
    slugOf: (name) => slugOf(name, 'workflow'),
    now,
  });
  await restore({ store, emitters, components, instances, log });
  await workflows.restore();
  // What this folder has from before it shared a database.
  if (node !== undefined) await shareCode(node.code, join(folder.path, 'deployments'));
  await removeUnusedCodeFiles(
    prepare.codeFolder,
    store.components.all().map(({ path }) => path),
  );

  // Another runtime changes an account that is kept for the user.
  closing.push(
    accountParts.watch((id) => {
      lifecycle.accountChanged(id);
      signals.emit(accounts.find(id) === undefined ? 'accountDeleted' : 'account', id);
    }),
  );

  // What is done when there is time.
  closing.push(startRetention({ store, emitters, signals, settings, clock, log }));
  closing.push(startSearchIndex({ store, emitters, signals, clock, log }));
  closing.push(giveBackSpareMemory(ownCollector(), clock));

  const { shared: sharedStore } = store;
  const leading: Leading | undefined =
    node === undefined || sharedStore === undefined
      ? undefined
      : createLeading({
          store,
          shared: sharedStore,
          link: node.link,
          signals,
          emitters,
          kinds,
          inbox,
          running,
          runningWorkflows,
          deliveries,
          components,
          clock,
          closing,
          runs: runsElsewhere,
          isFollowed: () =>
            rpc.clients > 0 || api.streams() > 0 || metrics.isOn || options.traces !== undefined,
          requested: (requests) => metrics.requestedElsewhere(requests),
          debugging,
          keeper,
          dataStores,
          files,
          environment,
          runMs: limits.timeoutMs,
          log,
          report,
        });

  // Nobody waits for what a crash cut off.
  await store.actionRuns.endLost(now());
  await takeAgentRuns(folder.path, store.actionRuns);

  // What others see of it, and the one listener that they all come in by.
  const startedAt = new Date(now()).toISOString();
  const intake = leading?.sharing.intake ?? inbox;
  const shared = {
    store,
    signals,
    emitters,
    inbox,
    intake,
    lifecycle,
    invocations,
    instances,
    components,
    savedComponents,
    prepare,
    forms,
    propSets,
    debugging,
    deliveries: {
      redeliver: (n: number) => leading?.redeliver(n) ?? deliveries.redeliver(n),
      forget: (id: string) => deliveries.forget(id),
    },
    bring: leading && ((id: string) => leading.bring(id)),
    stopRun: (id: string, n: number) => leading?.stopRun(id, n) ?? invocations.stopOne(id, n),
    lastRunOf: (id: string) => emitters.get(id)?.lastRun ?? runsElsewhere.lastOf(id),
    ...accountParts,
    usedApps,
    appHooks,
    log,
    dataStores,
    sealer,
    workflows,
    workflowInstances,
    executions: leading?.executions ?? executions,
    executionKeys,
    resumeUrl,
    after: (ms: number, call: () => void) => clock.after(ms, call),
    keepFile: (bytes: Uint8Array, about: { filename: string; contentType: string }) =>
      files.keep(bytes, about),
    environment,
    environmentChanged: () => workflowInstances.reconfigure(),
    newId: makeId,
    now,
    endpointUrl: address.endpointUrl,
    stashDir,
    probation: running.probation,
    dist: options.dist,
    workspace,
    places,
    registries,
    registry,
    dataFolder: folder.path,
    accountNamed: (idOrName: string) => findNamed('account', accounts.all(), idOrName).id,
    hasProgram: (name: string) => isOnPath(name, process.env['PATH'] ?? ''),
  };
  /** Where what agents are offered is looked for. */
  const agentsWorkspace = join(folder.path, '..');
  const handlers = createHandlers({
    ...shared,
    keys,
    uploads: new Uploads(join(folder.path, 'uploads')),
    version,
    accountMask: (deployment) =>
      accountMask(accounts.credentialsOf(runningWorkflows.accountsOfSteps(deployment))),
    info: () => ({
      version,
      url: server.url,
      public_url: options.publicUrl ?? null,
      outside_url: server.outside?.url ?? null,
      pid: process.pid,
      data_folder: folder.path,
      started_at: startedAt,
      clients: rpc.clients,
      hosts: hosts
        .list()
        .map((host) => ({ pid: host.pid, source_id: host.sourceId, in_flight: host.inFlight })),
    }),
    copy: (file) =>
      writeBackup({
        store,
        keepingCode: (task) => savedComponents.adding(task),
        sqlJs,
        root: folder.path,
        file,
      }),
    user: {
      id: await store.settings.ensure('userId', makeId('u_')),
      username: userName(),
    },
    stop: () => setImmediate(() => void stop()),
    describeOffers: async (offers, { caller, ...own }) => {
      const { describeOffers } = await import('../../mcp/main.ts');
      const call = agentCalls(operations, changes);
      return describeOffers(
        { call: (name, params) => call(caller, name, params, own) },
        offers,
        agentsWorkspace,
      );
    },
  });
  const operations = createOperations(
    handlers,
    report,
    () => store.flush(),
    () => store.failure ?? store.unreachable,
    leading,
  );
  const elapsed = () => clock.elapsed();
  const keyLimit = createRateLimit(settings['limits.keyPerSecond'], elapsed);
  const requestLog =
    options.requestLog === undefined ? undefined : openRequestLog(options.requestLog, now, log);
  closing.push(() => requestLog?.close());
  if (options.traces !== undefined) {
    const { createTracing } = await import('../api/tracing/tracing.ts');
    const tracing = createTracing({
      url: options.traces,
      version,
      signals,
      emitter: (id) =>
        kindOf(id) === 'workflow'
          ? named('workflow', store.workflows.get(id))
          : named('source', store.sources.get(id)),
      steps: (n) => store.executions.steps(n),
      mask: () => environment.mask,
      warn: (message) => log('warn', message),
      now,
    });
    closing.push(() => tracing.close());
  }
  const metrics = new MetricsOnDemand(
    () => ({
      version,
      signals,
      kindOf: (id) => (kindOf(id) === 'workflow' ? 'workflow' : 'source'),
      emitters: () => [
        ...store.sources.all().map(({ id, name }) => ({ id, name, kind: 'source' as const })),
        ...store.workflows.all().map(({ id, name }) => ({ id, name, kind: 'workflow' as const })),
      ],
      depths: () => ({
        runs: sumOf(instances.all().map(({ runner }) => runner.depth)),
        executions: executions.depth,
        deliveries: deliveries.depth,
        clients: rpc.clients,
        processes: hosts.list().length,
      }),
    }),
    requestLog?.write,
  );
  const changes = createChangeFeed(shared);
  const rpc = createRpcFace({
    operations,
    changes,
    hello: { protocol: protocolVersion, version, pid: process.pid },
    keyLimit,
    get onRequested() {
      return metrics.onRequested;
    },
    report,
    warn: (message) => log('warn', message),
  });
  const api = createApi({
    operations,
    store,
    signals,
    report,
    workflowAt: (stream) => executionKeys.workflowAt(stream),
    metrics: async () => {
      await leading?.follow();
      return metrics.read();
    },
    ...(leading && { follow: () => leading.follow() }),
  });
  const agents = createMcpFace(async () => {
    const { createAgentSessions } = await import('../../mcp/main.ts');
    return createAgentSessions({
      dataFolder: folder.path,
      workspace: agentsWorkspace,
      report: (message) => log('warn', `Agents: ${message}`),
      call: agentCalls(operations, changes),
      local: localCaller,
      apiKey,
      onChanges: (listener) => changes.subscribe(listener),
      now,
    });
  }, report);
  keys.onRemoved((caller) => {
    const reason = `The key "${caller.name}" was removed.`;
    rpc.close(reason, caller);
    api.closeOf(caller, reason);
    agents.close(caller);
    server.endOf(caller);
  });
  const endpoints = createEndpoints({
    store,
    elsewhere: leading?.sharing,
    kinds,
    appHooks,
    intake,
    executions: shared.executions,
    executionKeys,
    files,
    publicStream: (request, response, refuse) => api.publicStream(request, response, refuse),
    settings,
    visitorOf,
    clock,
    warnOfLoop: (sourceId, text) =>
      appendLog(sourceLogs, sourceId, { at: now(), kind: 'system', level: 'warn', text }),
    report,
  });
  let stopping: Promise<void> | undefined;
  let isStarted = false;
  const isDiskFull = diskFullness(folder.path, settings['health.freeMb'] * 1024 * 1024, elapsed);
  // The same in every start of a data folder; so is the port, when it is free.
  const apiKey = await loadApiKey(store.settings, sealer);
  const ports =
    node === undefined ? portsInSettings(store.settings) : await portsInFolder(folder.path);
  await node?.beforeListening();
  const certificate =
    reach.outside?.tls === undefined
      ? undefined
      : await openCertificate({ files: reach.outside.tls, clock, log });
  closing.push(() => certificate?.close());
  const server = await createServer({
    ...(reach.localHost === undefined ? {} : { host: reach.localHost }),
    port: localPort(ports, options.port, reach.outside !== undefined),
    outside:
      reach.outside === undefined
        ? undefined
        : {
            ...reach.outside,
            port: {
              asked: options.port,
              remembered: ports.get('outsidePort'),
            },
            certificate,
          },
    names: reach.names,
    visitorOf: reach.visitorOf,
    apiKey,
    callerOf: (key) => keys.callerOf(key),
    endpoint: (request, response, refuse) => endpoints.handle(request, response, refuse),
    api: (request, response, refuse, caller) =>
      isForMcp(request.url ?? '/')
        ? agents.handle(request, response, refuse, caller)
        : api(request, response, refuse, caller),
    signer: (request, response) => accountParts.signer.answer(request, response),
    upgrade: (request, socket, head, caller, visitor) =>
      rpc.upgrade(request, socket, head, caller, visitor),
    clock,
    keyLimit,
    get onRequested() {
      return metrics.onRequested;
    },
    emitterOf: (url) => endpoints.emitterOf(url),
    health: async () => {
      if (stopping !== undefined) return 'stopping';
      if (!isStarted) return 'starting';
      if ((store.failure ?? store.unreachable) !== undefined) return 'store_failed';
      return (await isDiskFull()) ? 'disk_full' : undefined;
    },
    ending: () =>
      stopping === undefined
        ? undefined
        : new WeirError('runtime_unavailable', 'The runtime is stopping.'),
    warn: (message) => log('warn', message),
    report,
  });
  // What runs here has ended by then; what callers wait for at other nodes goes on.
  closing.push(() => server.close(node && stopGraceMs));
  address.listensAt(
    server.outside === undefined || isWildcard(reach.outside?.host)
      ? server.url
      : server.outside.url,
  );

  // In this turn of the loop: nothing that comes in now stands before what was left.
  const found = left.flatMap((taken) => {
    const emitter = emitters.get(taken.id);
    return emitter === undefined ? [] : [{ ...taken, emitter }];
  });
  inbox.recover(found);
  for (const { pendingSends } of found) sends.enqueue(pendingSends);
  left.length = 0;
  leading?.takeIn();
  lifecycle.startTimers();
  workflows.startTimers();
  executions.start();
  dueEmits.start();
  deliveries.start();
  await ports.set('port', server.port);
  if (server.outside !== undefined) await ports.set('outsidePort', server.outside.port);

  const { pid } = process;
  const file = { url: server.url, pid, apiKey, version, startedAt, folder: folderId(folder.path) };
  await folder.announce(file);
  await leading?.start();
  isStarted = true;
  hosts.warm();
  // Without a source it was started to deploy one. If esbuild cannot run, whoever deploys is told.
  if (store.sources.all().length === 0) warmBundler().catch(() => undefined);
  for (const warning of reach.warnings) log('warn', warning);
  const outsideUrl = server.outside?.url;
  const elsewhere = outsideUrl === undefined ? '' : `, and callers from elsewhere at ${outsideUrl}`;
  log('info', `Weir ${version} serves ${folder.path} at ${server.url}${elsewhere}`);

  /** What is in flight may end; what waits is left to the next start. */
  const holdRuns = (): void => {
    leading?.stop();
    timers.close();
    dueEmits.close();
    invocations.stop();
    executions.stop();
    sends.stop();
    for (const { runner } of instances.all()) runner.stop();
  };
  closing.push(
    watchPlace({
      inPlace: () => folder.inPlace() && store.inPlace(),
      lost: () => {
        // What runs now cannot be stored; all else is better off with the next start.
        holdRuns();
        store.fail(
          new WeirError(
            'store_failed',
            `The data folder ${folder.path} was deleted, moved away or replaced while the runtime with pid ${process.pid} used it: stop that runtime, and start it again.`,
          ),
        );
      },
      clock,
    }),
  );
  let hasEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      log('info', 'Stopping');
      rpc.close('The runtime is stopping.');
      api.close('The runtime is stopping.');
      agents.close();
      holdRuns();
      // What ends now can be stored, or else somebody else runs it.
      const graceMs = store.failure === undefined ? stopGraceMs : 0;
      await Promise.all([
        ...instances.all().map(({ runner }) => runner.drain(graceMs)),
        settledWithin(clock, graceMs, executions.drained()),
        settledWithin(clock, graceMs, sends.settled()),
      ]);
      await closing.closeAll();
      hasEnded();
    })();
    return stopping;
  };
  return {
    take: (socket, by) => server.take(socket, by),
    hold: (isHeld) => hold.setPaused(isHeld),
    file,
    outsideUrl,
    onClients: (listener) => void rpc.onClients(listener),
    stop,
    ended,
  };
}

function sumOf(depths: readonly Depth[]): Depth {
  return {
    waiting: depths.reduce((sum, { waiting }) => sum + waiting, 0),
    running: depths.reduce((sum, { running }) => sum + running, 0),
  };
}

function named<K>(
  kind: K,
  record: { readonly name: string } | undefined,
): { readonly name: string; readonly kind: K } | undefined {
  return record && { name: record.name, kind };
}
