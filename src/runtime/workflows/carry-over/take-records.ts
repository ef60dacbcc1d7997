/** Puts the records of a block where they belong: only what was asked for, and nothing over what is there. */
import type { Accounts } from '../../accounts/accounts.ts';
import type { Environment } from '../../accounts/environment/environment.ts';
import type { DataStores } from '../../components/data-stores/data-stores.ts';
import type { DataStoreItem, DataStoreTable } from '../../store/history/data-stores.ts';
import { messageOf } from '../../../protocol/errors.ts';
import { isBridge } from './bridge.ts';
import { takePiece } from './pieces.ts';
import type { CarryRecord } from './records.ts';
import type { CarryState } from './state.ts';
import { filesName } from './status.ts';

export interface TakeOptions {
  readonly accounts: Pick<Accounts, 'create' | 'find'>;
  readonly environment: Pick<Environment, 'list' | 'set'>;
  readonly dataStores: Pick<DataStores, 'create'>;
  readonly stores: Pick<DataStoreTable, 'find' | 'count' | 'setAll'>;
  /** The file store of workflows. */
  readonly filesDir: string;
  readonly now: () => number;
  /** An account was made. */
  readonly accountMade: (id: string) => void;
  readonly environmentChanged: () => void;
  readonly storeChanged: (id: string) => void;
}

export interface Counts {
  accounts: number;
  variables: number;
  records: number;
  files: number;
  /** How many were here already and were not changed. */
  already: number;
}

export function noCounts(): Counts {
  return { accounts: 0, variables: 0, records: 0, files: 0, already: 0 };
}

interface Change {
  state: CarryState;
  readonly refused: string[];
}

/** @param counts is added to */
export async function takeRecords(
  options: TakeOptions & { readonly partsDir: string },
  before: CarryState,
  records: readonly CarryRecord[],
  counts: Counts,
): Promise<Change> {
  const change: Change = { state: before, refused: [] };
  const byStore = new Map<string, DataStoreItem[]>();
  for (const one of records) {
    if (one.t !== 'record') continue;
    const items = byStore.get(one.s) ?? [];
    items.push({ key: one.k.toWellFormed(), json: JSON.stringify(one.v ?? null), expiresAt: null });
    byStore.set(one.s, items);
  }
  for (const [id, items] of byStore) await takeItems(options, change, id, items, counts);
  for (const one of records) await takeOne(options, change, one, counts);
  return change;
}

async function takeItems(
  { dataStores, stores, now, storeChanged }: TakeOptions,
  { state, refused }: Change,
  id: string,
  items: readonly DataStoreItem[],
  counts: Counts,
): Promise<void> {
  if (!state.plan.stores.some((one) => one.id === id)) {
    refused.push(`Records of data store ${shown(id)} were not asked for, and were not taken.`);
    return;
  }
  const { id: here } = await dataStores.create(id);
  const distinct = new Set(items.map(({ key }) => key)).size;
  const written = await stores.setAll(here, items, now(), true);
  counts.records += written;
  counts.already += distinct - written;
  if (written > 0) storeChanged(here);
}

async function takeOne(
  options: TakeOptions & { readonly partsDir: string },
  change: Change,
  record: CarryRecord,
  counts: Counts,
): Promise<void> {
  const { state } = change;
  const { plan } = state;
  switch (record.t) {
    case 'account':
      return takeAccount(options, change, record, counts);
    case 'variable':
      return takeVariable(options, change, record, counts);
    case 'file': {
      if (!plan.files) {
        change.refused.push(`File ${shown(record.path)} was not asked for, and was not taken.`);
        return;
      }
      const { outcome, files } = await takePiece(options, state.files, record);
      change.state = { ...state, files };
      if (outcome === 'taken') counts.files += 1;
      if (outcome === 'already') counts.already += 1;
      if (typeof outcome === 'object') {
        change.refused.push(
          `File ${shown(record.path)} was not taken, because ${outcome.refused}.`,
        );
      }
      return;
    }
    case 'store': {
      if (!plan.stores.some(({ id }) => id === record.id)) return;
      const others = state.totals.filter(([id]) => id !== record.id);
      change.state = { ...state, totals: [...others, [record.id, record.n]] };
      return;
    }
    case 'files':
      change.state = { ...state, files: { ...state.files, total: record.n } };
      return;
    case 'no-account':
    case 'no-store':
      change.state = withUnread(state, record.id);
      return;
    case 'no-variable':
      change.state = withUnread(state, record.name);
      return;
    case 'no-files':
      change.state = withUnread(state, filesName);
      return;
    case 'record':
    case 'end':
  }
}

async function takeAccount(
  { accounts, accountMade }: TakeOptions,
  change: Change,
  { id, app, auth }: Extract<CarryRecord, { t: 'account' }>,
  counts: Counts,
): Promise<void> {
  const { state, refused } = change;
  if (!state.plan.accounts.some((one) => one.id === id && one.app === app)) {
    refused.push(`Account ${shown(id)} of ${shown(app)} was not asked for, and was not taken.`);
    return;
  }
  if (accounts.find(id) !== undefined) {
    counts.already += 1;
    return;
  }
  const bridge = isBridge(auth);
  const name = `${app} ${id.slice(-4)}${bridge ? ' (bridge)' : ''}`;
  await accounts.create({ id, app, name, credentials: auth });
  accountMade(id);
  counts.accounts += 1;
  if (bridge) change.state = { ...state, bridges: [...state.bridges, id] };
}

async function takeVariable(
  { environment, environmentChanged }: TakeOptions,
  { state, refused }: Change,
  { name, value }: Extract<CarryRecord, { t: 'variable' }>,
  counts: Counts,
): Promise<void> {
  if (!state.plan.variables.includes(name)) {
    refused.push(`Variable ${shown(name)} was not asked for, and was not taken.`);
    return;
  }
  if (environment.list().some((one) => one.name === name)) {
    counts.already += 1;
    return;
  }
  try {
    await environment.set(name, value);
  } catch (error) {
    refused.push(messageOf(error));
    return;
  }
  environmentChanged();
  counts.variables += 1;
}

function withUnread(state: CarryState, name: string): CarryState {
  return { ...state, unread: [...new Set([...state.unread, name])] };
}

/** Names that somebody else wrote are shown cut. */
function shown(text: string): string {
  return text.slice(0, 100);
}
