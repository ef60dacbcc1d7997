/**
 * A node that follows: it runs the sources and workflows that the leading node gives it, takes in requests for all of
 * them, and passes on everything else. What happens here is told to the leading node, where people and programs follow it.
 */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { kindOf } from '../../protocol/ids.ts';
import { Accounts } from '../accounts/accounts.ts';
import type { SealingKey } from '../accounts/key-file.ts';
import { createSealer } from '../accounts/seal.ts';
import { settledWithin } from '../base/clock.ts';
import { createClosing } from '../base/closing.ts';
import { nodeProtocol } from '../cluster/node-protocol.ts';
import type { NodeLink, RunningHandlers } from '../cluster/node-link.ts';
import type { Peer } from '../cluster/peer.ts';
import { tellRequests } from '../cluster/told-requests.ts';
import { tellSignals } from '../cluster/told-signals.ts';
import { createComponents } from '../components/deployments/components.ts';
import { askLeader, withBytes } from './ask-leader.ts';
import { followConfiguration } from './follow-configuration.ts';
import { createFollowerEndpoints } from './follower-endpoints.ts';
import { createOwnDeliveries } from './own-deliveries.ts';
import { createRunningSources } from './running-sources.ts';
import { createRunningWorkflows, type RunningWorkflows } from './running-workflows.ts';
import { createSharing, type Sharing } from './sharing.ts';
import { Environment } from '../accounts/environment/environment.ts';
import { EmitterKinds } from '../events/emitter-kind.ts';
import { Inbox } from '../events/inbox.ts';
import { OwnedEmitters } from '../events/owner/owned-emitters.ts';
import { WorkHold } from '../events/work-hold.ts';
import { openStash } from '../server/files/stash.ts';
import { createHosts } from '../processes/hosts.ts';
import { createHostList } from '../processes/leftovers.ts';
import { newId, secureRandom } from '../base/ids.ts';
import { hostConfiguration } from '../sources/host-configuration.ts';
import { processLog } from '../sources/process-log.ts';
import { describeError } from '../base/log.ts';
import { isDue, isOver } from '../accounts/oauth/freshness.ts';
import { findWorkflow } from '../api/operations/find-workflow.ts';
import { accountIds } from '../components/props/configured.ts';
import { publicAddress } from '../server/public-address.ts';
import { planReach, type ReachOptions } from '../server/reach.ts';
import { openRequestLog } from '../server/request-log.ts';
import { startRetention } from '../events/retention.ts';
import { startSearchIndex } from '../events/search-index.ts';
import type { OnRequested } from '../server/requested.ts';
import { Signals } from '../events/signals.ts';
import type { CodeTable } from '../store/code.ts';
import type { SharedStore } from '../store/shared.ts';
import type { Services } from '../events/services.ts';

export interface FollowerOptions
  extends ReachOptions, Pick<Services, 'settings' | 'store' | 'clock' | 'log'> {
  /** Absolute path of the data folder, which this node has. */
  readonly data: string;
  /** Folder of the built files. */
  readonly dist: string;
  /** See `RuntimeOptions`. */
  readonly requestLog?: string | undefined;
  readonly redirects: Readonly<Record<string, string>>;
  readonly shared: SharedStore;
  readonly code: CodeTable;
  readonly key: SealingKey;
  readonly channelKey: Buffer;
  readonly link: NodeLink;
  /** Where this node takes requests in: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `HOST:PORT` of the node that leads; undefined while there is none. */
  readonly leader: () => string | undefined;
}

export interface Follower {
  /**
   * Serves a connection of a caller.
   * @param target of its first request
   * @returns false when that is not for a source or workflow, and while it does not know the configuration as it is
   */
  take(socket: Socket, by: 'local' | 'outside', target: string): boolean;
  /** While true no run and no delivery begins: others may be about to do the same. */
  hold(isHeld: boolean): void;
  /** Ends what runs here and gives everything back, for the next owner to go on with. Callers that wait stay. */
  stop(): Promise<void>;
  /** Somebody is connected still. */
  readonly hasCallers: boolean;
  /** Ends what callers are left, after `stop`: those who wait for an answer in so long. */
  close(graceMs: number): Promise<void>;
}

/** Long enough for a run in flight to end, short enough for whoever waits. */
const stopGraceMs = 3000;
/** So long the leading node is waited for with a token that is due. */
const freshenMs = 15_000;

export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { data, settings, store, shared, link, log, key, clock } = options;
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
    const kinds = new EmitterKinds();
    const inbox = new Inbox({
      store,
      emitters,
      kinds,
      clock,
      triggeredElsewhere: (ids) => sharing.ring(ids),
    });
    const hold = new WorkHold({ store, clock });
    closing.push(() => hold.close());
    /** What most of what is made here is given. */
    const common = {
      store,
      hold,
      signals,
      emitters,
      kinds,
      inbox,
      settings,
      clock,
      log,
      closing,
      report,
    };
    const deliveries = createOwnDeliveries({
      ...common,
      openSecret: (sealed) => sealer.open(sealed),
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
        // Data stores have one writer, and files one place: the leading node.
        const sent = request.of === 'file' ? await withBytes(request) : request;
        return askLeader(toLeader, clock, sent);
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
    const toLeader = async (): Promise<Peer> => {
      const place = leader();
      if (place === undefined) throw new WeirError('runtime_unavailable', 'No node leads.');
      return link.peers.to(place);
    };
    /** The leading node refreshes; a token that lives still is used when it does not. */
    const freshen = (ids: readonly string[], ms: number): Promise<void> | undefined => {
      const due = ids.filter((id) => {
        const health = accounts.health(id);
        return health !== undefined && isDue(health, now(), ms);
      });
      if (due.length === 0) return undefined;
      const asked = async (): Promise<void> => {
        await (await toLeader()).call('freshen', { accounts: due }, freshenMs);
      };
      return asked().catch((error: unknown) => {
        const isGone = due.some((id) => {
          const health = accounts.health(id);
          return health !== undefined && isOver({ ...health, canRefresh: false }, now());
        });
        if (isGone) throw error;
      });
    };
    const tellLeader = (tell: (peer: Peer) => void): void => {
      // Nobody follows what happens here while it does not answer.
      toLeader().then(tell, () => undefined);
    };
    const unauthorized = (ids: readonly string[]): void =>
      tellLeader((peer) => peer.tell('unauthorized', { accounts: ids }));
    const sourceLogs = { store, emitters, signals, now, log };
    const running = createRunningSources({
      ...common,
      openHost: ({ record, deployment }) =>
        components.open(deployment, {
          sourceId: record.id,
          limits,
          ...processLog(sourceLogs, record.id),
        }),
      configuration: (record) => hostConfiguration(configuration, record),
      freshen: ({ configuredProps }) => freshen(accountIds(configuredProps), limits.timeoutMs),
      unauthorized: ({ configuredProps }) => unauthorized(accountIds(configuredProps)),
      components,
    });
    const { instances, invocations, timers, dueEmits } = running;
    const environment = new Environment({
      settings: store.settings,
      seal: (text) => sealer.seal(text),
      open: (sealed) => sealer.open(sealed),
      fits: (sealed) => sealer.fits(sealed),
      now,
      // Workflows whose steps have variables of a file run at the leading node.
      file: undefined,
    });
    let isWatched = false;
    /** The one that leads is of another version: it does not say what changes. */
    let isOther = false;
    const runningWorkflows: RunningWorkflows = await createRunningWorkflows({
      ...common,
      data,
      redirects,
      limits,
      components,
      open: (...opened) => components.open(...opened),
      hostEvents: (sourceId) => processLog(sourceLogs, sourceId),
      accounts,
      prepare: {
        accountsOf: (configured) => accounts.credentialsOf(accountIds(configured)),
        accountsOfApp: (app) => accounts.all().filter((account) => account.app === app),
      },
      freshen,
      hasAccounts: () => accounts.all().length > 0,
      unauthorized,
      environment,
      stashDir,
      legsDir: await openStash(join(data, 'legs')),
      endpointUrl: address.endpointUrl,
      running,
      runsHere: (id) => sharing.handOver.runsHere(id),
      isWatched: () => isWatched,
      // Tests run at the leading node; what it has left of one ends with it.
      tested: () => undefined,
    });
    const { executions, sends } = runningWorkflows;
    const sharing: Sharing = createSharing({
      ...common,
      shared,
      link,
      running,
      runningWorkflows,
      deliveries,
      placeOf,
      isAlone: () => isOther,
    });
    tellSignals({
      signals,
      clock,
      isOwn: (id) => emitters.get(id) !== undefined,
      isRunning: (run) =>
        kindOf(run.record().emitterId) === 'workflow'
          ? run.record().status === 'running'
          : invocations.isRunning(run.n),
      isWatched: () => isWatched,
      tell: (told) => tellLeader((peer) => peer.tell('told', { signals: told })),
    });
    closing.push(startRetention(common));
    closing.push(startSearchIndex(common));

    const refresh = followConfiguration({
      store,
      shared,
      signals,
      running,
      runningWorkflows,
      deliveries,
      environment,
      runsHere: (id) => sharing.handOver.runsHere(id),
    });
    /** Which node has met this one, and had it read the configuration. */
    let metBy: string | undefined;
    let isMeeting: string | undefined;
    const handlers: RunningHandlers = {
      ...sharing.handlers,
      meet: ({ leader: by, isWatched: isFollowed, protocol }) => {
        if (protocol !== nodeProtocol) {
          if (!isOther) log('warn', `${otherVersion}: it runs nothing until both are of the same.`);
          isOther = true;
          isMeeting = undefined;
          metBy = undefined;
          // One that has no number takes any answer for that of its own version.
          if (protocol === undefined) throw new WeirError('conflict', `${otherVersion}.`);
          return { owned: [], protocol: nodeProtocol };
        }
        isMeeting = by;
        isWatched = isFollowed;
        return {
          owned: emitters.all().map(({ id, lastRun }) => ({ id, lastRun: lastRun?.record() })),
          protocol: nodeProtocol,
        };
      },
      watch: (asked) => {
        ({ isWatched } = asked);
        return null;
      },
      refresh: async () => {
        await refresh();
        metBy = isMeeting;
        if (metBy !== undefined) isOther = false;
        return null;
      },
      places: (told) => {
        ({ places } = told);
      },
      told: () => undefined,
      requested: () => undefined,
      unauthorized: () => undefined,
      answer: notLeading,
      freshen: notLeading,
    };
    const reach = planReach(options, true);
    const requestLog =
      options.requestLog === undefined ? undefined : openRequestLog(options.requestLog, now, log);
    const told = tellRequests({
      clock,
      tell: (requests) => tellLeader((peer) => peer.tell('requested', { requests })),
    });
    const logAndTell: OnRequested = (requested) => {
      requestLog?.write(requested);
      told.requested(requested);
    };
    const endpoints = createFollowerEndpoints({
      sharing,
      kinds,
      settings,
      visitorOf: reach.isOpen ? reach.visitorOf : undefined,
      addressOf: (request) => reach.visitorOf(request).address,
      onRequested: () => (isWatched ? logAndTell : requestLog?.write),
      clock,
      key: options.channelKey,
      leader,
      isPassedOn: () => isOther,
      sourceLogs,
      report,
    });
    for (const workflow of store.workflows.all()) runningWorkflows.instances.map(workflow);
    sharing.start();
    link.serve(handlers);
    executions.start();
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
      executions.stop();
      sends.stop();
      const graceMs = store.failure === undefined ? stopGraceMs : 0;
      for (const { runner } of instances.all()) runner.stop();
      await Promise.all([
        ...instances.all().map(({ runner }) => runner.drain(graceMs)),
        settledWithin(clock, graceMs, executions.drained()),
        settledWithin(clock, graceMs, sends.settled()),
      ]);
      await closing.closeAll();
      if (store.failure !== undefined) return;
      // What cannot be given back now is free when this node has left, or was fenced.
      await Promise.allSettled(emitters.all().map((emitter) => shared.release(emitter)));
    };
    return {
      take: (socket, by, target) => {
        const place = leader();
        if (isOther || (place !== undefined && place !== metBy)) return false;
        return endpoints.take(socket, by, target);
      },
      hold: (isHeld) => hold.setPaused(isHeld),
      stop: () => (stopping ??= stop()),
      get hasCallers() {
        return endpoints.hasCallers;
      },
      async close(graceMs) {
        await endpoints.close(graceMs);
        told.now();
        await requestLog?.close();
      },
    };
  }
}

const otherVersion = 'This node is of another version of Weir than the one that leads';

function notLeading(): never {
  throw new WeirError('conflict', 'This node does not lead.');
}
