/** What the runtime has that leads the nodes of a database. */
import { WeirError } from '../../protocol/errors.ts';
import type { CallContext } from '../operations/operations.ts';
import type { OperationName } from '../../protocol/catalogue.ts';
import { kindOf } from '../../protocol/ids.ts';
import { Leader } from '../cluster/leader.ts';
import type { NodeHandlers } from '../cluster/peer.ts';
import { emitTold, type RunsElsewhere } from '../cluster/told-signals.ts';
import type { Debugging } from '../debug/debugging.ts';
import type { Log } from '../log.ts';
import type { AccountKeeper } from '../oauth/keeper.ts';
import { accountIds } from '../props/configured.ts';
import type { SourceRecord } from '../store/configuration/sources.ts';
import type { DeliveryRecord } from '../store/history/deliveries.ts';
import { createSharing, type Sharing, type SharingOptions } from './sharing.ts';

export interface LeadingOptions extends Omit<SharingOptions, 'placeOf'> {
  readonly runs: RunsElsewhere;
  /** Somebody follows here what happens. */
  readonly isFollowed: () => boolean;
  readonly debugging: Pick<Debugging, 'find'>;
  readonly keeper: Pick<AccountKeeper, 'freshen' | 'unauthorized'>;
  /** The longest that a run takes, in ms. */
  readonly runMs: number;
  readonly log: Log;
}

export interface Leading {
  readonly sharing: Sharing;
  /** From now on other nodes are answered: what was left here before has its place in the queues. */
  takeIn(): void;
  /** Resolves when other nodes are known, and know this one. */
  start(): Promise<void>;
  /** Gives nothing to other nodes any more, and takes nothing from them. */
  stop(): void;
  /** Resolves when all that happens at other nodes is told here from now on, for as long as somebody follows it. */
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
  /** Ends a run of a source, wherever it goes on. */
  stopRun(id: string, n: number): Promise<boolean>;
  /** One attempt at a delivery, at the node that owns its emitter. */
  redeliver(n: number): Promise<DeliveryRecord>;
}

/**
 * Operations on a source, named by `id` or `source`, that need what only its owner has: its db, its process, its inbox. All others
 * read the store, or change what every node reads.
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
]);

export function createLeading(options: LeadingOptions): Leading {
  const { store, shared, link, signals, emitters, deliveries, running, closing } = options;
  const { runs, debugging, keeper, runMs, report } = options;
  const sharing = createSharing({ ...options, placeOf: (id) => leader.placeOf(id) });
  const leader: Leader = new Leader({
    ...options,
    node: link,
    peers: link.peers,
    flush: () => store.flush(),
    sources: () => store.sources.all().map(({ id }) => id),
    movable: () =>
      store.sources
        .all()
        .filter(mayMove)
        .map(({ id }) => id),
    here: () => emitters.all().map(({ id }) => id),
    take: (id) => sharing.handOver.take(id),
    release: (id, withinMs) => sharing.handOver.release(id, withinMs),
  });

  /** What a source has that is on this machine alone, or that only this runtime does, keeps it here. */
  function mayMove({ id, active, deploying, interfaces, definition, ...record }: SourceRecord) {
    const accounts = accountIds(record.configuredProps).map((one) => store.accounts.get(one));
    return (
      active &&
      !deploying &&
      interfaces.every(({ kind }) => kind !== 'apphook') &&
      definition.props.every(({ type }) => type !== 'data_store') &&
      accounts.every(
        (account) => account !== undefined && account.oauth?.health.kind !== 'oauth1',
      ) &&
      debugging.find(id) === undefined
    );
  }

  const ticked = (id: string): void => {
    shared.refreshTicks(id).then(
      () => signals.emit('source', id),
      (error: unknown) => {
        if (!WeirError.is(error, 'store_failed')) report(`The timers of ${id}`, error);
      },
    );
  };
  const handlers: NodeHandlers = {
    ...sharing.handlers,
    meet: () => {
      throw new WeirError('conflict', 'This node leads.');
    },
    watch: () => null,
    refresh: () => null,
    places: () => undefined,
    told: ({ signals: told }) => emitTold(signals, runs, ticked, told),
    unauthorized: ({ accounts }) => keeper.unauthorized(accounts),
    freshen: async ({ accounts }) => {
      await keeper.freshen(accounts, runMs);
      await leader.barrier();
      return null;
    },
  };
  const stop = (): void => {
    link.serve(undefined);
    link.passingOn.use(undefined);
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
      // Who has a connection follows all changes.
      if (connection !== undefined) await leader.follow();
      if (!atOwner.has(name)) return () => undefined;
      const named = params as { readonly id?: unknown; readonly source?: unknown };
      const id = named.id ?? named.source;
      const source = typeof id === 'string' ? store.sources.find(id) : undefined;
      return source === undefined ? () => undefined : leader.bring(source.id);
    },
    bring: (id) => leader.bring(id),
    after: () => leader.barrier(),
    async stopRun(id, n) {
      const elsewhere = kindOf(id) === 'workflow' ? undefined : await leader.stopRun(id, n);
      return elsewhere ?? running.invocations.stopOne(id, n);
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

/** A target is given so long to answer, and a little more. */
const redeliverMs = 40_000;
