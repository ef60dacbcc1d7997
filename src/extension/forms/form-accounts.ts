import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { HostMessage, PageMessage } from '../../webview/prop-form/messages.ts';
import type { FormTask } from './task.ts';

/** The accounts a form offers for its app props. */
export class FormAccounts {
  readonly #client: FormTask['client'];
  readonly #post: (message: HostMessage) => void;

  constructor(client: FormTask['client'], post: (message: HostMessage) => void) {
    this.#client = client;
    this.#post = post;
  }

  /** Posts the accounts of every app among these props. */
  async post(props: readonly ConfigurableProp[]): Promise<void> {
    const apps = new Set(
      props.filter(({ type }) => type === 'app').map(({ app, name }) => app ?? name),
    );
    await Promise.all([...apps].map((app) => this.#postAccounts(app, null)));
  }

  /** Stores an account that the user has entered in the form. */
  async add({ app, name, credentials }: Extract<PageMessage, { t: 'account' }>): Promise<void> {
    try {
      const client = await this.#client();
      const account = await client.call('accounts.create', { app, name, credentials });
      await this.#postAccounts(app, account.id);
    } catch (error) {
      this.#post({ t: 'accounts', app, accounts: [], added: null, problem: messageOf(error) });
    }
  }

  async #postAccounts(app: string, added: string | null): Promise<void> {
    try {
      const client = await this.#client();
      const { data } = await client.call('accounts.list', { app, limit: 100 });
      const accounts = data.map(({ id, name }) => ({ id, name }));
      this.#post({ t: 'accounts', app, accounts, added, problem: null });
    } catch (error) {
      this.#post({ t: 'accounts', app, accounts: [], added, problem: messageOf(error) });
    }
  }
}
