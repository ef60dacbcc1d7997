/**
 * A node that follows: it runs the sources that the leading node gives it, takes in requests for all of them, and
 * passes on everything else. What happens here is told to the leading node, where people and programs follow it.
 */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { WeirError } from '../protocol/errors.ts';
import { Accounts } from './accounts/accounts.ts';
import type { SealingKey } from './accounts/key-file.ts';
import { createSealer } from './accounts/seal.ts';
import { systemClock as clock } from './clock.ts';
import { createClosing } from './closing.ts';
import type { NodeHandlers } from './cluster/peer.ts';
import type { NodeLink } from './cluster/node-link.ts';
import { tellSignals } from './cluster/told-signals.ts';
import { createComponents } from './components/deployments/components.ts';
import { createFollowerEndpoints } from './composition/follower-endpoints.ts';
import { createOwnDeliveries } from './composition/own-deliveries.ts';
import { createRunningSources } from './composition/running-sources.ts';
import { createSharing, type Sharing } from './composition/sharing.ts';
import { OwnedEmitters } from './emitters/owned-emitters.ts';
import { openStash } from './files/stash.ts';
import { createHosts } from './hosts/hosts.ts';
import { createHostList } from './hosts/leftovers.ts';
import { newId, secureRandom } from './ids.ts';
import { hostConfiguration } from './lifecycle/host-configuration.ts';
import { processLog } from './lifecycle/process-log.ts';
import { describeError, type Log } from './log.ts';
import { isDue, isOver } from './oauth/freshness.ts';
import { findWorkflow } from './operations/find-workflow.ts';
import { accountIds } from './props/configured.ts';
import { publicAddress } from './public-address.ts';
import { planReach, type ReachOptions } from './reach.ts';
import { startRetention } from './retention.ts';
import { startSearchIndex } from './search-index.ts';
import type { Settings } from './settings.ts';
import { Signals } from './signals.ts';
import type { CodeTable } from './store/code.ts';
import type { ConfigurationChanges, SharedStore } from './store/shared.ts';
import type { SourceRecord } from './store/configuration/sources.ts';
import type { Store } from './store/store.ts';

export interface FollowerOptions extends ReachOptions {
  /** Absolute path of the data folder, which this node has. */
  readonly data: string;
  /** Folder of the built files. */
  readonly dist: string;
  readonly settings: Settings;
  readonly redirects: Readonly<Record<string, string>>;
  readonly store: Store;
  readonly shared: SharedStore;
  readonly code: CodeTable;
  readonly key: SealingKey;
  readonly channelKey: Buffer;
  readonly link: NodeLink;
  /** Where this node takes requests in: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `HOST:PORT` of the node that leads; undefined while there is none. */
  readonly leader: () => string | undefined;
  readonly log: Log;
}

export interface Follower {
  /**
   * Serves a connection of a caller.
   * @param target of its first request
   * @returns false when that is not for a source, and while it does not know the configuration as it is
   */
  take(socket: Socket, by: 'local' | 'outside', target: string): boolean;
  /** While true no run and no delivery begins: others may be about to do the same. */
  hold(isHeld: boolean): void;
  /** Ends what runs here and gives everything back, for the next owner to go on with. Callers that wait stay. */
  stop(): Promise<void>;
  /** Somebody is connected still. */
  readonly hasCallers: boolean;
  /** Ends what callers are left, after `stop`. */
  close(): void;
}

/** Long enough for a run in flight to end, short enough for whoever waits. */
const stopGraceMs = 3000;
/** So long the leading node is waited for with a token that is due. */
const freshenMs = 15_000;

export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { data, settings, store, shared, link, log, key } = options;
  const closing = createClosing((where, error) =>
    log('error', `${where}: ${describeError(error)}`),
  );
  try {
    return await start(options);
  } catch (error) {
    await closing.closeAll();
    throw error;
  }

  async function start({ dist, redirects, code, leader }: FollowerOptions): Promise<Follower> {
    const now = () => clock.now();
    const signals = new Signals();
    const sealer = createSealer(key);
    const report = (where: string, error: unknown) =>
      log('error', `${where}: ${describeError(error)}`);
    const address = publicAddress(options.publicUrl);
    address.listensAt(options.url);
    const emitters = new OwnedEmitters();
    const deliveries = createOwnDeliveries({
      store,
      signals,
      emitters,
      settings,
      openSecret: (sealed) => sealer.open(sealed),
      clock,
      closing,
      report,
    });
    const accounts = new Accounts({
      table: store.accounts,
      sealer,
      now,
      newId: () => newId('apn_', secureRandom),
    });
    const limits = {
      memoryMb: settings['run.memoryMb'],
      timeoutMs: settings['run.timeoutSeconds'] * 1000,
      outputMb: settings['run.outputMb'],
    };
    const hostList = createHostList(join(data, 'hosts.json'));
    for (const pid of await hostList.endLeftovers())
      log('warn', `Ended process ${pid}, left by a runtime that was killed`);
    const hosts = createHosts({
      entry: join(dist, 'component-host.js'),
      execPath: process.execPath,
      redirects,
      env: process.env,
      spareMemoryMb: limits.memoryMb,
      onRequest: async (request) => {
        if (request.of === 'workflow') return findWorkflow(store, request.id).id;
        // A source that keeps files or has a data store stays at the leading node.
        throw new WeirError('conflict', 'Files and data stores are at the node that leads.');
      },
      onFork: (record) => hostList.add(record),
      onExit: (record) => hostList.remove(record),
    });
    closing.push(() => hosts.close());
    const components = createComponents({
      folder: join(data, 'deployments'),
      packagesFolder: join(data, 'packages'),
      hosts,
      code,
      installPolicy: 'never',
    });
    const stashDir = await openStash(join(data, 'stash'));
    const configuration = {
      emitters,
      accounts,
      sealer,
      endpointUrl: address.endpointUrl,
      stashDir,
    };
    let places: Readonly<Record<string, string>> = {};
    /** The leading node has what no other is known to have. */
    const placeOf = (id: string): string | undefined => {
      const place = places[id] ?? leader();
      return place === link.address ? undefined : place;
    };
    const askLeader = async (ids: readonly string[]): Promise<void> => {
      const place = leader();
      if (place === undefined) throw new WeirError('runtime_unavailable', 'No node leads.');
      const peer = await link.peers.to(place);
      await peer.call('freshen', { accounts: ids }, freshenMs);
    };
    /** The leading node refreshes; a token that lives still is used when it does not. */
    const freshen = ({ configuredProps }: SourceRecord): Promise<void> | undefined => {
      const due = accountIds(configuredProps).filter((id) => {
        const health = accounts.health(id);
        return health !== undefined && isDue(health, now(), limits.timeoutMs);
      });
      if (due.length === 0) return undefined;
      return askLeader(due).catch((error: unknown) => {
        const isGone = due.some((id) => {
          const health = accounts.health(id);
          return health !== undefined && isOver({ ...health, canRefresh: false }, now());
        });
        if (isGone) throw error;
      });
    };
    const tellLeader = (tell: (peer: Awaited<ReturnType<NodeLink['peers']['to']>>) => void) => {
      const place = leader();
      if (place === undefined) return;
      // Nobody follows what happens here while it does not answer.
      link.peers.to(place).then(tell, () => undefined);
    };
    const sourceLogs = { store, emitters, signals, now, log };
    const running = createRunningSources({
      store,
      signals,
      emitters,
      settings,
      clock,
      log,
      closing,
      openHost: ({ record, deployment }) =>
        components.open(deployment, {
          sourceId: record.id,
          limits,
          ...processLog(sourceLogs, record.id),
        }),
      configuration: (record) => hostConfiguration(configuration, record),
      freshen,
      unauthorized: ({ configuredProps }) =>
        tellLeader((peer) => peer.tell('unauthorized', { accounts: accountIds(configuredProps) })),
      workflows: () => undefined,
      leftToOthers: (ids) => sharing.ring(ids),
      report,
    });
    const { instances, invocations, timers, dueEmits } = running;
    const sharing: Sharing = createSharing({
      store,
      shared,
      link,
      signals,
      emitters,
      running,
      deliveries,
      components,
      clock,
      closing,
      placeOf,
      report,
    });
    let isWatched = false;
    tellSignals({
      signals,
      clock,
      isOwn: (id) => emitters.get(id) !== undefined,
      isRunning: (n) => invocations.isRunning(n),
      isWatched: () => isWatched,
      tell: (told) => tellLeader((peer) => peer.tell('told', { signals: told })),
    });
    closing.push(startRetention({ store, emitters, signals, settings, clock, log }));
    closing.push(startSearchIndex({ store, emitters, signals, clock, log }));

    const refreshed = (changes: ConfigurationChanges): void => {
      for (const id of changes.sources.changed) signals.emit('source', id);
      for (const id of changes.sources.deleted) signals.emit('emitterDeleted', id);
      for (const id of changes.webhooks.changed) signals.emit('webhook', id);
      for (const id of changes.webhooks.deleted) {
        deliveries.forget(id);
        signals.emit('webhookDeleted', id);
      }
      for (const id of changes.subscriptions.changed) signals.emit('subscription', id);
      for (const id of changes.subscriptions.deleted) signals.emit('subscriptionDeleted', id);
      const isOther = new Set([...changes.accounts.changed, ...changes.accounts.deleted]);
      for (const { record, runner } of instances.all()) {
        if (accountIds(record.configuredProps).some((id) => isOther.has(id))) runner.reconfigure();
      }
    };
    /** Which node has met this one, and had it read the configuration. */
    let metBy: string | undefined;
    let isMeeting: string | undefined;
    let refreshing: Promise<unknown> = Promise.resolve();
    let nextRefresh: Promise<null> | undefined;
    /** One after the other, as a later one reads what an earlier one has not; whoever asks before one begins shares it. */
    const refresh = (): Promise<null> => {
      if (nextRefresh !== undefined) return nextRefresh;
      const next = refreshing.then(async () => {
        nextRefresh = undefined;
        refreshed(await shared.refresh());
        return null;
      });
      nextRefresh = next;
      refreshing = next.catch(() => undefined);
      return next;
    };
    const handlers: NodeHandlers = {
      ...sharing.handlers,
      meet: ({ leader: by, isWatched: isFollowed }) => {
        isMeeting = by;
        isWatched = isFollowed;
        return {
          owned: emitters.all().map(({ id, lastRun }) => ({ id, lastRun: lastRun?.record() })),
        };
      },
      watch: (asked) => {
        ({ isWatched } = asked);
        return null;
      },
      refresh: async () => {
        await refresh();
        metBy = isMeeting;
        return null;
      },
      places: (told) => {
        ({ places } = told);
      },
      told: () => undefined,
      unauthorized: () => undefined,
      freshen: () => {
        throw new WeirError('conflict', 'This node does not lead.');
      },
    };
    const reach = planReach(options, true);
    const endpoints = createFollowerEndpoints({
      store,
      sharing,
      running,
      settings,
      visitorOf: reach.isOpen ? reach.visitorOf : undefined,
      clock,
      key: options.channelKey,
      leader,
      sourceLogs,
      report,
    });
    sharing.start();
    link.serve(handlers);
    dueEmits.start();
    deliveries.start();
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      link.serve(undefined);
      link.passingOn.pause();
      endpoints.leave();
      timers.close();
      dueEmits.close();
      invocations.stop();
      const graceMs = store.failure === undefined ? stopGraceMs : 0;
      for (const { runner } of instances.all()) runner.stop();
      await Promise.all(instances.all().map(({ runner }) => runner.drain(graceMs)));
      await closing.closeAll();
      if (store.failure !== undefined) return;
      // What cannot be given back now is free when this node has left, or was fenced.
      await Promise.allSettled(emitters.all().map((emitter) => shared.release(emitter)));
    };
    return {
      take: (socket, by, target) => {
        const place = leader();
        if (place !== undefined && place !== metBy) return false;
        return endpoints.take(socket, by, target);
      },
      hold(isHeld) {
        deliveries.hold(isHeld);
        for (const { runner } of instances.all()) runner.hold(isHeld);
      },
      stop: () => (stopping ??= stop()),
      get hasCallers() {
        return endpoints.hasCallers;
      },
      close: () => endpoints.close(),
    };
  }
}
