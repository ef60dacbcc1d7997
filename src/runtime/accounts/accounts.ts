/** Connected accounts: the credentials of an app that its prop hands to a component as `$auth`. */
import { WeirError } from '../../protocol/errors.ts';
import { KeyedMutex } from '../base/keyed-mutex.ts';
import type {
  AccountHealth,
  AccountRecord,
  AccountTable,
  GrantKind,
} from '../store/configuration/accounts.ts';
import type { KeptAccounts } from '../store/configuration/kept-accounts.ts';
import type { PageOf, PageRequest } from '../store/page.ts';
import type { Sealer } from './seal.ts';
import type { BaseServices } from '../base/services.ts';

/** An account without its credentials: what may be shown. */
export interface Account extends Omit<AccountRecord, 'sealed' | 'oauth'> {
  /** Health of an account that was connected by OAuth. */
  readonly health?: AccountHealth;
}

export type Credentials = Readonly<Record<string, unknown>>;

export interface AccountsOptions extends Pick<BaseServices, 'now'> {
  readonly table: AccountTable & Partial<Pick<KeptAccounts, 'keepForUser'>>;
  readonly sealer: Sealer;
  readonly newId: () => string;
  /** `$auth.oauth_signer_uri` of an account of OAuth 1.0a: another at each start. */
  readonly signerUri?: (id: string) => string;
  /** Resolves with what gives it back, once no other runtime changes an account that is kept for the user. */
  readonly lock?: (id: string) => Promise<() => Promise<void>>;
}

export interface NewAccount {
  /** Id of an account that was made elsewhere; a new id unless given. */
  readonly id?: string | undefined;
  /** Slug of the app. */
  readonly app: string;
  /** The app's slug when left out. */
  readonly name?: string | undefined;
  readonly credentials: Credentials;
  readonly kept?: 'user' | undefined;
}

export interface AccountChange {
  readonly name?: string | undefined;
  readonly credentials?: Credentials | undefined;
}

/** The facts that a refresh needs besides the definition of the app. */
export interface Grant {
  readonly kind: GrantKind;
  readonly refreshToken: string | null;
  /** `oa_…` of the OAuth client; empty if there is none. */
  readonly client: string;
  readonly scope: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly callback: Readonly<Record<string, string>>;
  readonly identity: { readonly id?: string | undefined; readonly label?: string | undefined };
}

/** The field of `$auth` that is written again at each start. */
export const signerField = 'oauth_signer_uri';

export interface PutGrant {
  /** Id of an existing account. */
  readonly id: string | undefined;
  readonly app: string;
  readonly name: string | undefined;
  /** Where a new account is kept; an existing one stays where it is. */
  readonly kept?: 'user' | undefined;
  /** The whole `$auth`. */
  readonly credentials: Credentials;
  readonly grant: Grant;
  readonly health: AccountHealth;
}

export class Accounts {
  readonly #options: AccountsOptions;
  /** By account. */
  readonly #turns = new KeyedMutex();

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  async create({ id, app, name, credentials, kept }: NewAccount): Promise<Account> {
    const { table, sealer, now, newId } = this.#options;
    const at = now();
    const account = {
      id: id ?? newId(),
      app,
      name: name ?? app,
      createdAt: at,
      updatedAt: at,
      ...(kept !== undefined && { kept }),
    };
    await table.insert({ ...account, sealed: sealer.seal(JSON.stringify(credentials)) });
    return account;
  }

  list(page: PageRequest & { readonly app?: string }): PageOf<Account> {
    const found = this.#options.table.list(page);
    return { ...found, rows: found.rows.map(withoutCredentials) };
  }

  /** In the order they were made. */
  all(): Account[] {
    return this.#options.table.all().map(withoutCredentials);
  }

  /** Undefined when it is gone. */
  find(id: string): Account | undefined {
    const record = this.#options.table.get(id);
    return record && withoutCredentials(record);
  }

  /** Throws `not_found`. */
  get(id: string): Account {
    return withoutCredentials(this.#find(id));
  }

  /** Throws `not_found`, or `store_failed` when the key does not fit. */
  credentials(id: string): Credentials {
    return this.#open(this.#find(id));
  }

  /**
   * `$auth` by account id, for a component host. One that is gone is left out: the component then runs
   * with an empty `$auth` and says so (P2.14). Throws `store_failed` when the key does not fit.
   */
  credentialsOf(ids: Iterable<string>): Record<string, Credentials> {
    const found: Record<string, Credentials> = {};
    for (const id of ids) {
      const record = this.#options.table.get(id);
      if (record !== undefined) found[id] = this.#open(record);
    }
    return found;
  }

  /**
   * @param change `credentials` are merged into the existing ones; `null` removes a field
   * @throws WeirError `not_found`, or `store_failed` if the key does not fit
   */
  update(id: string, change: AccountChange): Promise<Account> {
    return this.#alone(id, () => this.#update(id, change));
  }

  async #update(id: string, change: AccountChange): Promise<Account> {
    const { table, sealer, now } = this.#options;
    const before = this.#find(id);
    const { name = before.name, credentials } = change;
    let { sealed } = before;
    if (credentials !== undefined) {
      const merged = Object.entries({ ...this.#open(before), ...credentials });
      const kept = merged.filter(([, value]) => value !== null);
      sealed = sealer.seal(JSON.stringify(Object.fromEntries(kept)));
    }
    const changed = { ...before, name, sealed, updatedAt: now() };
    await table.replace(changed);
    return withoutCredentials(changed);
  }

  /** Throws `not_found`. */
  async delete(id: string): Promise<void> {
    await this.#alone(id, async () => {
      this.#find(id);
      await this.#options.table.delete(id);
    });
  }

  /** The facts that a refresh of an OAuth account needs. Undefined for other accounts, or if it was deleted. */
  grant(id: string): { readonly grant: Grant; readonly health: AccountHealth } | undefined {
    const oauth = this.#options.table.get(id)?.oauth;
    if (oauth === undefined) return undefined;
    const grant = JSON.parse(this.#options.sealer.open(oauth.sealed)) as Grant;
    return { grant, health: oauth.health };
  }

  /** Without opening anything. */
  health(id: string): AccountHealth | undefined {
    return this.#options.table.get(id)?.oauth?.health;
  }

  /**
   * Stores the result of a connection or a refresh in one write. An existing account keeps its name, unless one is
   * given.
   */
  putGrant(put: PutGrant): Promise<Account> {
    return this.#alone(put.id, () => this.#putGrant(put));
  }

  async #putGrant(put: PutGrant): Promise<Account> {
    const { table, sealer, now, newId } = this.#options;
    const at = now();
    const before = put.id === undefined ? undefined : this.#find(put.id);
    const kept = before === undefined ? put.kept : before.kept;
    const record: AccountRecord = {
      id: before?.id ?? newId(),
      app: before?.app ?? put.app,
      name: put.name ?? before?.name ?? put.app,
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
      ...(kept !== undefined && { kept }),
      sealed: sealer.seal(JSON.stringify(put.credentials)),
      oauth: { sealed: sealer.seal(JSON.stringify(put.grant)), health: put.health },
    };
    await (before === undefined ? table.insert(record) : table.replace(record));
    return withoutCredentials(record);
  }

  /** Its health alone; does nothing when it is gone, or was given keys by hand meanwhile. */
  setHealth(id: string, health: AccountHealth): Promise<void> {
    const { table } = this.#options;
    return this.#alone(id, async () => {
      const before = table.get(id);
      if (before?.oauth === undefined) return;
      await table.replace({ ...before, oauth: { ...before.oauth, health } });
    });
  }

  /**
   * Keeps one of the folder for the user from now on: its id stays. Nobody may refresh it meanwhile.
   * @throws WeirError `not_found`, or `conflict` when the user has another one with its id
   */
  keepForUser(id: string): Promise<Account> {
    return this.#turns.run(id, async () => {
      const before = this.#find(id);
      if (before.kept !== 'user') {
        await this.#locked(id, async () => this.#options.table.keepForUser?.(before));
      }
      return this.get(id);
    });
  }

  /** Reading and writing back must not undo a write of this or another runtime in between. */
  async #alone<T>(id: string | undefined, change: () => Promise<T>): Promise<T> {
    if (id === undefined) return change();
    return this.#turns.run(id, () => {
      const isShared = this.#options.table.get(id)?.kept === 'user';
      return isShared ? this.#locked(id, change) : change();
    });
  }

  async #locked<T>(id: string, change: () => Promise<T>): Promise<T> {
    const release = await this.#options.lock?.(id);
    try {
      return await change();
    } finally {
      await release?.();
    }
  }

  #find(id: string): AccountRecord {
    const record = this.#options.table.get(id);
    if (record === undefined) throw new WeirError('not_found', `There is no account "${id}".`);
    return record;
  }

  #open({ id, sealed, oauth }: AccountRecord): Credentials {
    const { sealer, signerUri } = this.#options;
    const credentials = JSON.parse(sealer.open(sealed)) as Credentials;
    return oauth !== undefined && signerUri !== undefined && signerField in credentials
      ? { ...credentials, [signerField]: signerUri(id) }
      : credentials;
  }
}

/** The part of an account that may be shown. */
export function withoutCredentials(record: AccountRecord): Account {
  const { id, app, name, createdAt, updatedAt, kept, oauth } = record;
  return {
    id,
    app,
    name,
    createdAt,
    updatedAt,
    ...(kept !== undefined && { kept }),
    ...(oauth !== undefined && { health: oauth.health }),
  };
}
