/** Executions whichever node runs them, as the node that leads asks for them and ends them. */
import { WeirError } from '../../protocol/errors.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import type { Peer } from '../cluster/peer.ts';
import type { RemoteRuns } from '../cluster/relayed-signals.ts';
import type { AnyExecutions } from '../api/operations/executions.ts';
import type { HitOutcome } from '../store/history/executions.ts';
import type { UsesStore } from '../store/store.ts';
import type { Executions } from '../workflows/executions/executions.ts';
import { wholeExecution } from '../workflows/executions/keys.ts';
import type { ClusterMember } from './cluster-member.ts';
import type { BaseServices } from '../base/services.ts';

export interface ExecutionsOfNodesOptions
  extends UsesStore<'invocations' | 'executions'>, Pick<BaseServices, 'clock'> {
  readonly link: Pick<NodeLink, 'peers'>;
  readonly sharing: Pick<ClusterMember, 'handOver'>;
  readonly executions: Executions;
  readonly runs: Pick<RemoteRuns, 'recordOf'>;
  /** `HOST:PORT` of the node that runs it; undefined where that is this one, or nobody is known to. */
  readonly placeOf: (id: string) => string | undefined;
}

/** How long to wait for the node that runs a workflow: until another one has taken over. */
const ownerMs = 15_000;
/** For one try. */
const askMs = 5000;
/** Between two tries, in ms. */
const againMs = 100;
/** A person looks at it: what is in rows is shown without. */
const lookMs = 1000;

export function executionsOfNodes(options: ExecutionsOfNodesOptions): AnyExecutions {
  const { store, link, executions, runs, placeOf, clock } = options;
  const { handOver } = options.sharing;

  /** @param isLost whether the result means that it has left meanwhile */
  async function atOwner<T>(
    id: string,
    isLost: (came: T) => boolean,
    here: () => Promise<T>,
    there: (peer: Peer) => Promise<T>,
    /** The result of an earlier attempt whose answer was lost; undefined if that attempt has not arrived. */
    before: () => Promise<T | undefined>,
  ): Promise<T> {
    const begun = clock.elapsed();
    let isSecond = false;
    do {
      const done = isSecond ? await before() : undefined;
      if (done !== undefined) return done;
      if (handOver.runsHere(id)) {
        const came = await here().catch(unlessElsewhere);
        if (came !== undefined && (!isLost(came) || handOver.runsHere(id))) return came;
      }
      const place = placeOf(id);
      const peer = place === undefined ? undefined : await link.peers.to(place).catch(() => null);
      if (peer) {
        try {
          return await there(peer);
        } catch (error) {
          // It runs there no longer, or nobody answers.
          if (!WeirError.is(error, 'conflict')) isSecond = true;
        }
      }
      await new Promise<void>((resolve) => void clock.after(againMs, resolve));
    } while (clock.elapsed() - begun < ownerMs);
    throw new WeirError('runtime_unavailable', `No node is running ${id}. Try again.`);
  }

  return {
    cancel(record) {
      const { emitterId: id, n } = record;
      return atOwner(
        id,
        (isCancelled) => !isCancelled,
        () => executions.cancel(record),
        async (peer) => (await peer.call('cancel', { id, n }, askMs)).isCancelled,
        async () => {
          const isAsked = (await store.executions.hits(n)).some(
            ({ path, action }) => path === wholeExecution.path && action === 'cancel',
          );
          const now = await store.invocations.get(n);
          return isAsked || now?.status === 'cancelled' ? true : undefined;
        },
      );
    },
    async hit(paused, action, trigger) {
      const record = await store.invocations.get(paused.execution);
      if (record === undefined) return 'unknown';
      const { emitterId: id } = record;
      const hit = { ...paused, action, trigger };
      return atOwner<HitOutcome>(
        id,
        (outcome) => outcome === 'unknown',
        () => executions.hit(paused, action, trigger),
        async (peer) => (await peer.call('hit', { id, hit }, askMs)).outcome,
        async () => {
          const hits = await store.executions.hits(paused.execution);
          const isThere = hits.some(
            (one) => one.path === hit.path && one.run === hit.run && one.action === action,
          );
          return isThere ? 'taken' : undefined;
        },
      );
    },
    live(record) {
      const place = placeOf(record.emitterId);
      if (place === undefined || record.endedAt !== null) return executions.live(record);
      return link.peers
        .to(place)
        .then((peer) => peer.call('execution', { n: record.n }, lookMs))
        .then(
          (live) => live ?? undefined,
          () => undefined,
        );
    },
    recordOf(stored) {
      if (placeOf(stored.emitterId) === undefined) return executions.recordOf(stored);
      // A completed run is in its row; a running run is as its node reported it.
      return stored.endedAt === null ? (runs.recordOf(stored.n) ?? stored) : stored;
    },
  };
}

/** @throws every error, except that it has moved to another node */
function unlessElsewhere(error: unknown): undefined {
  if (!WeirError.is(error, 'conflict')) throw error;
}
