import { expect, test } from 'vitest';
import * as faults from '../store-contract/broken-stores.ts';
import { brokenSharedStores } from '../store-contract/broken-two-nodes.ts';
import { brokenWorkflowStores } from '../store-contract/broken-workflows.ts';
import type { OpenStore } from '../store-contract/rules.ts';
import { brokenRules } from '../store-contract/store-contract.ts';
import { brokenRulesOfTwoNodes } from '../store-contract/two-nodes.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { openedPostgres, openedTwoNodes } from '../support/opened-postgres.ts';
import { startPostgres } from '../support/postgres.ts';

/**
 * Each store breaks its contract in one way: a suite that finds nothing in it would be worth nothing. That the model
 * finds them as well does not depend on the engine, and is tried where a store costs nothing, with SQLite.
 */

const postgres = await startPostgres(atEndOfSuite());
const sound: OpenStore = () => openedPostgres(postgres);

test.each([...faults.brokenStores(sound), ...brokenWorkflowStores(sound)])(
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

test.each(brokenSharedStores(() => openedTwoNodes(postgres)))(
  'the contract finds a store of two runtimes that $fault',
  { timeout: 120_000 },
  async ({ open, finds }) => {
    expect(await brokenRulesOfTwoNodes(open, finds)).toEqual(finds);
  },
);
