import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { HostMessage, PageMessage, Values } from '../../webview/prop-form/messages.ts';
import { Latest } from './latest.ts';
import { firstStep, stepsWith } from './steps.ts';
import { OptionPages } from './option-pages.ts';
import { isKept, withSecrets } from './secrets.ts';
import { failureOf } from './failure.ts';
import { Surroundings } from './surroundings.ts';
import type { FormTask, LoadedForm } from './task.ts';

export interface SessionOptions {
  readonly task: FormTask;
  readonly post: (message: HostMessage) => void;
  readonly copy: (text: string) => void;
  /** The form did what it is for, or the person left it. */
  readonly close: () => void;
  readonly log: (line: string) => void;
}

/**
 * One open form: answers its page. The page may go and come again (a hidden tab, a reload), so
 * everything it needs is told anew on each `ready`.
 */
export class FormSession {
  readonly #o: SessionOptions;
  readonly #latest = new Latest();
  readonly #pages = new OptionPages();
  readonly #surroundings: Surroundings;
  /** Typed secrets: here and nowhere else until they are submitted. */
  readonly #typed = new Map<string, string>();
  #form: LoadedForm | undefined;
  #loading = false;
  #steps: readonly string[] | undefined;
  #dynamicPropsId: string | undefined;

  constructor(options: SessionOptions) {
    this.#o = options;
    this.#surroundings = new Surroundings(options);
  }

  receive(message: PageMessage): void {
    switch (message.t) {
      case 'ready':
        return this.#show();
      case 'retry':
        return void this.load();
      case 'props':
        return void this.#props(message);
      case 'options':
        return void this.#options(message);
      case 'schedule':
        return void this.#schedule(message);
      case 'secret':
        return void this.#typed.set(message.prop, message.value);
      case 'account':
        return void this.#surroundings.addAccount(message);
      case 'copyEndpoint':
        return this.#copyEndpoint(message.prop);
      case 'submit':
        return void this.#submit(message.values);
      case 'stop':
        return this.#latest.abort('submit');
      case 'dismiss':
        return this.#o.close();
      default:
        return message satisfies never;
    }
  }

  /** Reads the component, again when it was read before: its file has changed. */
  async load(): Promise<void> {
    const { task, post } = this.#o;
    const progress = (step: string): void => {
      if (this.#form === undefined) post({ t: 'loading', subject: task.subject, step });
    };
    this.#loading = true;
    progress('Reading the component');
    await this.#latest.run('load', async (signal) => {
      try {
        this.#form = await task.load({ signal, progress });
        if (!signal.aborted) this.#loaded();
      } catch (error) {
        if (signal.aborted) return;
        this.#o.log(`${task.title}: ${messageOf(error)}`);
        // A file that is being edited is broken now and then; the form waits for it.
        if (this.#form === undefined) post({ t: 'unavailable', problem: messageOf(error) });
      }
    });
    this.#loading = false;
  }

  dispose(): void {
    this.#latest.abortAll();
    this.#typed.clear();
  }

  #show(): void {
    if (this.#form !== undefined) this.#loaded();
    else if (!this.#loading) void this.load();
    if (this.#steps !== undefined) this.#o.post({ t: 'steps', steps: this.#steps });
  }

  #loaded(): void {
    if (this.#form === undefined) return;
    const { task, post } = this.#o;
    const secrets = [...new Set([...this.#form.secrets, ...this.#typed.keys()])];
    post({ t: 'form', subject: task.subject, form: { ...this.#form, secrets } });
    void this.#surroundings.tell(this.#form.props, this.#form.values);
  }

  async #props({ request, values }: Message<'props'>): Promise<void> {
    const { post, task } = this.#o;
    await this.#latest.run('props', async (signal) => {
      try {
        const client = await task.client();
        const answer = await client.call('components.props', this.#asked(values), { signal });
        const [problem = null] = answer.errors;
        if (problem !== null) return post({ t: 'props', request, props: null, problem });
        const props: readonly ConfigurableProp[] = answer.configurable_props;
        this.#dynamicPropsId = answer.dynamic_props_id ?? undefined;
        if (this.#form !== undefined) this.#form = { ...this.#form, props };
        post({ t: 'props', request, props, problem: null });
        await this.#surroundings.tell(props, this.#form?.values ?? {});
      } catch (error) {
        if (signal.aborted) return;
        post({ t: 'props', request, props: null, problem: messageOf(error) });
      }
    });
  }

  async #options({ request, prop, query, next, values }: Message<'options'>): Promise<void> {
    const { post, task } = this.#o;
    await this.#latest.run(`options ${prop}`, async (signal) => {
      try {
        const client = await task.client();
        const answer = await client.call(
          'components.configure',
          {
            ...this.#asked(values),
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

  async #schedule({ request, prop, timer }: Message<'schedule'>): Promise<void> {
    await this.#latest.run(`schedule ${prop}`, async (signal) => {
      try {
        const client = await this.#o.task.client();
        const preview = await client.call('timers.preview', timer, { signal });
        this.#o.post({ t: 'schedule', prop, request, preview });
      } catch (error) {
        if (!signal.aborted) this.#o.log(`A schedule could not be reckoned: ${messageOf(error)}`);
      }
    });
  }

  #copyEndpoint(prop: string): void {
    const url = this.#surroundings.endpointOf(prop);
    if (url !== undefined) this.#o.copy(url);
  }

  async #submit(values: Values): Promise<void> {
    if (this.#form === undefined || this.#steps !== undefined) return;
    const { task, post } = this.#o;
    const { secrets } = this.#form;
    const whole = withSecrets(values, this.#form.props, this.#typed, secrets);
    const progress = (step: string): void => {
      this.#steps = stepsWith(this.#steps ?? [], step);
      post({ t: 'steps', steps: this.#steps });
    };
    progress(firstStep);
    await this.#latest.run('submit', async (signal) => {
      try {
        await task.submit(whole, this.#surroundings.reserved(), { signal, progress });
        this.#o.close();
      } catch (error) {
        this.#steps = undefined;
        if (WeirError.is(error, 'cancelled')) return post({ t: 'cancelled' });
        this.#o.log(`${task.title}: ${messageOf(error)}`);
        post({ t: 'failed', ...failureOf(error) });
      }
    });
  }

  /** What a call about the component takes, with the values so far. */
  #asked(values: Values) {
    const { component } = this.#o.task;
    const { props = [], secrets = [] } = this.#form ?? {};
    return {
      ...component,
      configured_props: withoutUnset(
        withSecrets(values, props, this.#typed, secrets),
        component.id,
      ),
      ...(this.#dynamicPropsId !== undefined && { dynamic_props_id: this.#dynamicPropsId }),
    };
  }
}

type Message<T extends PageMessage['t']> = Extract<PageMessage, { readonly t: T }>;

/** A file has nothing stored that a placeholder could stand for. */
function withoutUnset(values: Record<string, unknown>, id: string | undefined): Values {
  if (id !== undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isKept(value)));
}
