/** Stores of two runtimes that break a rule in one way each. */
import type { SharedStore } from '../../src/runtime/store/shared.ts';
import type { NodeStore, OpenTwoNodes } from './two-nodes.ts';

export interface BrokenSharedStore {
  readonly fault: string;
  readonly open: OpenTwoNodes;
  /** Rules that find it, at least. */
  readonly finds: readonly string[];
}

type Breaks = (shared: SharedStore) => Partial<SharedStore>;

/** What another store answers, but for one part. `changes` grows, so it is asked for anew each time. */
const broken = (node: NodeStore, breaks: Breaks): NodeStore => ({
  ...node,
  shared: Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(node.shared),
      ...Object.getOwnPropertyDescriptors(breaks(node.shared)),
    },
  ) as SharedStore,
});

const unchanged = { changed: [], deleted: [] };
const configured = 'what one configures another reads anew, and hears what it was';
const deployed = 'a workflow that one deploys another knows whole, until it is deleted';
const givenBack = 'an emitter that was given back is the other’s, with all that belongs to it';
const oneOwner = 'an emitter has one owner, whom all name';
const givenUp = 'an emitter that its owner gives up may be taken';
const leftOnce = 'what is left in the inbox of another is taken up there once';
const bothWays = 'what was forwarded and left as well is one invocation, whichever came first';
const leftForNext = 'what was left is there for whoever takes the emitter, and no second time';
const listeners = 'an event leaves runs of listeners that another owns, in the order of emission';

const faults: readonly (readonly [fault: string, breaks: Breaks, ...finds: string[]])[] = [
  ['does not count changes', () => ({ changes: 0 }), configured],
  [
    'reads nothing anew',
    () => ({
      refresh: async () => ({
        sources: unchanged,
        workflows: unchanged,
        webhooks: unchanged,
        subscriptions: unchanged,
        accounts: unchanged,
      }),
    }),
    configured,
    deployed,
    givenBack,
  ],
  [
    'does not say which workflows changed',
    (shared) => ({ refresh: async () => ({ ...(await shared.refresh()), workflows: unchanged }) }),
    deployed,
  ],
  [
    'does not say what is gone',
    (shared) => ({
      async refresh() {
        const { sources, workflows, ...rest } = await shared.refresh();
        return {
          ...rest,
          sources: { ...sources, deleted: [] },
          workflows: { ...workflows, deleted: [] },
        };
      },
    }),
    configured,
    deployed,
  ],
  ['gives nothing back', () => ({ release: async () => undefined }), givenBack, oneOwner],
  ['knows no owners', () => ({ owners: async () => [] }), oneOwner],
  ['keeps what is given up', () => ({ giveUp: async () => undefined }), givenUp],
  [
    'hands out one number to two',
    () => ({ nextNumber: () => 100 }),
    'numbers that are handed out in advance are handed out once',
  ],
  ['loses what is left', () => ({ leave: async () => undefined }), leftOnce, leftForNext],
  [
    'hands out in disorder what was left',
    (shared) => ({ takeLeft: async () => (await shared.takeLeft()).toReversed() }),
    leftOnce,
    listeners,
  ],
  [
    'hands out twice what was left',
    (shared) => {
      const before: Awaited<ReturnType<SharedStore['takeLeft']>>[number][] = [];
      return {
        async takeLeft() {
          before.push(...(await shared.takeLeft()));
          return [...before];
        },
      };
    },
    leftOnce,
  ],
  ['takes nothing up', () => ({ takeLeft: async () => [] }), leftOnce, listeners],
  ['does not know what is open', () => ({ isOpen: () => false }), leftOnce],
  ['takes for open what is not there', () => ({ isOpen: () => true }), leftOnce],
  [
    'takes in anew what was forwarded before',
    (shared) => ({
      async leave(run) {
        await shared.leave({ ...run, n: shared.nextNumber() });
      },
    }),
    leftOnce,
    bothWays,
  ],
  [
    'does not read when timers tick',
    () => ({ refreshTicks: async () => undefined }),
    'when the timers of another’s emitter tick is read when it is asked for',
  ],
];

/** @param sound a store that has no fault */
export const brokenSharedStores = (sound: OpenTwoNodes): readonly BrokenSharedStore[] =>
  faults.map(([fault, breaks, ...finds]) => ({
    fault,
    open: async () => {
      const { one, other, end } = await sound();
      return { one: broken(one, breaks), other: broken(other, breaks), end };
    },
    finds,
  }));
