/** Stores that break a rule of workflows or executions in one way each. */
import type { StepCommit } from '../../src/runtime/store/commit.ts';
import type { ExecutionTable } from '../../src/runtime/store/history/execution-table.ts';
import type { WorkflowTable } from '../../src/runtime/store/configuration/workflows.ts';
import type { Store } from '../../src/runtime/store/store.ts';
import { broken, type BrokenStore } from './broken-stores.ts';
import type { OpenStore } from './rules.ts';

type Breaks = (store: Store) => Store;

const committing =
  (change: (commit: StepCommit) => StepCommit): Breaks =>
  (store) => ({ ...store, commitStep: (commit) => store.commitStep(change(commit)) });

const without =
  (field: keyof StepCommit): Breaks =>
  (store) =>
    committing((commit) => {
      const { [field]: _, ...rest } = commit;
      return rest as StepCommit;
    })(store);

const workflows =
  (change: (table: WorkflowTable) => Partial<WorkflowTable>): Breaks =>
  (store) => ({ ...store, workflows: { ...store.workflows, ...change(store.workflows) } });

const executions =
  (change: (table: ExecutionTable) => Partial<ExecutionTable>): Breaks =>
  (store) => ({ ...store, executions: { ...store.executions, ...change(store.executions) } });

/** By fault: how it breaks, and the rules that find it. */
const faults: readonly (readonly [fault: string, breaks: Breaks, ...finds: string[]])[] = [
  [
    'forgets the interfaces of workflows',
    workflows((table) => ({
      get(id) {
        const found = table.get(id);
        return found && { ...found, interfaces: [] };
      },
    })),
    'a workflow: is the same after the store was opened again',
    'a workflow: ticks when its owner says, and is switched off',
  ],
  [
    'keeps one deployment of a workflow',
    workflows((table) => ({ deploymentsOf: (id) => table.deploymentsOf(id).slice(-1) })),
    'a workflow: has another deployment, and keeps those before',
    'a deployment: stays while it is new, current, or an execution runs it',
  ],
  [
    'gives two workflows one slug',
    workflows((table) => ({
      async deploy(record, ...rest) {
        const made = await table.deploy(record, ...rest);
        return { ...made, record: { ...made.record, slug: record.slug } };
      },
    })),
    'a workflow: has a slug of its own',
  ],
  [
    'subscribes workflows to nothing',
    workflows((table) => ({
      deploy: (one, other, _, newId) => table.deploy(one, other, [], newId),
    })),
    'a workflow: subscribes to what its triggers name, and to nothing else',
  ],
  [
    'remembers a workflow whose deploy was refused',
    (store) => {
      const ghosts = new Map<string, ReturnType<WorkflowTable['get']>>();
      return workflows((table) => ({
        async deploy(record, ...rest) {
          ghosts.set(record.id, record);
          const made = await table.deploy(record, ...rest);
          ghosts.delete(record.id);
          return made;
        },
        get: (id) => table.get(id) ?? ghosts.get(id),
      }))(store);
    },
    'a workflow: that is refused leaves nothing',
  ],
  [
    'lists workflows that were only tested',
    workflows((table) => ({ find: (id) => table.find(id) ?? table.findTested(id) })),
    'a workflow: that was only tested is in no list',
  ],
  [
    'deletes nothing of a workflow',
    workflows(() => ({ delete: async () => [] })),
    'a workflow: goes with its deployments and subscriptions',
  ],
  [
    'removes deployments that executions use',
    workflows((table) => ({
      removeUnusedDeployments: () => table.removeUnusedDeployments([]),
    })),
    'a deployment: stays while it is new, current, or an execution runs it',
  ],
  [
    'forgets which components deployments use',
    (store) => ({
      ...store,
      components: { ...store.components, removeUnused: async () => ['a', 'b'] },
    }),
    'a deployment: keeps the components that it uses',
  ],
  [
    'loses steps',
    committing((commit) => ({ ...commit, step: undefined })),
    'the journal of an execution: has every step in the order of the commits, whole',
    'the journal of an execution: ends once',
  ],
  [
    'forgets the props of steps',
    executions((table) => ({
      steps: async (n) => (await table.steps(n)).map((step) => ({ ...step, props: null })),
    })),
    'the journal of an execution: has every step in the order of the commits, whole',
  ],
  [
    'loses the lines of steps',
    executions((table) => ({
      stepsWithLogs: async (n) =>
        (await table.stepsWithLogs(n)).map((one) => ({ ...one, logs: [] })),
    })),
    'the journal of an execution: has the lines and requests of each step',
  ],
  [
    'loses the requests of steps',
    executions(() => ({ requests: async () => [] })),
    'the journal of an execution: has the lines and requests of each step',
  ],
  [
    'begins every execution anew',
    (store) => ({ ...store, accept: ({ journal: _, ...one }) => store.accept(one) }),
    'the journal of an execution: begins with the steps of another one',
  ],
  [
    'suspects an execution that has come further',
    without('progressed'),
    'the journal of an execution: is not suspected any more once it has come further',
  ],
  [
    'forgets when executions began',
    committing((commit) => ({ ...commit, startedAt: 0 })),
    'the journal of an execution: ends once',
  ],
  ['forgets responses', without('response'), 'the journal of an execution: ends once'],
  [
    'loses the state of a step',
    committing((commit) => ({ ...commit, db: [] })),
    'the journal of an execution: is one write with the events and the state of its step',
  ],
  [
    'forgets nothing of an execution',
    without('forget'),
    'the journal of an execution: is forgotten where only that it ran is kept',
  ],
  [
    'never finds a pause due',
    executions(() => ({ due: async () => [], nextWakeAfter: async () => undefined })),
    'a pause: is due at its time, and after a crash',
    'a pause: is due when a request has hit it, once',
    'a pause: is due at once where a request came before it',
  ],
  [
    'goes on waiting after a pause',
    without('resumed'),
    'a pause: is over when its step was resumed',
  ],
  [
    'takes every hit of a pause',
    executions((table) => ({
      async addHit(...hit) {
        await table.addHit(...hit);
        return true;
      },
    })),
    'a pause: is due when a request has hit it, once',
  ],
  [
    'leaves steps waiting behind an end',
    without('leavesWaiting'),
    'a pause: ends with a later run of its step, and with the execution',
  ],
  [
    'forgets sends that have not gone out',
    (store) => ({
      ...store,
      ownership: {
        ...store.ownership,
        take: async (id) => ({ ...(await store.ownership.take(id)), pendingSends: [] }),
      },
    }),
    'a send: waits until it has gone out, and after a crash',
  ],
  [
    'never ends a send',
    (store) => ({ ...store, sends: { ...store.sends, end: async () => undefined } }),
    'a send: waits until it has gone out, and after a crash',
  ],
  ['sends what a test asks for', without('isTest'), 'a send: of a test is kept and goes nowhere'],
  [
    'starts no workflow for a step',
    committing((commit) => ({
      ...commit,
      sends: commit.sends.filter(({ send }) => send.kind !== 'trigger'),
    })),
    'a send: that starts a workflow puts a run into its inbox',
  ],
  [
    'mixes up the channels of a stream',
    (store) => ({
      ...store,
      streams: { after: (id, _, ...rest) => store.streams.after(id, undefined, ...rest) },
    }),
    'a stream: has messages by channel, after an id',
    'a stream: keeps the newest 100 messages of a channel',
  ],
];

/** @param sound a store that has no fault */
export const brokenWorkflowStores = (sound: OpenStore): readonly BrokenStore[] =>
  faults.map(([fault, breaks, ...finds]) => ({ fault, open: broken(sound, breaks), finds }));
