/** An account that a carry-over requests: workflows of the workspace need it, and files do not carry it (pure). */

export interface AskedAccount {
  /** Id on the platform: `apn_…`. The account has this id here, too, so that workflows find it. */
  readonly id: string;
  readonly app: string;
  /** The prop of the step that is pasted. */
  readonly prop: string;
  /** The steps that use it, for the person who chooses. */
  readonly usedBy: string;
}

export interface AskedStore {
  /** Id on the platform: `ds_…`. */
  readonly id: string;
  readonly prop: string;
  readonly usedBy: string;
}

/** An account that the step cannot ask for, because its app is unknown here. */
export interface UnknownAccount {
  readonly id: string;
  readonly usedBy: string;
}

export interface CarryPlan {
  readonly accounts: readonly AskedAccount[];
  readonly notAsked: readonly UnknownAccount[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
  readonly stores: readonly AskedStore[];
  /** Whether the files of the File Store are asked for. */
  readonly files: boolean;
}

/** The needs of one workflow. */
export interface Needs {
  readonly workflow: string;
  readonly accounts: readonly {
    readonly id: string;
    readonly app: string | undefined;
    readonly step: string;
  }[];
  readonly variables: readonly string[];
  readonly stores: readonly { readonly id: string; readonly step: string }[];
  readonly files: boolean;
}

/** Joins the needs of workflows. */
export function planOf(all: readonly Needs[]): CarryPlan {
  const accounts = new Map<string, { app: string; users: Set<string> }>();
  const unknown = new Map<string, Set<string>>();
  const stores = new Map<string, Set<string>>();
  const variables = new Set<string>();
  for (const needs of all) {
    for (const { id, app, step } of needs.accounts) {
      if (!/^apn_\w+$/.test(id)) continue;
      const user = `${needs.workflow}: ${step}`;
      if (app === undefined) {
        unknown.set(id, (unknown.get(id) ?? new Set()).add(user));
        continue;
      }
      const known = accounts.get(id) ?? { app, users: new Set() };
      known.users.add(user);
      accounts.set(id, known);
    }
    for (const { id, step } of needs.stores) {
      const users = stores.get(id) ?? new Set();
      users.add(`${needs.workflow}: ${step}`);
      stores.set(id, users);
    }
    for (const name of needs.variables) if (/^[A-Za-z_]\w*$/.test(name)) variables.add(name);
  }
  return {
    accounts: [...accounts].map(([id, { app, users }], index) => ({
      id,
      app,
      prop: `a${index}_${app.replaceAll(/\W/g, '_')}`,
      usedBy: usersText(users),
    })),
    // Another step may tell the app of the same account.
    notAsked: [...unknown]
      .filter(([id]) => !accounts.has(id))
      .map(([id, users]) => ({ id, usedBy: usersText(users) })),
    variables: [...variables].sort(),
    stores: [...stores].map(([id, users], index) => ({
      id,
      prop: `s${index}`,
      usedBy: usersText(users),
    })),
    files: all.some(({ files }) => files),
  };
}

/** Whether nothing is asked for. */
export function isEmptyPlan({ accounts, variables, stores, files }: CarryPlan): boolean {
  return accounts.length + variables.length + stores.length === 0 && !files;
}

/** Names of others stay in one line, because they are in comments of the step and in messages. */
function usersText(users: ReadonlySet<string>): string {
  const shown = [...users].slice(0, 3);
  const more = users.size > shown.length ? ` and ${users.size - shown.length} more` : '';
  return `${shown.join(', ')}${more}`.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
