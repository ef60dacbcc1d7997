import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as faults from '../../../../store-contract/broken-stores.ts';
import { brokenWorkflowStores } from '../../../../store-contract/broken-workflows.ts';
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

const cases: readonly faults.BrokenStore[] = [
  {
    fault: 'loses the last commit at a reopening',
    open: losesLastCommit,
    finds: [
      'the state of a component: the newest 100 unique ids are remembered',
      'the end of a store: by closing, all that was asked for is there',
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
  ...faults.brokenStores(sound),
];

// The model knows no workflows.
test.each([...cases, ...brokenWorkflowStores(sound)])(
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
    const rules = faults.rulesOfFence(write);
    const open = faults.broken(sound, faults.acceptsStaleFencesOf([write]));
    expect(await brokenRules(open, rules)).toEqual(rules);
  },
);

test.each(cases)('the model finds a store that $fault', { timeout: 120_000 }, async ({ open }) => {
  expect(await findDifference(open, 200)).toMatchObject({ name: 'AssertionError' });
});
