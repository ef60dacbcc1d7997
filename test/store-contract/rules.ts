/** What the contract of a store is made of: rules, each tried on a store of its own. */
import type { Store } from '../../src/runtime/store/store.ts';
import { source } from '../support/records.ts';

/** A store that a test may close, open again and take the power from. */
export interface OpenedStore {
  /** As it was opened last. */
  readonly store: Store;
  /** Closes it and opens it again. */
  readonly reopen: () => Promise<Store>;
  /**
   * Ends it at this moment as a power cut or `kill -9` would, and opens what is left: all that had
   * resolved, and of the rest what chance leaves.
   * @param random numbers from 0 to 1
   */
  readonly crash: (random: () => number) => Promise<Store>;
  /** For good. Never rejects. */
  readonly end: () => Promise<void>;
}

/** Opens a new store that has nothing in it. */
export type OpenStore = () => Promise<OpenedStore>;

export interface Rule {
  readonly title: string;
  /** Rejects when the store does not keep it. */
  readonly check: (opened: OpenedStore) => Promise<void>;
}

export interface Topic {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** Puts into a new store what all rules of a topic need. */
type Prepare = (store: Store) => Promise<unknown>;

export const nothing: Prepare = async () => undefined;
/** `dc_1` */
export const oneSource: Prepare = (store) => store.sources.insert(source('dc_1'));
/** `dc_1` and `dc_2` */
export const twoSources: Prepare = async (store) => {
  await oneSource(store);
  await store.sources.insert(source('dc_2'));
};

export function topic(
  name: string,
  prepare: Prepare,
  define: (rule: (title: string, check: Rule['check']) => void) => void,
): Topic {
  const rules: Rule[] = [];
  let isDefined = false;
  define((title, check) => {
    // Within another rule it would never be tried.
    if (isDefined) throw new Error(`The rule "${title}" stands within another one.`);
    rules.push({
      title,
      async check(opened) {
        await prepare(opened.store);
        await check(opened);
      },
    });
  });
  isDefined = true;
  return { name, rules };
}

/** Tries one rule on a new store. Rejects when it is not kept. */
export async function tryRule({ check }: Rule, open: OpenStore): Promise<void> {
  const opened = await open();
  try {
    await check(opened);
  } finally {
    await opened.end();
  }
}
