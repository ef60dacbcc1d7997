import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { PageMessage, Values } from '../../webview/prop-form/messages.ts';
import { Endpoints } from './endpoints.ts';
import type { SessionOptions } from './session.ts';

/** What a form shows beside the props themselves: accounts to choose from, and endpoints. */
export class Surroundings {
  readonly #o: Pick<SessionOptions, 'task' | 'post' | 'log'>;
  readonly #endpoints: Endpoints;

  constructor(options: Pick<SessionOptions, 'task' | 'post' | 'log'>) {
    this.#o = options;
    this.#endpoints = new Endpoints(options.task);
  }

  /** Tells the page what these props want. */
  async tell(props: readonly ConfigurableProp[], values: Values): Promise<void> {
    const apps = new Set(
      props.filter(({ type }) => type === 'app').map(({ app, name }) => app ?? name),
    );
    const accounts = [...apps].map((app) => this.#tellAccounts(app, null));
    await Promise.all([this.#tellEndpoints(props, values), ...accounts]);
  }

  async addAccount({
    app,
    name,
    credentials,
  }: Extract<PageMessage, { t: 'account' }>): Promise<void> {
    try {
      const client = await this.#o.task.client();
      const account = await client.call('accounts.create', { app, name, credentials });
      await this.#tellAccounts(app, account.id);
    } catch (error) {
      this.#o.post({ t: 'accounts', app, accounts: [], added: null, problem: messageOf(error) });
    }
  }

  endpointOf(prop: string): string | undefined {
    return this.#endpoints.urlOf(prop);
  }

  /** Ids of the endpoints that were drawn, by prop. */
  reserved(): Readonly<Record<string, string>> {
    return this.#endpoints.ids();
  }

  async #tellAccounts(app: string, added: string | null): Promise<void> {
    const { post, task } = this.#o;
    try {
      const client = await task.client();
      const { data } = await client.call('accounts.list', { app, limit: 100 });
      const accounts = data.map(({ id, name }) => ({ id, name }));
      post({ t: 'accounts', app, accounts, added, problem: null });
    } catch (error) {
      post({ t: 'accounts', app, accounts: [], added, problem: messageOf(error) });
    }
  }

  async #tellEndpoints(props: readonly ConfigurableProp[], values: Values): Promise<void> {
    const { post, task, log } = this.#o;
    const { subject } = task;
    try {
      const urls = await this.#endpoints.urlsOf(props, values);
      const kept =
        subject.kind === 'deploy' ? { ...subject, endpoints: this.#endpoints.ids() } : subject;
      if (Object.keys(urls).length > 0) post({ t: 'endpoints', subject: kept, urls });
    } catch (error) {
      // The form does without: the endpoint is drawn by the deploy then.
      log(`No endpoint could be reserved: ${messageOf(error)}`);
    }
  }
}
