/** The outside of the runtime: the operations, and the interfaces. */
import { TestReports } from '../workflows/tests/outgoing.ts';
import { join } from 'node:path';
import { protocolVersion } from '../../protocol/rpc.ts';
import type { Sealer } from '../accounts/seal.ts';
import { createApi } from '../api/api.ts';
import { agentCalls, createMcpFace } from '../api/mcp.ts';
import type { Depth } from '../api/metrics/metrics.ts';
import { MetricsOnDemand } from '../api/metrics/metrics-on-demand.ts';
import { createChangeFeed } from '../api/operations/changes.ts';
import { findNamed } from '../api/operations/find-named.ts';
import { createHandlers, type HandlerParts } from '../api/operations/handlers.ts';
import { createOperations } from '../api/operations/operations.ts';
import { createRpcFace } from '../api/rpc.ts';
import { accountMask } from '../components/recordings/kept-requests.ts';
import type { Deliveries } from '../events/delivery/deliveries.ts';
import type { Inbox } from '../events/inbox.ts';
import type { Services } from '../events/services.ts';
import { localCaller } from '../server/access/caller.ts';
import type { Keys } from '../server/access/keys.ts';
import { createRateLimit } from '../server/rate-limit.ts';
import { openRequestLog } from '../server/request-log.ts';
import type { Server } from '../server/server.ts';
import { Uploads } from '../server/uploads/uploads.ts';
import { writeBackup } from '../store/backup/write.ts';
import { userName } from '../store/data-folder/data-folder.ts';
import type { SqlJsFiles } from '../store/engines.ts';
import type { RemoteRuns } from '../cluster/relayed-signals.ts';
import { isOnPath } from '../workflows/import/is-on-path.ts';
import { openCarryOvers } from './open-carry-overs.ts';
import type { LeaderRole } from './leader-role.ts';
import type { OpenedAccounts } from './open-accounts.ts';
import type { OpenedCode } from './open-code.ts';
import type { OpenedLifecycles } from './open-lifecycles.ts';
import type { RuntimeOptions } from './runtime-options.ts';

export interface OpenApiOptions extends Services {
  readonly runtime: RuntimeOptions;
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly accountParts: OpenedAccounts;
  readonly codeParts: OpenedCode;
  readonly lifecycles: OpenedLifecycles;
  /** Undefined where this runtime runs everything. */
  readonly leading: LeaderRole | undefined;
  readonly runsElsewhere: RemoteRuns;
  readonly sealer: Sealer;
  readonly inbox: Inbox;
  readonly deliveries: Deliveries;
  readonly keys: Keys;
  readonly sqlJs: SqlJsFiles;
  readonly apiKey: string;
  readonly startedAt: string;
  readonly endpointUrl: (id: string) => string;
  /** Made after this: nothing asks before it listens. */
  readonly server: () => Server;
  readonly stop: () => void;
}

export type OpenedApi = Awaited<ReturnType<typeof openApi>>;

/** Registers its own cleanup with `closing`, but for connections and streams: `close` ends them. */
export async function openApi(options: OpenApiOptions) {
  const { store, signals, settings, clock, now, log, closing, report, leading, keys } = options;
  const { version } = options.runtime;
  const { running } = options.lifecycles;
  const parts = handlerParts(options);
  const agentsWorkspace = join(options.data, '..');
  const handlers = createHandlers({
    ...parts,
    ...(await runtimeParts(options, () => rpc.clients)),
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
  const keyLimit = createRateLimit(settings['limits.keyPerSecond'], () => clock.elapsed());
  const { requestLog: logFile } = options.runtime;
  const requestLog = logFile === undefined ? undefined : openRequestLog(logFile, now, log);
  closing.push(() => requestLog?.close());
  await openTracing(options);
  const metrics = createMetrics(options, () => rpc.clients, requestLog?.write);
  const changes = createChangeFeed(parts);
  const warn = (message: string): void => log('warn', message);
  const rpc = createRpcFace({
    operations,
    changes,
    hello: { protocol: protocolVersion, version, pid: process.pid },
    keyLimit,
    get onRequested() {
      return metrics.onRequested;
    },
    report,
    warn,
  });
  const { keys: executionKeys } = running.workflows;
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
      dataFolder: options.data,
      workspace: agentsWorkspace,
      report: (message) => warn(`Agents: ${message}`),
      call: agentCalls(operations, changes),
      local: localCaller,
      apiKey: options.apiKey,
      onChanges: (listener) => changes.subscribe(listener),
      now,
    });
  }, report);
  keys.onRemoved((caller) => {
    const reason = `The key "${caller.name}" was removed.`;
    rpc.close(reason, caller);
    api.closeOf(caller, reason);
    agents.close(caller);
    options.server().endOf(caller);
  });
  return {
    api,
    rpc,
    agents,
    metrics,
    keyLimit,
    intake: parts.intake,
    executions: parts.executions,
    executionKeys,
    /** Somebody follows what happens. */
    isFollowed: () =>
      rpc.clients > 0 || api.streams() > 0 || metrics.isOn || options.runtime.traces !== undefined,
    close(reason: string): void {
      rpc.close(reason);
      api.close(reason);
      agents.close();
    },
  };
}

/** The parts for handlers of operations and the feed of changes. */
function handlerParts(options: OpenApiOptions) {
  const { emitters, clock, leading, deliveries, inbox, runsElsewhere, data } = options;
  const { accountParts, codeParts, lifecycles } = options;
  const { running, workflows, environment } = lifecycles;
  const { invocations, instances, probation } = running.sources;
  const { files } = codeParts;
  const { instances: workflowInstances, executions, keys, resumeUrl } = running.workflows;
  const { accounts } = accountParts;
  return {
    ...options,
    ...accountParts,
    ...codeParts,
    ...lifecycles,
    intake: leading?.sharing.intake ?? inbox,
    invocations,
    instances,
    probation,
    deliveries: {
      redeliver: (n: number) => leading?.redeliver(n) ?? deliveries.redeliver(n),
      forget: (id: string) => deliveries.forget(id),
    },
    bring: leading && ((id: string) => leading.bring(id)),
    stopRun: (id: string, n: number) => leading?.stopRun(id, n) ?? invocations.stopOne(id, n),
    lastRunOf: (id: string) => emitters.get(id)?.lastRun ?? runsElsewhere.lastOf(id),
    workflows,
    workflowInstances,
    executions: leading?.executions ?? executions,
    executionKeys: keys,
    resumeUrl,
    after: (ms: number, call: () => void) => clock.after(ms, call),
    keepFile: (bytes: Uint8Array, about: { filename: string; contentType: string }) =>
      files.keep(bytes, about),
    environment,
    environmentChanged: () => workflowInstances.reconfigure(),
    dist: options.runtime.dist,
    workspace: join(data, '..'),
    dataFolder: data,
    accountNamed: (idOrName: string) => findNamed('account', accounts.all(), idOrName).id,
    testReports: new TestReports(),
    hasProgram: (name: string) => isOnPath(name, process.env['PATH'] ?? ''),
    carryOvers: openCarryOvers(options, () => workflowInstances.reconfigure()),
  };
}

/** The parts for operations on the runtime itself. */
async function runtimeParts(
  options: OpenApiOptions,
  clients: () => number,
): Promise<
  Pick<
    HandlerParts,
    'keys' | 'uploads' | 'version' | 'accountMask' | 'info' | 'copy' | 'user' | 'stop'
  >
> {
  const { store, newId, data, keys, sqlJs, server } = options;
  const { version, publicUrl } = options.runtime;
  const { hosts, savedComponents } = options.codeParts;
  const { accounts } = options.accountParts;
  const { accountsOfSteps } = options.lifecycles.running.workflows;
  return {
    keys,
    uploads: new Uploads(join(data, 'uploads')),
    version,
    accountMask: (deployment) => accountMask(accounts.credentialsOf(accountsOfSteps(deployment))),
    info: () => ({
      version,
      url: server().url,
      public_url: publicUrl ?? null,
      outside_url: server().outside?.url ?? null,
      pid: process.pid,
      data_folder: data,
      started_at: options.startedAt,
      clients: clients(),
      hosts: hosts
        .list()
        .map((host) => ({ pid: host.pid, source_id: host.sourceId, in_flight: host.inFlight })),
    }),
    copy: (file) =>
      writeBackup({
        store,
        keepingCode: (task) => savedComponents.adding(task),
        sqlJs,
        root: data,
        file,
      }),
    user: {
      id: await store.settings.ensure('userId', newId('u_')),
      username: userName(),
    },
    stop: options.stop,
  };
}

async function openTracing(options: OpenApiOptions): Promise<void> {
  const { store, kinds, closing, runtime, log } = options;
  if (runtime.traces === undefined) return;
  const { createTracing } = await import('../api/tracing/tracing.ts');
  const tracing = createTracing({
    ...options,
    url: runtime.traces,
    version: runtime.version,
    emitter: (id) => {
      const { name: kind, records } = kinds.of(id);
      const emitter = records.get(id);
      return emitter && { name: emitter.name, kind };
    },
    steps: (n) => store.executions.steps(n),
    mask: () => options.lifecycles.environment.mask,
    warn: (message) => log('warn', message),
  });
  closing.push(() => tracing.close());
}

function createMetrics(
  options: OpenApiOptions,
  clients: () => number,
  write: ConstructorParameters<typeof MetricsOnDemand>[1],
): MetricsOnDemand {
  const { signals, kinds, deliveries, lifecycles } = options;
  const { instances } = lifecycles.running.sources;
  const { executions } = lifecycles.running.workflows;
  return new MetricsOnDemand(
    () => ({
      version: options.runtime.version,
      signals,
      kindOf: (id) => kinds.of(id).name,
      emitters: () =>
        kinds
          .all()
          .flatMap(({ name: kind, records }) =>
            records.all().map(({ id, name }) => ({ id, name, kind })),
          ),
      depths: () => ({
        runs: sumOf(instances.all().map(({ runner }) => runner.depth)),
        executions: executions.depth,
        deliveries: deliveries.depth,
        clients: clients(),
        starts: options.codeParts.hosts.starts,
        processes: options.codeParts.hosts.list().length,
      }),
    }),
    write,
  );
}

function sumOf(depths: readonly Depth[]): Depth {
  return {
    waiting: depths.reduce((sum, { waiting }) => sum + waiting, 0),
    running: depths.reduce((sum, { running }) => sum + running, 0),
  };
}
