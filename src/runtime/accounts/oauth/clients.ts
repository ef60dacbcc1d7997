/**
 * OAuth clients that the user has registered with providers: kept once per user, a file each, bound to the
 * addresses that their definition named when they were entered. A secret is sealed and never shown.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import type { Sealer } from '../seal.ts';
import { addressesOf } from '../apps/read.ts';
import type { AppDefinition, ClientMethod } from '../apps/schema.ts';
import type { ClientKeys } from './server.ts';
import type { BaseServices } from '../../base/services.ts';

export interface OAuthClient {
  /** `oa_…` */
  readonly id: string;
  readonly app: string;
  readonly name: string;
  readonly clientId: string;
  /** See `bindingOf`. */
  readonly binding: string;
  readonly createdAt: number;
}

interface StoredClient extends OAuthClient {
  /** The address where its definition had tokens checked, if any; it was not recorded for the first clients. */
  readonly check?: string | null;
  /** Sealed; of a public client, that of an empty text. */
  readonly sealed: string;
}

export interface OAuthClientsOptions extends Pick<BaseServices, 'now'> {
  /** `…/weir/oauth-clients` in the user's configuration folder. */
  readonly folder: string;
  readonly sealer: Sealer;
  readonly newId: () => string;
}

/** Identifies the addresses that a client's secret and its tokens are sent to. */
export function bindingOf(app: string, method: ClientMethod): string {
  const addresses = [...addressesOf(method)].sort();
  return createHash('sha256')
    .update(JSON.stringify([app, addresses]))
    .digest('hex');
}

export class OAuthClients {
  readonly #options: OAuthClientsOptions;

  constructor(options: OAuthClientsOptions) {
    this.#options = options;
  }

  /** In the order they were made. */
  all(): OAuthClient[] {
    return this.#files()
      .map((file) => shown(this.#read(file)))
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  /** @throws WeirError `bad_input` for an empty id, `store_failed` when it cannot be written */
  add(
    { app, check }: AppDefinition,
    method: ClientMethod,
    given: { readonly name?: string | undefined; readonly id: string; readonly secret: string },
  ): OAuthClient {
    const { sealer, now, newId } = this.#options;
    const clientId = given.id.trim();
    if (clientId === '') throw new WeirError('bad_input', 'The client id is empty.');
    const client: StoredClient = {
      id: newId(),
      app,
      name: given.name ?? app,
      clientId,
      binding: bindingOf(app, method),
      check: check?.url ?? null,
      createdAt: now(),
      sealed: sealer.seal(given.secret.trim()),
    };
    this.#write(client);
    return shown(client);
  }

  /** Throws `not_found`. */
  remove(id: string): OAuthClient {
    const client = this.#find(id);
    rmSync(this.#path(client.id));
    return shown(client);
  }

  /**
   * The one that is named, else the newest of the app.
   * @throws WeirError `not_found`, `conflict` when the definition names other addresses now
   */
  keys(definition: AppDefinition, method: ClientMethod, id?: string): ClientKeys {
    const { app, name, setup } = definition;
    const all = this.#files().map((file) => this.#read(file));
    const own = all.filter(
      (client) => client.app === app && (id === undefined || client.id === id),
    );
    const newest = own.sort((a, b) => b.createdAt - a.createdAt)[0];
    if (newest === undefined) {
      const where = setup === undefined ? '' : ` (${setup})`;
      throw new WeirError(
        'not_found',
        id === undefined
          ? `There is no OAuth client of ${name} yet: register one${where}, then enter it with "weir oauth-clients add ${app}".`
          : `There is no OAuth client "${id}" of ${name}; "weir oauth-clients list" has them.`,
      );
    }
    if (newest.binding !== bindingOf(app, method)) throw goesElsewhere(definition, newest);
    const clientSecret = this.#options.sealer.open(newest.sealed);
    return { id: newest.id, clientId: newest.clientId, clientSecret };
  }

  /**
   * Before a token goes to the address that a definition checks it at.
   * @param id of the client that the token was given to; of one that is gone nothing is known
   * @throws WeirError `conflict` when that is not what it was when the client was entered
   */
  requireCheck(definition: AppDefinition, method: ClientMethod, id: string): void {
    if (!this.#files().includes(`${id}.json`)) return;
    const { binding, check } = this.#find(id);
    const isSame = check === undefined || check === (definition.check?.url ?? null);
    if (isSame && binding === bindingOf(definition.app, method)) return;
    throw goesElsewhere(definition, { id });
  }

  #find(id: string): StoredClient {
    const found = this.#files()
      .map((file) => this.#read(file))
      .find((client) => client.id === id);
    if (found !== undefined) return found;
    throw new WeirError('not_found', `There is no OAuth client "${id}".`);
  }

  #files(): string[] {
    try {
      return readdirSync(this.#options.folder).filter((name) => /^oa_\w+\.json$/.test(name));
    } catch {
      return [];
    }
  }

  #read(file: string): StoredClient {
    const path = join(this.#options.folder, file);
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as StoredClient;
    } catch (error) {
      throw new WeirError(
        'store_failed',
        `The OAuth client in ${path} cannot be read (${messageOf(error)}): remove the file and enter the client again.`,
      );
    }
  }

  #path(id: string): string {
    return join(this.#options.folder, `${id}.json`);
  }

  /** It appears under its name whole or not at all. */
  #write(client: StoredClient): void {
    const { folder } = this.#options;
    const draft = `${this.#path(client.id)}.${process.pid}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, `${JSON.stringify(client)}\n`, { mode: 0o600, flush: true });
      renameSync(draft, this.#path(client.id));
    } catch (error) {
      throw new WeirError(
        'store_failed',
        `The OAuth client cannot be kept (${messageOf(error)}): make ${folder} writable.`,
      );
    }
  }
}

function goesElsewhere({ name }: AppDefinition, { id }: Pick<OAuthClient, 'id'>): WeirError {
  return new WeirError(
    'conflict',
    `The definition of ${name} sends tokens to other addresses than when the OAuth client ${id} was entered: look at it, and enter the client again if that is right.`,
  );
}

function shown({ id, app, name, clientId, binding, createdAt }: StoredClient): OAuthClient {
  return { id, app, name, clientId, binding, createdAt };
}
