import { OptionPages } from '../../client/option-pages.ts';
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { PageMessage, Values } from '../../webview/prop-form/messages.ts';
import { failureOf } from './failure.ts';
import { FormAccounts, type FormAccountsOptions } from './form-accounts.ts';
import { FormEndpoints } from './form-endpoints.ts';
import { isKept, withSecrets } from './secrets.ts';
import type { FormTask, LoadedForm } from './task.ts';

export interface SessionOptions extends FormAccountsOptions {
  readonly task: FormTask;
  readonly copy: (text: string) => void;
  /** The task is done, or the user cancelled. */
  readonly close: () => void;
  readonly log: (line: string) => void;
}

/**
 * An open form: answers its page. The page may go away and come back (a hidden tab, a reload of the window), so it gets
 * everything again on each `ready`.
 */
export class FormSession {
  readonly #options: SessionOptions;
  readonly #calls = new LatestCalls();
  readonly #pages = new OptionPages();
  readonly #accounts: FormAccounts;
  readonly #endpoints: FormEndpoints;
  /** Secrets that were typed: they are kept here and nowhere else until they are submitted. */
  readonly #typed = new Map<string, string>();
  #form: LoadedForm | undefined;
  #loading = false;
  /** While the form is being submitted. */
  #progress: readonly string[] | undefined;
  #dynamicPropsId: string | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#accounts = new FormAccounts(options);
    this.#endpoints = new FormEndpoints(options);
  }

  receive(message: PageMessage): void {
    switch (message.t) {
      case 'ready':
        return this.#show();
      case 'retry':
        return void this.load();
      case 'props':
        return void this.#reloadProps(message);
      case 'options':
        return void this.#loadOptions(message);
      case 'schedule':
        return void this.#previewSchedule(message);
      case 'secret':
        return void this.#typed.set(message.prop, message.value);
      case 'account':
        return void this.#accounts.add(message);
      case 'connect':
        return void this.#accounts.connect(message);
      case 'copyEndpoint':
        return this.#copy(this.#endpoints.urlOf(message.prop));
      case 'copyWebhook':
        return this.#copy(this.#accounts.webhookUrlOf(message.account));
      case 'signingSecret':
        return void this.#accounts.enterSecret(message);
      case 'submit':
        return void this.#submit(message.values);
      case 'stop':
        return this.#calls.abort('submit');
      case 'dismiss':
        return this.#options.close();
      default:
        return message satisfies never;
    }
  }

  /** Reads the component; again when it was read before, because its file has changed. */
  async load(): Promise<void> {
    const { task, post, log } = this.#options;
    const progress = (message: string): void => {
      if (this.#form === undefined) post({ t: 'loading', subject: task.subject, message });
    };
    this.#loading = true;
    progress('Reading the component');
    await this.#calls.run('load', async (signal) => {
      try {
        this.#form = await task.load({ signal, progress });
        if (!signal.aborted) this.#postForm();
      } catch (error) {
        if (signal.aborted) return;
        log(`${task.title}: ${messageOf(error)}`);
        // A file that is being edited is broken now and then: a form that is shown stays.
        if (this.#form === undefined) post({ t: 'unavailable', problem: messageOf(error) });
      }
    });
    this.#loading = false;
  }

  dispose(): void {
    this.#calls.abortAll();
    this.#typed.clear();
  }

  #show(): void {
    if (this.#form !== undefined) this.#postForm();
    else if (!this.#loading) void this.load();
    if (this.#progress !== undefined) this.#postProgress(this.#progress);
  }

  #postForm(): void {
    if (this.#form === undefined) return;
    const { task, post } = this.#options;
    const { props, values } = this.#form;
    const secrets = [...new Set([...this.#form.secrets, ...this.#typed.keys()])];
    post({ t: 'form', subject: task.subject, form: { ...this.#form, secrets } });
    void this.#postAccountsAndEndpoints(props, values);
  }

  async #postAccountsAndEndpoints(
    props: readonly ConfigurableProp[],
    values: Values,
  ): Promise<void> {
    await Promise.all([this.#endpoints.post(props, values), this.#accounts.post(props)]);
  }

  async #reloadProps({ request, values }: Message<'props'>): Promise<void> {
    const { post, task } = this.#options;
    await this.#calls.run('props', async (signal) => {
      try {
        const client = await task.client();
        const answer = await client.call('components.props', this.#paramsWith(values), { signal });
        const [problem = null] = answer.errors;
        if (problem !== null) return post({ t: 'props', request, props: null, problem });
        const props: readonly ConfigurableProp[] = answer.configurable_props;
        this.#dynamicPropsId = answer.dynamic_props_id ?? undefined;
        if (this.#form !== undefined) this.#form = { ...this.#form, props };
        post({ t: 'props', request, props, problem: null });
        await this.#postAccountsAndEndpoints(props, this.#form?.values ?? {});
      } catch (error) {
        if (signal.aborted) return;
        post({ t: 'props', request, props: null, problem: messageOf(error) });
      }
    });
  }

  async #loadOptions({ request, prop, query, next, values }: Message<'options'>): Promise<void> {
    const { post, task } = this.#options;
    await this.#calls.run(`options ${prop}`, async (signal) => {
      try {
        const client = await task.client();
        const answer = await client.call(
          'components.configure',
          {
            ...this.#paramsWith(values),
            prop_name: prop,
            ...this.#pages.request(prop, next),
            ...(query === '' ? {} : { query }),
          },
          { signal },
        );
        if (signal.aborted) return;
        const [problem = null] = answer.errors;
        const page = this.#pages.answered(prop, answer);
        post({ t: 'options', request, prop, ...page, problem });
      } catch (error) {
        if (signal.aborted) return;
        const problem = messageOf(error);
        post({ t: 'options', request, prop, options: [], more: false, problem });
      }
    });
  }

  async #previewSchedule({ request, prop, timer }: Message<'schedule'>): Promise<void> {
    const { post, task, log } = this.#options;
    await this.#calls.run(`schedule ${prop}`, async (signal) => {
      try {
        const client = await task.client();
        const preview = await client.call('timers.preview', timer, { signal });
        post({ t: 'schedule', prop, request, preview });
      } catch (error) {
        if (!signal.aborted) log(`A schedule could not be previewed: ${messageOf(error)}`);
      }
    });
  }

  #copy(url: string | undefined): void {
    if (url !== undefined) this.#options.copy(url);
  }

  async #submit(values: Values): Promise<void> {
    if (this.#form === undefined || this.#progress !== undefined) return;
    const { task, post, log, close } = this.#options;
    const { secrets } = this.#form;
    const whole = withSecrets(values, this.#form.props, this.#typed, secrets);
    const progress = (message: string): void => {
      if (this.#progress !== undefined) this.#postProgress(progressWith(this.#progress, message));
    };
    this.#postProgress([firstMessage]);
    try {
      await this.#calls.run('submit', (signal) =>
        task.submit(whole, this.#endpoints.ids(), { signal, progress }),
      );
      // Not before the call has ended: a debugged run continues with its signal, which closing would abort.
      this.#progress = undefined;
      close();
    } catch (error) {
      this.#progress = undefined;
      if (WeirError.is(error, 'cancelled')) return post({ t: 'cancelled' });
      log(`${task.title}: ${messageOf(error)}`);
      post({ t: 'failed', ...failureOf(error) });
    }
  }

  #postProgress(messages: readonly string[]): void {
    this.#progress = messages;
    this.#options.post({ t: 'progress', messages });
  }

  /** The parameters of calls about the component, with the form's current values. */
  #paramsWith(values: Values) {
    const { component } = this.#options.task;
    const { props = [], secrets = [] } = this.#form ?? {};
    const given = withSecrets(values, props, this.#typed, secrets);
    return {
      ...component,
      // A component that is not deployed has no stored secrets, so placeholders are removed.
      configured_props: component.id === undefined ? withoutKept(given) : given,
      ...(this.#dynamicPropsId !== undefined && { dynamic_props_id: this.#dynamicPropsId }),
    };
  }
}

type Message<T extends PageMessage['t']> = Extract<PageMessage, { readonly t: T }>;

/** Runs one call of each kind at a time: a newer one aborts the one before it. */
class LatestCalls {
  readonly #running = new Map<string, AbortController>();

  async run(kind: string, call: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.abort(kind);
    const controller = new AbortController();
    this.#running.set(kind, controller);
    try {
      await call(controller.signal);
    } finally {
      if (this.#running.get(kind) === controller) this.#running.delete(kind);
    }
  }

  abort(kind: string): void {
    this.#running.get(kind)?.abort();
  }

  abortAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }
}

/** Shown until the runtime reports what it does. */
export const firstMessage = 'Starting';

/**
 * Progress so far, with one more message. One that only makes the last more precise ("Bundling",
 * "Bundling x.mjs") replaces it.
 */
export function progressWith(messages: readonly string[], message: string): readonly string[] {
  const last = messages.at(-1);
  const replaces = last === firstMessage || (last !== undefined && message.startsWith(last));
  return [...(replaces ? messages.slice(0, -1) : messages), message];
}

function withoutKept(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isKept(value)));
}
