/** Stores that break the contract in one way each: the suite has to find every one of them. */
import type { Store } from '../../src/runtime/store/store.ts';
import type { TakenEmitter } from '../../src/runtime/store/ownership.ts';
import type { OpenStore } from './rules.ts';

export interface BrokenStore {
  readonly fault: string;
  readonly open: OpenStore;
  /** Rules that find it, at least. */
  readonly finds: readonly string[];
}

/** A store that is opened as another is, and answers in another way. */
export function broken(open: OpenStore, breaks: (store: Store) => Store): OpenStore {
  return async () => {
    const opened = await open();
    let store = breaks(opened.store);
    return {
      get store() {
        return store;
      },
      reopen: async () => (store = breaks(await opened.reopen())),
      crash: async (random) => (store = breaks(await opened.crash(random))),
      end: opened.end,
    };
  };
}

/** The same, with something changed of what an owner is handed. */
function handingOut(store: Store, change: (taken: TakenEmitter) => TakenEmitter): Store {
  return {
    ...store,
    ownership: {
      takeAll: (told) => store.ownership.takeAll((taken) => told(change(taken))),
      take: async (id) => change(await store.ownership.take(id)),
    },
  };
}

export const forgetsDedupeId = (store: Store): Store => ({
  ...store,
  commit: ({ dedupe, ...commit }) =>
    store.commit({
      ...commit,
      ...(dedupe && {
        dedupe: { ...dedupe, ...(dedupe.append && { append: dedupe.append.slice(0, -1) }) },
      }),
    }),
});

export const handsOutDeliveriesInDisorder = (store: Store): Store =>
  handingOut(store, (taken) => {
    return { ...taken, openDeliveries: taken.openDeliveries.toReversed() };
  });

export const tellsDeliveriesInDisorder = (store: Store): Store => ({
  ...store,
  async commit(commit) {
    const made = await store.commit(commit);
    return { ...made, deliveries: made.deliveries.toReversed() };
  },
});

/** Every write of an owner, made with another fence than was asked for. */
const fenced = {
  accept: (store, by) => ({ accept: (one) => store.accept(by(one.emitterId, one)) }),
  commit: (store, by) => ({ commit: (one) => store.commit(by(one.emitterId, one)) }),
  commitStep: (store, by) => ({
    commitStep: (one) => store.commitStep(by(one.emitterId, one)),
  }),
  addHit: ({ executions }, by) => ({
    executions: {
      ...executions,
      addHit: (owner, ...rest) => executions.addHit(by(owner.id, owner), ...rest),
    },
  }),
  endSend: ({ sends }, by) => ({
    sends: { ...sends, end: (owner, end) => sends.end(by(owner.id, owner), end) },
  }),
  commitDue: (store, by) => ({ commitDue: (one) => store.commitDue(by(one.emitterId, one)) }),
  writeDb: (store, by) => ({
    writeDb: (owner, writes) => store.writeDb(by(owner.id, owner), writes),
  }),
  endDeploy: ({ sources }, by) => ({
    sources: {
      ...sources,
      endDeploy: (owner, ...rest) => sources.endDeploy(by(owner.id, owner), ...rest),
    },
  }),
  setNextTick: ({ sources }, by) => ({
    sources: {
      ...sources,
      setNextTick: (owner, ...rest) => sources.setNextTick(by(owner.id, owner), ...rest),
    },
  }),
  retry: ({ invocations }, by) => ({
    invocations: {
      ...invocations,
      retry: (owner, numbers) => invocations.retry(by(owner.id, owner), numbers),
    },
  }),
  markCutOff: ({ invocations }, by) => ({
    invocations: {
      ...invocations,
      markCutOff: (owner, numbers) => invocations.markCutOff(by(owner.id, owner), numbers),
    },
  }),
  markSuspects: ({ invocations }, by) => ({
    invocations: {
      ...invocations,
      markSuspects: (owner, marks) => invocations.markSuspects(by(owner.id, owner), marks),
    },
  }),
  pruneInvocations: ({ invocations }, by) => ({
    invocations: {
      ...invocations,
      prune: (owner, keep) => invocations.prune(by(owner.id, owner), keep),
    },
  }),
  deleteEvents: ({ events }, by) => ({
    events: { ...events, delete: (owner, range) => events.delete(by(owner.id, owner), range) },
  }),
  pruneEvents: ({ events }, by) => ({
    events: { ...events, prune: (owner, keep) => events.prune(by(owner.id, owner), keep) },
  }),
  appendLog: ({ logs }, by) => ({
    logs: { ...logs, append: (owner, line) => logs.append(by(owner.id, owner), line) },
  }),
  pruneLogs: ({ logs }, by) => ({
    logs: { ...logs, prune: (owner, keep) => logs.prune(by(owner.id, owner), keep) },
  }),
  record: ({ deliveries }, by) => ({
    deliveries: {
      ...deliveries,
      record: (fence, delivery, ...rest) =>
        deliveries.record(by(delivery.emitterId, { fence }).fence, delivery, ...rest),
    },
  }),
  pruneDeliveries: ({ deliveries }, by) => ({
    deliveries: {
      ...deliveries,
      prune: (owner, keep) => deliveries.prune(by(owner.id, owner), keep),
    },
  }),
  cancel: ({ scheduledEmits }, by) => ({
    scheduledEmits: {
      ...scheduledEmits,
      cancel: (owner, range) => scheduledEmits.cancel(by(owner.id, owner), range),
    },
  }),
} satisfies Record<string, (store: Store, by: Forge) => Partial<Store>>;

/** What is asked for, with another fence. */
type Forge = <T extends { readonly fence: number }>(emitterId: string, asked: T) => T;

export const fencedWrites = Object.keys(fenced) as readonly (keyof typeof fenced)[];

/** A store that takes the fence of an owner that was replaced for that of the owner. */
export const acceptsStaleFencesOf =
  (writes: readonly (keyof typeof fenced)[]) =>
  (store: Store): Store => {
    const fences = new Map<string, number>();
    const owned = handingOut(store, (taken) => {
      fences.set(taken.id, taken.fence);
      return taken;
    });
    const forge: Forge = (emitterId, asked) => {
      const fence = fences.get(emitterId) ?? asked.fence;
      return asked.fence < fence ? { ...asked, fence } : asked;
    };
    return writes.reduce((broken, name) => ({ ...broken, ...fenced[name](broken, forge) }), owned);
  };

export const acceptsTooEarly = (store: Store): Store => ({
  ...store,
  accept(invocation) {
    const { n, durable } = store.accept(invocation);
    durable.catch(() => undefined);
    return { n, durable: Promise.resolve() };
  },
});

/** All but the last event, and then that one by itself. */
export const commitsInTwoWrites = (store: Store): Store => ({
  ...store,
  async commit(commit) {
    const last = commit.events.at(-1);
    if (last === undefined || commit.events.length === 1) return store.commit(commit);
    const { notices: _, dedupe: _d, ...first } = commit;
    const most = await store.commit({ ...first, events: commit.events.slice(0, -1) });
    await store.invocations.retry({ id: commit.emitterId, fence: commit.fence }, [commit.n]);
    const rest = await store.commit({ ...commit, events: [last], drops: [], db: [], logs: [] });
    return {
      logIds: most.logIds,
      deliveries: [...most.deliveries, ...rest.deliveries],
      triggered: [...most.triggered, ...rest.triggered],
    };
  },
});

export const forgetsWhatIsScheduledBesideEvents = (store: Store): Store => ({
  ...store,
  commit: ({ scheduled, ...commit }) =>
    store.commit(commit.events.length > 0 ? commit : { ...commit, scheduled }),
});

export const handsOutWhatIsScheduledInDisorder = (store: Store): Store => ({
  ...store,
  scheduledEmits: {
    ...store.scheduledEmits,
    async due(emitterId, at, most) {
      const found = await store.scheduledEmits.due(emitterId, at, most);
      return { ...found, emits: found.emits.toReversed() };
    },
  },
});

export const cancelsNothing = (store: Store): Store => ({
  ...store,
  scheduledEmits: {
    ...store.scheduledEmits,
    async cancel({ id }) {
      const { count, bytes } = (await store.ownership.take(id)).waitingEmits;
      return { count, bytes };
    },
  },
});

export const ticksApartFromTheRun = (store: Store): Store => ({
  ...store,
  accept({ tick, ...invocation }) {
    const { n, durable } = store.accept(invocation);
    const both = async (): Promise<void> => {
      await durable;
      const owner = { id: invocation.emitterId, fence: invocation.fence };
      if (tick !== undefined) await store.sources.setNextTick(owner, tick.interfaceId, tick.nextAt);
    };
    const kept = both();
    kept.catch(() => undefined);
    return { n, durable: kept };
  },
});

export const forgetsNewestEventId = (store: Store): Store => ({
  ...store,
  ownership: {
    ...store.ownership,
    async take(id) {
      const taken = await store.ownership.take(id);
      const { total } = await store.events.list(id, { limit: 1, dropped: true });
      return total > 0 ? taken : { ...taken, newestEvent: undefined };
    },
  },
});

export function doesNotReadItsWrites(store: Store): Store {
  const underWay = new Set<string>();
  return {
    ...store,
    async commit(commit) {
      const ids = commit.events.map(({ id }) => `${commit.emitterId} ${id}`);
      for (const id of ids) underWay.add(id);
      try {
        return await store.commit(commit);
      } finally {
        for (const id of ids) underWay.delete(id);
      }
    },
    events: {
      ...store.events,
      async list(emitterId, page) {
        const hidden = new Set(underWay);
        const { rows, total, ...rest } = await store.events.list(emitterId, page);
        const seen = rows.filter(({ id }) => !hidden.has(`${emitterId} ${id}`));
        return { ...rest, rows: seen, total: total - (rows.length - seen.length) };
      },
      async after(emitterId, id, limit) {
        const hidden = new Set(underWay);
        const rows = await store.events.after(emitterId, id, limit);
        return rows.filter((row) => !hidden.has(`${emitterId} ${row.id}`));
      },
    },
  };
}

/** One fault each. @param sound a store that has none */
export const brokenStores = (sound: OpenStore): readonly BrokenStore[] => [
  {
    fault: 'forgets a dedupe id',
    open: broken(sound, forgetsDedupeId),
    finds: ['the state of a component: the newest 100 unique ids are remembered'],
  },
  {
    fault: 'hands out deliveries in disorder',
    open: broken(sound, handsOutDeliveriesInDisorder),
    finds: ['taking an emitter: hands out open deliveries in the order of emission'],
  },
  {
    fault: 'tells deliveries in disorder',
    open: broken(sound, tellsDeliveriesInDisorder),
    finds: ['a commit: makes deliveries and runs of listeners, for those that still exist'],
  },
  {
    fault: 'accepts stale fences',
    open: broken(sound, acceptsStaleFencesOf(fencedWrites)),
    finds: [
      'a fence: that is stale writes nothing',
      'a fence: that is stale is refused by all other writes of an owner',
      'a scheduled emit: is neither emitted nor cancelled by an owner that was replaced',
    ],
  },
  {
    fault: 'resolves an accept before it is on disk',
    open: broken(sound, acceptsTooEarly),
    finds: ['after a crash: what was accepted is there, with its tick (1)'],
  },
  {
    fault: 'makes two writes of a commit',
    open: broken(sound, commitsInTwoWrites),
    finds: ['after a crash: what resolved is there, the rest whole or not at all (1)'],
  },
  {
    fault: 'makes two writes of a tick and its run',
    open: broken(sound, ticksApartFromTheRun),
    finds: ['a tick: is one write with its run'],
  },
  {
    fault: 'forgets what is scheduled beside events',
    open: broken(sound, forgetsWhatIsScheduledBesideEvents),
    finds: ['a scheduled emit: is kept by the commit of its run, and is no event'],
  },
  {
    fault: 'hands out what is scheduled in disorder',
    open: broken(sound, handsOutWhatIsScheduledInDisorder),
    finds: ['a scheduled emit: is handed out by due time, then in the order of emission'],
  },
  {
    fault: 'cancels nothing',
    open: broken(sound, cancelsNothing),
    finds: [
      'a scheduled emit: becomes one event only, and none once it was cancelled',
      'a scheduled emit: is cancelled by a range, both ends included',
    ],
  },
  {
    fault: 'forgets the newest event id with its row',
    open: broken(sound, forgetsNewestEventId),
    finds: ['taking an emitter: knows the newest event id when no row tells it any more'],
  },
  {
    fault: 'does not read its writes',
    open: broken(sound, doesNotReadItsWrites),
    finds: ['a read: sees every write that was asked for before it'],
  },
];

/** Rules that find a store which accepts stale fences of one write. */
export function rulesOfFence(write: keyof typeof fenced): readonly string[] {
  if (['accept', 'commit'].includes(write)) return ['a fence: that is stale writes nothing'];
  if (['commitStep', 'addHit', 'endSend'].includes(write)) {
    return ['the journal of an execution: writes nothing for an owner that was replaced'];
  }
  return ['commitDue', 'cancel'].includes(write)
    ? ['a scheduled emit: is neither emitted nor cancelled by an owner that was replaced']
    : ['a fence: that is stale is refused by all other writes of an owner'];
}
