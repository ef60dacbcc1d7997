/** The requests of a carry-over, what has arrived, and what is missing (pure). */
import type { UnknownAccount } from './plan.ts';
import { holesOf, type CarryState } from './state.ts';

/** The values that are here now, whoever brought them. */
export interface Here {
  hasAccount(id: string): boolean;
  hasVariable(name: string): boolean;
  /** Records of a store. */
  records(store: string): number;
}

/** `unread`: the step found none, or could not read it. */
export type CarryItemState = 'here' | 'missing' | 'unread';

export interface CarryStatus {
  /** Accounts that the step does not ask for, because their app is unknown, and that are not here. */
  readonly notAsked: readonly UnknownAccount[];
  readonly accounts: readonly {
    readonly id: string;
    readonly app: string;
    readonly state: CarryItemState;
    readonly isBridge: boolean;
  }[];
  readonly variables: readonly { readonly name: string; readonly state: CarryItemState }[];
  readonly stores: readonly {
    readonly id: string;
    readonly records: number;
    /** How many there are there; null until a run has counted them. */
    readonly total: number | null;
    readonly state: CarryItemState;
  }[];
  readonly files: {
    readonly here: number;
    readonly total: number | null;
    readonly state: CarryItemState;
  } | null;
  /** The missing parts of runs, as sentences; empty if everything is here. */
  readonly problems: readonly string[];
  readonly isComplete: boolean;
}

export function statusOf(state: CarryState, here: Here): CarryStatus {
  const stateOf = (isHere: boolean, name: string): CarryItemState => {
    if (isHere) return 'here';
    return state.unread.includes(name) ? 'unread' : 'missing';
  };
  const accounts = state.plan.accounts.map(({ id, app }) => ({
    id,
    app,
    state: stateOf(here.hasAccount(id), id),
    isBridge: state.bridges.includes(id),
  }));
  const variables = state.plan.variables.map((name) => ({
    name,
    state: stateOf(here.hasVariable(name), name),
  }));
  const stores = state.plan.stores.map(({ id }) => {
    const total = state.totals.find(([store]) => store === id)?.[1] ?? null;
    const records = here.records(id);
    return { id, records, total, state: stateOf(total !== null && records >= total, id) };
  });
  const { total, done, open } = state.files;
  const isHere = total !== null && done.length >= total;
  const files = state.plan.files
    ? { here: done.length, total, state: stateOf(isHere, filesName) }
    : null;
  const items = [...accounts, ...variables, ...stores, ...(files === null ? [] : [files])];
  const isComplete = items.every((one) => one.state === 'here');
  // A later run may have brought values that an earlier one lost.
  const problems = isComplete
    ? []
    : [
        ...holesOf(state.runs),
        ...restOf(state),
        ...stores
          .filter((one) => one.total !== null && one.records < one.total)
          .map((one) => `Data store ${one.id} has ${one.records} of ${one.total} records.`),
        ...open.map(({ path }) => `File ${path} is not complete.`),
      ];
  const notAsked = state.plan.notAsked.filter(({ id }) => !here.hasAccount(id));
  return { accounts, notAsked, variables, stores, files, problems, isComplete };
}

/** How the file store is called in `unread`. */
export const filesName = '$.files';

/** How the rest comes where the last run stopped before its end, because of the limits of the platform. */
function restOf({ runs, way }: CarryState): string[] {
  const last = runs.at(-1);
  if (last === undefined || last.next === null) return [];
  const stopped = `Run ${last.fingerprint} stopped before its end.`;
  if (way === 'pull') return [`${stopped} Run "weir carry-over pull" again.`];
  const event = JSON.stringify({ body: { cursor: last.next } });
  return [`${stopped} Run the step again with the event ${event}, and take what it returns.`];
}
