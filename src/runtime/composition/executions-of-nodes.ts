/** Executions whichever node runs them, as the node that leads asks for them and ends them. */
import { WeirError } from '../../protocol/errors.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import type { Peer } from '../cluster/peer.ts';
import type { RunsElsewhere } from '../cluster/told-signals.ts';
import type { Clock } from '../clock.ts';
import type { AnyExecutions } from '../operations/executions.ts';
import type { HitOutcome } from '../store/history/executions.ts';
import type { Store } from '../store/store.ts';
import type { Executions } from '../workflows/executions/executions.ts';
import type { Sharing } from './sharing.ts';

export interface ExecutionsOfNodesOptions {
  readonly store: Pick<Store, 'invocations' | 'executions'>;
  readonly link: Pick<NodeLink, 'peers'>;
  readonly sharing: Pick<Sharing, 'handOver' | 'passingOn'>;
  readonly executions: Executions;
  readonly runs: Pick<RunsElsewhere, 'recordOf'>;
  /** `HOST:PORT` of the node that runs it; undefined where that is this one, or nobody is known to. */
  readonly placeOf: (id: string) => string | undefined;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
}

/** So long a node is waited for that runs a workflow: until another one has taken over. */
const ownerMs = 15_000;
/** For one try. */
const askMs = 5000;
/** Between two tries, in ms. */
const againMs = 100;
/** A person looks at it: what is in rows is shown without. */
const lookMs = 1000;

export function executionsOfNodes(options: ExecutionsOfNodesOptions): AnyExecutions {
  const { store, link, executions, runs, placeOf, clock } = options;
  const { handOver, passingOn } = options.sharing;

  /** `isSecond`: a try before may have done it, and its answer was lost. */
  async function atOwner<T>(
    id: string,
    here: (isSecond: boolean) => Promise<T>,
    there: (peer: Peer, isSecond: boolean) => Promise<T>,
  ): Promise<T> {
    const begun = clock.elapsed();
    let isSecond = false;
    do {
      if (handOver.runsHere(id)) return here(isSecond);
      const place = placeOf(id);
      const peer = place === undefined ? undefined : await link.peers.to(place).catch(() => null);
      if (peer) {
        try {
          return await there(peer, isSecond);
        } catch (error) {
          // It runs there no longer, or nobody answers.
          if (!WeirError.is(error, 'conflict')) isSecond = true;
        }
      }
      await new Promise<void>((resolve) => void clock.after(againMs, resolve));
    } while (clock.elapsed() - begun < ownerMs);
    throw new WeirError('runtime_unavailable', `No node runs ${id} just now: try again.`);
  }

  return {
    accept(id, incoming) {
      if (handOver.runsHere(id)) return executions.accept(id, incoming);
      const { cause, trigger, replayOf, journal } = incoming;
      const passed = { cause, trigger, replayOf, journal, isAnswered: false, isRecorded: false };
      return passingOn.accept(id, passed, {});
    },
    cancel(record) {
      const { emitterId: id, n } = record;
      const orBefore = async (isDone: boolean, isSecond: boolean): Promise<boolean> =>
        isDone || (isSecond && (await store.invocations.get(n))?.status === 'cancelled');
      return atOwner(
        id,
        async (isSecond) => orBefore(await executions.cancel(record), isSecond),
        async (peer, isSecond) =>
          orBefore((await peer.call('cancel', { id, n }, askMs)).isCancelled, isSecond),
      );
    },
    async hit(paused, action, trigger) {
      const record = await store.invocations.get(paused.execution);
      if (record === undefined) return 'unknown';
      const { emitterId: id } = record;
      const hit = { ...paused, action, trigger };
      const orBefore = async (outcome: HitOutcome, isSecond: boolean): Promise<HitOutcome> => {
        if (outcome !== 'late' || !isSecond) return outcome;
        const hits = await store.executions.hits(paused.execution);
        const isTheSame = hits.some(
          (one) => one.path === hit.path && one.run === hit.run && one.action === action,
        );
        return isTheSame ? 'taken' : outcome;
      };
      return atOwner(
        id,
        async (isSecond) => orBefore(await executions.hit(paused, action, trigger), isSecond),
        async (peer, isSecond) =>
          orBefore((await peer.call('hit', { id, hit }, askMs)).outcome, isSecond),
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
      // What has ended is in its row; what goes on is as it was told.
      return stored.endedAt === null ? (runs.recordOf(stored.n) ?? stored) : stored;
    },
  };
}
