/**
 * Random scripts of everything that can be asked of a store, with clean ends and crashes in between,
 * tried on the store and on a model of it side by side (see plain-store.ts).
 *
 * `WEIR_FUZZ_MINUTES=10 npm run test:unit -- store-model` for the long run (test/support/holds.ts).
 */
import * as fc from 'fast-check';
import { holds } from '../../support/holds.ts';
import { source, webhook } from '../../support/records.ts';
import type { OpenStore } from '../rules.ts';
import { Session } from './session.ts';
import type { Step } from './step.ts';
import { aStep } from './steps.ts';

const script = fc.array(aStep, { minLength: 1, maxLength: 80, size: 'max' });

/** Rejects where the store shows something else than the model. */
async function follow(open: OpenStore, steps: readonly Step[]): Promise<void> {
  const opened = await open();
  try {
    const session = new Session(opened);
    await begin(session);
    for (const { run } of steps) {
      await run(session);
      session.check();
    }
    await session.settle();
    await session.look();
    await session.reopen();
  } finally {
    await opened.end();
  }
}

/** Most steps need something to work on. */
async function begin(session: Session): Promise<void> {
  for (const id of ['dc_0', 'dc_1']) {
    const interfaces = [
      { id: `ti_${id}`, prop: 'timer', kind: 'timer', cron: '* * * * *' },
    ] as const;
    const record = source(id, { interfaces, componentId: 'sc_0' });
    session.write({
      apply: (plain) => plain.insertSource(record),
      ask: (store) => store.sources.insert(record),
    });
  }
  session.write({
    apply: (plain) => plain.insertWebhook(webhook('wh_0')),
    ask: (store) => store.webhooks.insert(webhook('wh_0')),
  });
  await session.settle();
}

/** Tries random scripts. Rejects with the smallest one after which the store shows something else than the model. */
export async function storeModel(open: OpenStore): Promise<void> {
  await holds(propertyOf(open), 30);
}

/** The same with so many scripts, where each takes long. */
export async function trySteps(open: OpenStore, runs: number): Promise<void> {
  await holds(propertyOf(open), runs, { endOnFailure: true });
}

/** @returns how the store differs from the model; undefined when it does not in so many scripts */
export async function findDifference(open: OpenStore, runs: number): Promise<unknown> {
  const result = await fc.check(propertyOf(open), { numRuns: runs, seed: 1, endOnFailure: true });
  return result.failed ? result.errorInstance : undefined;
}

const propertyOf = (open: OpenStore) => fc.asyncProperty(script, (steps) => follow(open, steps));
