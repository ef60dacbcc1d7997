import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as faults from '../../../../store-contract/broken-stores.ts';
import { findDifference } from '../../../../store-contract/model/store-model.ts';
import type { OpenStore } from '../../../../store-contract/rules.ts';
import { brokenRules } from '../../../../store-contract/store-contract.ts';
import { atEndOfSuite } from '../../../../support/at-end.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { emptySqlite, openedSqlite } from '../../../../support/opened-sqlite.ts';

/** Each store breaks its contract in one way: a suite that finds nothing in it would be worth nothing. */

const empty = await emptySqlite(atEndOfSuite());
const sound: OpenStore = () => openedSqlite(empty);

/** What is opened again is as it was before the last commit was asked for. */
const losesLastCommit: OpenStore = async () => {
  let opened = await openedSqlite(empty);
  let before: string | undefined;
  const watched = () => {
    const { store, folder } = opened;
    return {
      ...store,
      commit(commit: Parameters<typeof store.commit>[0]) {
        before = temporaryFolder();
        cpSync(folder, before, { recursive: true });
        return store.commit(commit);
      },
    };
  };
  let store = watched();
  return {
    get store() {
      return store;
    },
    async reopen() {
      const closed = opened;
      await closed.store.close();
      opened = await openedSqlite(before ?? closed.folder);
      await closed.end();
      store = watched();
      return store;
    },
    async crash(random) {
      await opened.crash(random);
      store = watched();
      return store;
    },
    end: () => opened.end(),
  };
};

const cases: readonly {
  readonly fault: string;
  readonly open: OpenStore;
  /** Rules that find it, at least. */
  readonly finds: readonly string[];
}[] = [
  {
    fault: 'loses the last commit at a reopening',
    open: losesLastCommit,
    finds: [
      'the state of a component: the newest 100 unique ids are remembered',
      'the end of a store: by closing, all that was asked for is there',
    ],
  },
  {
    fault: 'forgets a dedupe id',
    open: faults.broken(sound, faults.forgetsDedupeId),
    finds: ['the state of a component: the newest 100 unique ids are remembered'],
  },
  {
    fault: 'hands out deliveries in disorder',
    open: faults.broken(sound, faults.handsOutDeliveriesInDisorder),
    finds: ['taking an emitter: hands out open deliveries in the order of emission'],
  },
  {
    fault: 'tells deliveries in disorder',
    open: faults.broken(sound, faults.tellsDeliveriesInDisorder),
    finds: ['a commit: makes deliveries and runs of listeners, for those that still exist'],
  },
  {
    fault: 'accepts stale fences',
    open: faults.broken(sound, faults.acceptsStaleFencesOf(faults.fencedWrites)),
    finds: [
      'a fence: that is stale writes nothing',
      'a fence: that is stale is refused by all other writes of an owner',
      'a scheduled emit: is neither emitted nor cancelled by an owner that was replaced',
    ],
  },
  {
    fault: 'resolves a commit before it is on disk',
    open: () => openedSqlite(empty, 'late'),
    finds: [
      'after a crash: what resolved is there, the rest whole or not at all (1)',
      'after a crash: an attempt that was recorded is there',
      'after a crash: what was configured is there',
    ],
  },
  {
    fault: 'resolves an accept before it is on disk',
    open: faults.broken(sound, faults.acceptsTooEarly),
    finds: ['after a crash: what was accepted is there, with its tick (1)'],
  },
  {
    fault: 'makes two writes of a commit',
    open: faults.broken(sound, faults.commitsInTwoWrites),
    finds: ['after a crash: what resolved is there, the rest whole or not at all (1)'],
  },
  {
    fault: 'makes two writes of a tick and its run',
    open: faults.broken(sound, faults.ticksApartFromTheRun),
    finds: ['a tick: is one write with its run'],
  },
  {
    fault: 'forgets what is scheduled beside events',
    open: faults.broken(sound, faults.forgetsWhatIsScheduledBesideEvents),
    finds: ['a scheduled emit: is kept by the commit of its run, and is no event'],
  },
  {
    fault: 'hands out what is scheduled in disorder',
    open: faults.broken(sound, faults.handsOutWhatIsScheduledInDisorder),
    finds: ['a scheduled emit: is handed out by due time, then in the order of emission'],
  },
  {
    fault: 'cancels nothing',
    open: faults.broken(sound, faults.cancelsNothing),
    finds: [
      'a scheduled emit: becomes one event only, and none once it was cancelled',
      'a scheduled emit: is cancelled by a range, both ends included',
    ],
  },
  {
    fault: 'forgets the newest event id with its row',
    open: faults.broken(sound, faults.forgetsNewestEventId),
    finds: ['taking an emitter: knows the newest event id when no row tells it any more'],
  },
  {
    fault: 'does not read its writes',
    open: faults.broken(sound, faults.doesNotReadItsWrites),
    finds: ['a read: sees every write that was asked for before it'],
  },
];

test.each(cases)(
  'the contract finds a store that $fault',
  { timeout: 120_000 },
  async ({ open, finds }) => {
    expect(await brokenRules(open, finds)).toEqual(finds);
  },
);

test.each(faults.fencedWrites)(
  'the contract finds a store that accepts stale fences of one write: %s',
  { timeout: 120_000 },
  async (write) => {
    const rules = ['accept', 'commit'].includes(write)
      ? ['a fence: that is stale writes nothing']
      : ['commitDue', 'cancel'].includes(write)
        ? ['a scheduled emit: is neither emitted nor cancelled by an owner that was replaced']
        : ['a fence: that is stale is refused by all other writes of an owner'];
    const open = faults.broken(sound, faults.acceptsStaleFencesOf([write]));
    expect(await brokenRules(open, rules)).toEqual(rules);
  },
);

test.each(cases)('the model finds a store that $fault', { timeout: 120_000 }, async ({ open }) => {
  expect(await findDifference(open, 200)).toMatchObject({ name: 'AssertionError' });
});
