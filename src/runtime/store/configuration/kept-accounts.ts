/**
 * The accounts of a folder and those kept for the user as one table, and the way to move one from the folder to the
 * user.
 */
import { WeirError } from '../../../protocol/errors.ts';
import type { AccountRecord, AccountTable } from './accounts.ts';
import { ResourceMemory } from './memory.ts';
import type { SettingsTable } from './settings.ts';
import type { UserAccounts } from './user-accounts.ts';

export interface KeptAccounts extends AccountTable {
  /**
   * Keeps one of the folder for the user from now on, under its id. After a crash it is in one of the two places, and what
   * others have made of it meanwhile is not undone.
   * @throws WeirError `conflict` when another one with this id is kept for the user
   */
  keepForUser(record: AccountRecord): Promise<void>;
  /** Ends what a crash has cut off. */
  settle(): Promise<void>;
}

/** Ids, as JSON: accounts that now belong to the user and no longer to the folder. */
const leavingSetting = 'accountsLeaving';

/**
 * Accounts marked as kept for the user go there. An account of the folder has priority over one of the user with the
 * same id.
 */
export function withUserAccounts(
  table: AccountTable,
  user: UserAccounts,
  settings: SettingsTable,
): KeptAccounts {
  const leaving = (): string[] => JSON.parse(settings.get(leavingSetting) ?? '[]') as string[];
  const setLeaving = (ids: readonly string[]): Promise<void> =>
    settings.set(leavingSetting, JSON.stringify(ids));
  /** Accounts that the table still has, but the folder no longer has. */
  const gone = new Set(leaving().filter((id) => user.has(id)));
  const own = (id: string): AccountRecord | undefined => (gone.has(id) ? undefined : table.get(id));
  const all = (): AccountRecord[] => {
    const ours = table.all().filter(({ id }) => !gone.has(id));
    const ids = new Set(ours.map(({ id }) => id));
    return [...ours, ...user.all().filter(({ id }) => !ids.has(id))];
  };
  const settle = async (): Promise<void> => {
    if (leaving().length === 0) return;
    for (const id of gone) await table.delete(id);
    gone.clear();
    await setLeaving([]);
  };
  const leave = async (record: AccountRecord): Promise<void> => {
    const { id, name } = record;
    if (user.has(id)) {
      throw new WeirError(
        'conflict',
        `Another account with the id of ${name} is kept for you already, from a copy of this folder: connect ${name} again.`,
      );
    }
    const before = leaving();
    await setLeaving([...before, id]);
    try {
      user.put({ ...record, kept: 'user' });
    } catch (error) {
      await setLeaving(before);
      throw error;
    }
    gone.add(id);
    await settle();
  };
  let last: Promise<void> = Promise.resolve();
  /** Moves run one after the other, because all of them change the same setting. */
  const inTurn = (task: () => Promise<void>): Promise<void> => (last = last.then(task, task));
  return {
    get: (id) => own(id) ?? user.get(id),
    all,
    list: ({ app, ...page }) =>
      new ResourceMemory(all()).list(page, (record) => app === undefined || record.app === app),
    insert: async (record) => {
      if (record.kept === 'user') user.put(record);
      else await table.insert(record);
    },
    replace: async (record) => {
      if (record.kept !== 'user') await table.replace(record);
      else if (user.get(record.id) === undefined)
        throw new WeirError('not_found', `There is no account "${record.id}".`);
      else user.put(record);
    },
    delete: async (id) => {
      if (own(id) === undefined) user.delete(id);
      else await table.delete(id);
    },
    keepForUser: (record) => inTurn(() => leave(record)),
    settle: () => inTurn(settle),
  };
}
