/**
 * A follower: it runs the sources and workflows that the leader assigns to it, accepts requests for all of them, and
 * forwards everything else. It relays its signals to the leader, where people and programs follow them.
 */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { WeirError } from '../../protocol/errors.ts';
import { Accounts } from '../accounts/accounts.ts';
import { Environment } from '../accounts/environment/environment.ts';
import type { SealingKey } from '../accounts/key-file.ts';
import { createSealer } from '../accounts/seal.ts';
import { findWorkflow } from '../api/operations/find-workflow.ts';
import { type Closing, createClosing } from '../base/closing.ts';
import { describeError } from '../base/log.ts';
import type { NodeLink, RunningHandlers } from '../cluster/node-link.ts';
import { relayRequests } from '../cluster/relayed-requests.ts';
import { relaySignals } from '../cluster/relayed-signals.ts';
import { createComponents } from '../components/deployments/components.ts';
import { Inbox } from '../events/inbox.ts';
import type { Services } from '../events/services.ts';
import { openStash } from '../server/files/stash.ts';
import { publicAddress } from '../server/public-address.ts';
import { resolveListenOptions, type ListenFlags } from '../server/listen-options.ts';
import { openRequestLog } from '../server/request-log.ts';
import type { OnRequested } from '../server/requested.ts';
import type { CodeTable } from '../store/code.ts';
import type { SharedStore } from '../store/shared.ts';
import { followConfiguration } from './follow-configuration.ts';
import { createFollowerEndpoints } from './follower-endpoints.ts';
import { LeaderConnection } from './leader-connection.ts';
import { LeaderMeeting } from './leader-meeting.ts';
import { openProcesses, readLimits } from './open-processes.ts';
import { createOwnDeliveries } from './own-deliveries.ts';
import { createRunning } from './running.ts';
import { createServices } from './services.ts';
import { createClusterMember, type ClusterMember } from './cluster-member.ts';
import { LeaderTokens } from './token-keeper.ts';

export interface FollowerOptions
  extends ListenFlags, Pick<Services, 'settings' | 'store' | 'clock' | 'log'> {
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
  /** Address where this node accepts requests: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `HOST:PORT` of the leader; undefined while there is none. */
  readonly leader: () => string | undefined;
}

export interface Follower {
  /**
   * Serves a connection of a caller.
   * @param target of its first request
   * @returns false when that is not for a source or workflow, and while it does not know the configuration as it is
   */
  take(socket: Socket, by: 'local' | 'outside', target: string): boolean;
  /** Nothing may begin here just now: the store takes no writes, or others are about to take over. */
  readonly isHeld: boolean;
  /** Ends the emitters here and releases them, so that the next owner continues. Waiting callers stay. */
  stop(): Promise<void>;
  /** Somebody is connected still. */
  readonly hasCallers: boolean;
  /** Ends what callers are left, after `stop`: those who wait for an answer in so long. */
  close(graceMs: number): Promise<void>;
}

export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { log } = options;
  const closing = createClosing((where, error) =>
    log('error', `${where}: ${describeError(error)}`),
  );
  try {
    return await start(options, closing);
  } catch (error) {
    await closing.closeAll();
    throw error;
  }
}

async function start(options: FollowerOptions, closing: Closing): Promise<Follower> {
  const { store, shared, link, leader } = options;
  const services = createServices({ ...options, closing }, options.link.isPaused);
  const { emitters, signals, clock, kinds } = services;
  const parts = await createParts(options, services);
  const { running, sharing, meeting, connection, environment, deliveries } = parts;
  relaySignals({
    signals,
    clock,
    isOwn: (id) => emitters.get(id) !== undefined,
    isRunning: (run) => kinds.of(run.record().emitterId).isRunning(run),
    isWatched: () => meeting.isWatched,
    tell: (told) => connection.tell('told', { signals: told }),
  });
  running.startUpkeep();
  const refresh = followConfiguration({
    ...services,
    shared,
    running: running.sources,
    runningWorkflows: running.workflows,
    deliveries,
    environment,
    runsHere: (id) => sharing.handOver.runsHere(id),
  });
  const requests = takeRequests(options, services, parts);
  const { endpoints } = requests;
  for (const workflow of store.workflows.all()) running.workflows.instances.map(workflow);
  sharing.start();
  link.serve({
    ...sharing.handlers,
    meet: (params) => meeting.meet(params),
    watch: ({ isWatched }) => {
      meeting.isWatched = isWatched;
      return null;
    },
    refresh: async () => {
      await refresh();
      meeting.refreshed();
      return null;
    },
    places: ({ places }) => {
      parts.places = places;
    },
    ...onlyAtLeader,
  });
  running.start();
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    link.serve(undefined);
    link.passingOn.pause();
    endpoints.leave();
    running.stop();
    await running.drained();
    await closing.closeAll();
    if (store.failure !== undefined) return;
    // An emitter that cannot be released now is free when this node has left, or was fenced.
    await Promise.allSettled(emitters.all().map((emitter) => shared.release(emitter)));
  };
  return {
    take: (socket, by, target) => meeting.isKnown(leader()) && endpoints.take(socket, by, target),
    get isHeld() {
      return services.hold.isHeld;
    },
    stop: () => (stopping ??= stop()),
    get hasCallers() {
      return endpoints.hasCallers;
    },
    close: (graceMs) => requests.close(graceMs),
  };
}

/** Makes the parts that run here, and connects them. */
async function createParts(options: FollowerOptions, services: Services) {
  const { data, redirects, shared, link, leader, settings, store } = options;
  const { now, newId } = services;
  const sealer = createSealer(options.key);
  const address = publicAddress(options.publicUrl);
  const { endpointUrl } = address;
  address.listensAt(options.url);
  const connection = new LeaderConnection({ ...services, link, leader });
  const meeting = new LeaderMeeting(services);
  const inbox = new Inbox({
    ...services,
    triggeredElsewhere: (ids) => parts.sharing.ring(ids),
  });
  const deliveries = createOwnDeliveries({ ...services, sealer });
  const accounts = new Accounts({
    table: store.accounts,
    sealer,
    now,
    newId: () => newId('apn_'),
  });
  const hosts = await openProcesses({
    ...services,
    data,
    dist: options.dist,
    redirects,
    // Data stores have one writer, and files one place: the leading node.
    onRequest: async (request) => {
      // Dry runs are tests, and tests run at the leading node.
      if (request.of === 'held_back') return undefined;
      return request.of === 'workflow'
        ? findWorkflow(store, request.id).id
        : connection.ask(request);
    },
  });
  const components = createComponents({
    folder: join(data, 'deployments'),
    packagesFolder: join(data, 'packages'),
    hosts,
    code: options.code,
    installPolicy: 'never',
  });
  const environment = new Environment({
    settings: store.settings,
    sealer,
    now,
    // Workflows whose steps have variables of a file run at the leading node.
    file: undefined,
    warn: (message) => services.log('warn', message),
  });
  const running = await createRunning({
    ...services,
    data,
    redirects,
    limits: readLimits(settings),
    components,
    accounts,
    tokens: new LeaderTokens({ now, accounts, leader: connection }),
    sealer,
    environment,
    deliveries,
    inbox,
    endpointUrl,
    stashDir: await openStash(join(data, 'stash')),
    runsHere: (id) => parts.sharing.handOver.runsHere(id),
    isWatched: () => meeting.isWatched,
    // Tests run at the leading node; what it has left of one ends with it.
    tested: () => undefined,
  });
  const sharing: ClusterMember = createClusterMember({
    ...services,
    shared,
    link,
    inbox,
    running: running.sources,
    runningWorkflows: running.workflows,
    deliveries,
    // The leading node has what no other is known to have.
    placeOf: (id) => {
      const place = parts.places[id] ?? leader();
      return place === link.address ? undefined : place;
    },
    isAlone: () => meeting.isOther,
  });
  /** By emitter: `HOST:PORT` of the node that runs it, as the leader last announced. */
  const places: Readonly<Record<string, string>> = {};
  const parts = {
    places,
    running,
    sharing,
    meeting,
    connection,
    environment,
    deliveries,
  };
  return parts;
}

type FollowerParts = Awaited<ReturnType<typeof createParts>>;

/**
 * Requests of callers: those for endpoints are answered here, logged, and reported to the leader while it is watched.
 */
function takeRequests(options: FollowerOptions, services: Services, parts: FollowerParts) {
  const { sharing, meeting, connection } = parts;
  const { kinds, clock, now, log } = services;
  const reach = resolveListenOptions(options, true);
  const requestLog =
    options.requestLog === undefined ? undefined : openRequestLog(options.requestLog, now, log);
  const told = relayRequests({
    clock,
    tell: (requests) => connection.tell('requested', { requests }),
  });
  const logAndTell: OnRequested = (requested) => {
    requestLog?.write(requested);
    told.requested(requested);
  };
  const endpoints = createFollowerEndpoints({
    ...services,
    tables: [kinds, sharing],
    intake: sharing.intake,
    visitorOf: reach.isOpen ? reach.visitorOf : undefined,
    addressOf: (request) => reach.visitorOf(request).address,
    onRequested: () => (meeting.isWatched ? logAndTell : requestLog?.write),
    key: options.channelKey,
    leader: options.leader,
    isPassedOn: () => meeting.isOther,
  });
  return {
    endpoints,
    async close(graceMs: number): Promise<void> {
      await endpoints.close(graceMs);
      told.now();
      await requestLog?.close();
    },
  };
}

function notLeading(): never {
  throw new WeirError('conflict', 'This node does not lead.');
}

const onlyAtLeader: Pick<
  RunningHandlers,
  'told' | 'requested' | 'unauthorized' | 'answer' | 'freshen'
> = {
  told: () => undefined,
  requested: () => undefined,
  unauthorized: () => undefined,
  answer: notLeading,
  freshen: notLeading,
};
