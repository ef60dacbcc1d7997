/** The parts of a runtime that shares a database with others, leader or follower. */
import { WeirError } from '../../protocol/errors.ts';
import { type QueuedRuns, claimQueuedRuns } from '../cluster/queued-runs.ts';
import type { CameOfRun, ForwardedTrigger } from '../cluster/node-calls.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import type { TriggerForwarder } from '../cluster/trigger-forwarder.ts';
import type { NodeHandlers, Peer } from '../cluster/peer.ts';
import type { Deliveries } from '../events/delivery/deliveries.ts';
import type { Inbox } from '../events/inbox.ts';
import type { Intake } from '../events/intake.ts';
import type { WaitingCaller } from '../events/waiting-caller.ts';
import { ConfiguredEndpoints } from '../sources/configured-endpoints.ts';
import type { SharedStore } from '../store/shared.ts';
import type { Endpoint } from '../events/triggers/http/route.ts';
import { HandOver } from './hand-over.ts';
import { SharedIntake } from './shared-intake.ts';
import type { RunningSources } from './running-sources.ts';
import type { RunningWorkflows } from './running-workflows.ts';
import type { Services } from '../events/services.ts';

export interface ClusterMemberOptions extends Pick<
  Services,
  'store' | 'signals' | 'emitters' | 'kinds' | 'clock' | 'closing' | 'report'
> {
  readonly shared: SharedStore;
  readonly link: NodeLink;
  readonly running: RunningSources;
  readonly runningWorkflows: RunningWorkflows;
  readonly deliveries: Deliveries;
  readonly inbox: Inbox;
  /** `HOST:PORT` of the node that runs it; undefined where that is this one, or nobody is known to. */
  readonly placeOf: (id: string) => string | undefined;
  /** See `Place`. */
  readonly isAlone: () => boolean;
}

/** The calls that both kinds of node answer. */
export type CommonHandlers = Pick<
  NodeHandlers,
  | 'ping'
  | 'take'
  | 'release'
  | 'accept'
  | 'stop'
  | 'execution'
  | 'cancel'
  | 'hit'
  | 'deploymentsInUse'
  | 'redeliver'
  | 'left'
>;

export interface ClusterMember {
  readonly intake: Intake;
  readonly handOver: HandOver;
  readonly passingOn: TriggerForwarder;
  readonly handlers: CommonHandlers;
  /** From now on it takes in what comes from other nodes: what was left here before has its place in the queues. */
  start(): void;
  /** That of a source that another node runs, or is about to run. */
  endpoint(id: string): Endpoint | undefined;
  /** Something was left in the inboxes of these. */
  ring(emitterIds: readonly string[]): void;
}

/** The result registers its own cleanup with `closing`. */
export function createClusterMember(options: ClusterMemberOptions): ClusterMember {
  const { store, shared, link, signals, emitters, running, deliveries, clock, closing } = options;
  const { runningWorkflows, placeOf, isAlone, report, inbox } = options;
  const { executions } = runningWorkflows;
  const { peers } = link;
  const handOver = new HandOver(options);
  const endpoints = new ConfiguredEndpoints(store.sources, signals);

  const accept = (
    { id, isRecorded, reason, n, cause, trigger, replayOf, journal }: ForwardedTrigger,
    caller: WaitingCaller,
  ): { readonly durable: Promise<void> } =>
    isRecorded
      ? inbox.record(id, { n, cause, trigger }, reason)
      : inbox.accept(id, { n, cause, trigger, replayOf, journal, caller });
  /** A request that is sent again because its answer was lost is already here; but nobody answers it a second time. */
  const acceptHere = (
    passed: ForwardedTrigger,
    caller: WaitingCaller,
  ): { readonly durable: Promise<void> } => {
    if (passed.isAgain) return { durable: acceptAgain(passed, caller) };
    if (passed.isAnswered) return accept(passed, caller);
    if (shared.isOpen(passed.id, passed.n)) return { durable: store.flush() };
    return { durable: accept(passed, caller).durable.catch(unlessInInbox) };
  };
  const acceptAgain = async (passed: ForwardedTrigger, caller: WaitingCaller): Promise<void> => {
    await store.flush();
    if ((await store.invocations.get(passed.n)) === undefined) {
      await accept(passed, caller).durable.catch(unlessInInbox);
    } else caller.failed?.(new WeirError('runtime_unavailable', 'The run was cut off.'));
  };
  const { passingOn } = link;
  let left: QueuedRuns | undefined;
  closing.push(() => left?.close());
  const start = (): void => {
    const runsHere = (id: string) => handOver.runsHere(id);
    passingOn.use({ shared, placeOf, isAlone, runsHere, acceptHere });
    left = claimQueuedRuns({
      shared,
      clock,
      run: (runs) => inbox.triggered(runs),
      failed: (error) => {
        if (!WeirError.is(error, 'store_failed')) report('What other nodes left', error);
      },
    });
  };

  /** The peer that gets a run's answer, by the number of the run. */
  const answeredTo = new Map<number, Peer>();
  const callerAt = (peer: Peer, n: number): WaitingCaller => {
    answeredTo.set(n, peer);
    const tell = (came: CameOfRun): void => peer.tell('answered', { n, came });
    const end = (came: CameOfRun): void => {
      if (answeredTo.delete(n)) tell(came);
    };
    return {
      respond: (answer) => tell({ of: 'answer', answer }),
      unanswered: (why) => end({ of: 'unanswered', why }),
      paused: () => void answeredTo.delete(n),
      ended: (status) => end({ of: 'end', status }),
      failed: () => end({ of: 'cutOff' }),
    };
  };
  /** @throws WeirError('conflict') of one that another node runs now */
  const requireHere = (id: string): void => {
    if (!handOver.runsHere(id)) throw new WeirError('conflict', `${id} does not run here.`);
  };
  const handlers: CommonHandlers = {
    ping: () => ({ owned: emitters.all().map(({ id }) => id) }),
    take: async ({ id }) => {
      await handOver.take(id);
      return null;
    },
    release: async ({ id, ...how }) => ({ isReleased: await handOver.release(id, how) }),
    accept: async (passed, peer) => {
      const { id, n, isAnswered } = passed;
      if (answeredTo.get(n) === peer) {
        await store.flush();
        return null;
      }
      requireHere(id);
      try {
        await acceptHere(passed, isAnswered ? callerAt(peer, n) : {}).durable;
      } catch (error) {
        if (isAnswered) answeredTo.delete(n);
        throw error;
      }
      return null;
    },
    stop: async ({ id, n }) => ({ isStopped: await running.invocations.stopOne(id, n) }),
    execution: ({ n }) => executions.live({ n }) ?? null,
    cancel: async ({ id, n }) => {
      requireHere(id);
      const record = await store.invocations.get(n);
      const isCancelled = record !== undefined && (await executions.cancel(record));
      // Otherwise it has left meanwhile, and may run elsewhere.
      if (!isCancelled) requireHere(id);
      await store.flush();
      return { isCancelled };
    },
    hit: async ({ id, hit: { action, trigger, ...paused } }) => {
      requireHere(id);
      const outcome = await executions.hit(paused, action, trigger);
      if (outcome === 'unknown') requireHere(id);
      return { outcome };
    },
    deploymentsInUse: () => ({ ids: executions.deploymentsInUse() }),
    redeliver: ({ n }) => deliveries.redeliver(n),
    left: () => left?.look(),
  };

  return {
    intake: new SharedIntake({ store, clock, inbox, handOver, passingOn }),
    handOver,
    passingOn,
    handlers,
    start,
    endpoint: (id) => endpoints.get(id),
    ring(emitterIds) {
      const places = new Set(emitterIds.map(placeOf));
      for (const place of places) {
        if (place === undefined) continue;
        peers.to(place).then(
          (peer) => peer.tell('left', null),
          // Each node looks from time to time.
          () => undefined,
        );
      }
    },
  };
}

/** @throws what the store has thrown, unless an invocation of this number is there */
function unlessInInbox(error: unknown): void {
  if (!WeirError.is(error, 'conflict')) throw error;
}
