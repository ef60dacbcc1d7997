/** What a carry-over asked for, what has come, and what is missing (pure). */
import { holesOf, type CarryState } from './state.ts';

/** What is here now, whoever brought it. */
export interface Here {
  hasAccount(id: string): boolean;
  hasVariable(name: string): boolean;
  /** Records of a store. */
  records(store: string): number;
}

/** `unread`: the step found none, or could not read it. */
export type CarryItemState = 'here' | 'missing' | 'unread';

export interface CarryStatus {
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
  /** What is missing of what runs handed over, as sentences; none where everything is here. */
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
  // A later run may have brought what an earlier one lost.
  const problems = isComplete
    ? []
    : [
        ...holesOf(state.runs),
        ...stores
          .filter((one) => one.total !== null && one.records < one.total)
          .map((one) => `Data store ${one.id} has ${one.records} of ${one.total} records.`),
        ...open.map(({ path }) => `File ${path} is not complete.`),
      ];
  return { accounts, variables, stores, files, problems, isComplete };
}

/** How the file store is called in `unread`. */
export const filesName = '$.files';
