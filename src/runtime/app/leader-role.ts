/** The parts of the runtime that leads the nodes of a database. */
import { WeirError } from '../../protocol/errors.ts';
import type { AnyExecutions } from '../api/operations/executions.ts';
import type { CallContext } from '../api/operations/operations.ts';
import type { OperationName } from '../../protocol/catalogue.ts';
import { Leader } from '../cluster/leader.ts';
import type { NodeNotices } from '../cluster/node-calls.ts';
import type { RunningHandlers } from '../cluster/node-link.ts';
import { replaySignals, type RemoteRuns } from '../cluster/relayed-signals.ts';
import type { Components } from '../components/deployments/deployment.ts';
import type { DataStores } from '../components/data-stores/data-stores.ts';
import type { Debugging } from '../components/debug/debugging.ts';
import type { Environment } from '../accounts/environment/environment.ts';
import type { SharedFiles } from '../server/files/shared-files.ts';
import type { AccountKeeper } from '../accounts/oauth/keeper.ts';
import type { DeliveryRecord } from '../store/history/deliveries.ts';
import { executionsOfNodes } from './executions-of-nodes.ts';
import { Placement } from './placement.ts';
import {
  createClusterMember,
  type ClusterMember,
  type ClusterMemberOptions,
} from './cluster-member.ts';
import type { BaseServices } from '../base/services.ts';

export interface LeaderRoleOptions
  extends Omit<ClusterMemberOptions, 'placeOf' | 'isAlone'>, Pick<BaseServices, 'log'> {
  readonly runs: RemoteRuns;
  /** Somebody follows here what happens. */
  readonly isFollowed: () => boolean;
  /** Another node has served requests. */
  readonly requested: (requests: NodeNotices['requested']['requests']) => void;
  readonly components: Pick<Components, 'get'>;
  readonly debugging: Pick<Debugging, 'find'>;
  readonly keeper: Pick<AccountKeeper, 'refreshExpiring' | 'unauthorized'>;
  readonly dataStores: Pick<DataStores, 'answer'>;
  readonly files: Pick<SharedFiles, 'answer'>;
  readonly environment: Pick<Environment, 'hasFile' | 'refresh'>;
  /** The longest that a run takes, in ms. */
  readonly runMs: number;
}

export interface LeaderRole {
  readonly sharing: ClusterMember;
  /** From now on other nodes are answered: what was left here before has its place in the queues. */
  takeIn(): void;
  /** Resolves when other nodes are known, and know this one. */
  start(): Promise<void>;
  /** Gives nothing to other nodes any more, and takes nothing from them. */
  stop(): void;
  /** Resolves when all signals of other nodes are relayed here, for as long as somebody follows them. */
  follow(): Promise<void>;
  /** See `OtherNodes`. */
  before(
    name: OperationName,
    params: unknown,
    context: Pick<CallContext, 'connection'>,
  ): Promise<() => void>;
  bring(id: string): Promise<() => void>;
  /** After one: all nodes know what it has changed. */
  after(): Promise<void>;
  readonly executions: AnyExecutions;
  /** See `WorkflowsOptions`. */
  readonly deploymentsInUse: () => Promise<readonly string[] | undefined>;
  /** Ends a run of a source, on whichever node it runs. */
  stopRun(id: string, n: number): Promise<boolean>;
  /** Makes one delivery attempt, at the node that owns its emitter. */
  redeliver(n: number): Promise<DeliveryRecord>;
}

/**
 * Operations on a source or workflow, named by `id` or `source`, that need what only its owner has: its db, its process, its
 * inbox. All others read the store, or change what every node reads.
 */
const atOwner: ReadonlySet<string> = new Set<OperationName>([
  'components.configure',
  'components.props',
  'sources.update',
  'sources.delete',
  'sources.invoke',
  'sources.replay',
  'sources.dryRun',
  'service_db.list',
  'service_db.get',
  'service_db.set',
  'service_db.delete',
  'service_db.clear',
  'debug.start',
  'debug.stop',
  'debug.paused',
  'events.delete',
  'tests.save',
  'workflows.delete',
]);

export function createLeaderRole(options: LeaderRoleOptions): LeaderRole {
  const { store, shared, link, signals, emitters, deliveries, running, closing } = options;
  const { runningWorkflows, runs, keeper, runMs, report } = options;
  const placement = new Placement(options);
  const sharing = createClusterMember({
    ...options,
    placeOf: (id) => leader.placeOf(id),
    isAlone: () => false,
  });
  const leader: Leader = new Leader({
    ...options,
    node: link,
    peers: link.peers,
    flush: () => store.flush(),
    emitters: () => [...store.sources.all(), ...store.workflows.all()].map(({ id }) => id),
    movable: () => placement.of('any'),
    bound: () => placement.of('leader'),
    here: () => emitters.all().map(({ id }) => id),
    take: (id) => sharing.handOver.take(id),
    release: (id, how) => sharing.handOver.release(id, how),
  });

  const ticked = (id: string): void => {
    shared.refreshTicks(id).then(
      () => options.kinds.of(id).changed(id),
      (error: unknown) => {
        if (!WeirError.is(error, 'store_failed')) report(`The timers of ${id}`, error);
      },
    );
  };
  const handlers: RunningHandlers = {
    ...sharing.handlers,
    meet: () => {
      throw new WeirError('conflict', 'This node leads.');
    },
    watch: () => null,
    refresh: () => null,
    places: () => undefined,
    told: ({ signals: told }) => replaySignals(signals, runs, ticked, told),
    requested: ({ requests }) => options.requested(requests),
    answer: async ({ request }) => ({
      answer: await (request.of === 'file' ? options.files : options.dataStores).answer(
        request as never,
      ),
    }),
    unauthorized: ({ accounts }) => keeper.unauthorized(accounts),
    freshen: async ({ accounts }) => {
      await keeper.refreshExpiring(accounts, runMs);
      await leader.barrier();
      return null;
    },
  };
  const stop = (): void => {
    link.serve(undefined);
    link.passingOn.pause();
    leader.close();
  };
  closing.push(stop);

  return {
    sharing,
    takeIn() {
      sharing.start();
      link.serve(handlers);
    },
    start: () => leader.start(),
    stop,
    follow: () => leader.follow(),
    async before(name, params, { connection }) {
      // Nodes with a connection follow all changes.
      if (connection !== undefined) await leader.follow();
      if (!atOwner.has(name)) return () => undefined;
      const named = params as { readonly id?: unknown; readonly source?: unknown };
      const id = named.id ?? named.source;
      if (typeof id !== 'string') return () => undefined;
      const emitter =
        store.sources.find(id) ?? store.workflows.find(id) ?? store.workflows.findTested(id);
      if (emitter === undefined) return () => undefined;
      return leader.bring(emitter.id, name === 'workflows.delete');
    },
    bring: (id) => leader.bring(id),
    after: () => leader.barrier(),
    executions: executionsOfNodes({
      ...options,
      sharing,
      executions: runningWorkflows.executions,
      placeOf: (id) => leader.placeOf(id),
    }),
    async deploymentsInUse() {
      try {
        const asked = leader
          .addresses()
          .map(async (address) =>
            (await link.peers.to(address)).call('deploymentsInUse', null, inUseMs),
          );
        return (await Promise.all(asked)).flatMap(({ ids }) => ids);
      } catch {
        return undefined;
      }
    },
    async stopRun(id, n) {
      return (await leader.stopRun(id, n)) ?? running.invocations.stopOne(id, n);
    },
    async redeliver(n) {
      const found = await store.deliveries.get(n);
      const place = found && leader.placeOf(found.emitterId);
      if (place === undefined) return deliveries.redeliver(n);
      const peer = await link.peers.to(place);
      return peer.call('redeliver', { n }, redeliverMs);
    },
  };
}

/** How long a node has to report what it uses, in ms. */
const inUseMs = 1000;
/** A target is given so long to answer, and a little more. */
const redeliverMs = 40_000;
