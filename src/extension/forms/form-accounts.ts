import type { Account, App } from '../../protocol/catalogue.ts';
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { AccountChoice, HostMessage, PageMessage } from '../../webview/prop-form/messages.ts';
import { accountHealth } from '../../protocol/account-health.ts';
import type { Clock } from '../clock.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { AccountSharing } from '../account-sharing.ts';
import type { FormTask } from './task.ts';

/**
 * Connects an account of an app in the browser.
 * @param account one that is there: it keeps its id
 * @returns its id; undefined when the user cancelled
 */
export type ConnectApp = (
  client: RuntimeClient,
  app: string,
  account?: string,
) => Promise<string | undefined>;

/**
 * Asks for what the app of an account signs its events with, and enters it.
 * @returns false when the user cancelled
 */
export type EnterSigningSecret = (client: RuntimeClient, account: Account) => Promise<boolean>;

export interface FormAccountsOptions {
  readonly task: Pick<FormTask, 'client'>;
  readonly post: (message: HostMessage) => void;
  readonly connect: ConnectApp;
  readonly enterSecret: EnterSigningSecret;
  readonly sharing: AccountSharing;
  readonly clock: Pick<Clock, 'now'>;
}

/** The accounts a form offers for its app props. */
export class FormAccounts {
  readonly #options: FormAccountsOptions;
  /** As they were posted last. */
  readonly #known = new Map<string, Account>();

  constructor(options: FormAccountsOptions) {
    this.#options = options;
  }

  /** Posts the accounts of every app among these props. */
  async post(props: readonly ConfigurableProp[]): Promise<void> {
    const apps = new Set(
      props.filter(({ type }) => type === 'app').map(({ app, name }) => app ?? name),
    );
    await Promise.all([...apps].map((app) => this.#postAccounts(app, null)));
  }

  /** Stores an account that the user has entered in the form. */
  async add({
    app,
    name,
    credentials,
    isShared,
  }: Extract<PageMessage, { t: 'account' }>): Promise<void> {
    const { task, sharing } = this.#options;
    try {
      const client = await task.client();
      const kept = isShared === true && ({ kept_for: 'user' } as const);
      const account = await client.call('accounts.create', { app, name, credentials, ...kept });
      if (isShared !== undefined) sharing.chosen(isShared);
      await this.#postAccounts(app, account.id);
    } catch (error) {
      this.#postProblem(app, null, error);
    }
  }

  /** Answers with `connected` when it has ended, however it did. */
  async connect({ app, account }: Extract<PageMessage, { t: 'connect' }>): Promise<void> {
    const { task, connect, post } = this.#options;
    try {
      const connected = (await connect(await task.client(), app, account ?? undefined)) ?? null;
      if (connected !== null) await this.#postAccounts(app, null);
      post({ t: 'connected', app, account: connected, problem: null });
    } catch (error) {
      post({ t: 'connected', app, account: null, problem: messageOf(error) });
    }
  }

  /** The address that the app of an account sends its events to. */
  webhookUrlOf(account: string): string | undefined {
    return this.#known.get(account)?.webhook?.url;
  }

  /** Posts the accounts of the app again once its signing secret is entered. */
  async enterSecret({ account: id }: Extract<PageMessage, { t: 'signingSecret' }>): Promise<void> {
    const account = this.#known.get(id);
    if (account === undefined) return;
    const { task, enterSecret } = this.#options;
    try {
      const isEntered = await enterSecret(await task.client(), account);
      if (isEntered) await this.#postAccounts(account.app.id, null);
    } catch (error) {
      this.#postProblem(account.app.id, null, error);
    }
  }

  async #postAccounts(app: string, added: string | null): Promise<void> {
    const { task, post, sharing, clock } = this.#options;
    try {
      const client = await task.client();
      const [{ data }, { definition, problem }] = await Promise.all([
        client.call('accounts.list', { app, limit: 100 }),
        definitionOf(client, app),
      ]);
      for (const account of data) this.#known.set(account.id, account);
      const connects = (definition?.grants ?? []).length > 0;
      const sendsEvents = (definition?.webhook ?? null) !== null;
      const accounts = data.map((account) => choiceOf(account, clock.now()));
      const [keyForm] = definition?.key_forms ?? [];
      const ways = {
        connects,
        sendsEvents,
        ...(keyForm && { keyForm }),
        // Accounts of a remote runtime are not this user's to share.
        ...(!client.isRemote && { sharing: sharing.last }),
      };
      post({ t: 'accounts', app, accounts, added, problem, ...ways });
    } catch (error) {
      this.#postProblem(app, added, error);
    }
  }

  #postProblem(app: string, added: string | null, error: unknown): void {
    const problem = messageOf(error);
    this.#options.post({
      t: 'accounts',
      app,
      accounts: [],
      added,
      problem,
      connects: false,
    });
  }
}

function choiceOf(account: Account, now: number): AccountChoice {
  const { id, name, webhook } = account;
  const health = accountHealth(account, now);
  return {
    id,
    name,
    ...(health !== undefined && { health }),
    ...(account.kept_for === 'user' && { isShared: true }),
    ...(webhook !== undefined && {
      webhook: {
        url: webhook.url,
        register: webhook.register,
        secretName: webhook.secret_name,
        hasSecret: webhook.has_secret,
        oneAddress: webhook.one_address,
      },
    }),
  };
}

/** Most apps have no definition: keys are what they can be given. What is wrong with one does not keep anybody from its accounts. */
async function definitionOf(
  client: RuntimeClient,
  slug: string,
): Promise<{ readonly definition: App | undefined; readonly problem: string | null }> {
  try {
    return { definition: await client.call('apps.get', { slug }), problem: null };
  } catch (error) {
    const problem = WeirError.is(error, 'not_found') ? null : messageOf(error);
    return { definition: undefined, problem };
  }
}
