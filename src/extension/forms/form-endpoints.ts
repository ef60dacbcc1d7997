import type { ConfigurableProp } from '../../protocol/definition.ts';
import { messageOf } from '../../protocol/errors.ts';
import { own } from '../../protocol/own.ts';
import type { HostMessage, Values } from '../../webview/prop-form/messages.ts';
import type { FormTask, ReservedEndpoint } from './task.ts';

export interface FormEndpointsOptions {
  readonly task: Pick<FormTask, 'subject' | 'reserveEndpoint'>;
  readonly post: (message: HostMessage) => void;
  readonly log: (line: string) => void;
}

/** The endpoints a form shows: those a source has, and those reserved for one that is to be deployed. */
export class FormEndpoints {
  readonly #options: FormEndpointsOptions;
  /** Ids that were reserved before a reload of the window, by prop. */
  readonly #earlier: Readonly<Record<string, string>>;
  /** By prop: one each, however often the form is read, because its URL may be in use elsewhere already. */
  readonly #reserved = new Map<string, Promise<ReservedEndpoint>>();
  readonly #ids = new Map<string, string>();
  readonly #urls = new Map<string, string>();

  constructor(options: FormEndpointsOptions) {
    const { subject } = options.task;
    this.#options = options;
    this.#earlier = (subject.kind === 'deploy' ? subject.endpoints : undefined) ?? {};
  }

  urlOf(prop: string): string | undefined {
    return this.#urls.get(prop);
  }

  /** Ids of the reserved ones, by prop. */
  ids(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#ids);
  }

  /** Posts the URLs of these props, and reserves missing ones if possible. */
  async post(props: readonly ConfigurableProp[], values: Values): Promise<void> {
    const { task, post, log } = this.#options;
    try {
      for (const { name, type } of props) {
        if (type !== '$.interface.http') continue;
        const url = urlIn(own(values, name));
        if (url === undefined) await this.#reserve(name);
        else this.#urls.set(name, url);
      }
      const { subject } = task;
      const kept = subject.kind === 'deploy' ? { ...subject, endpoints: this.ids() } : subject;
      const urls = Object.fromEntries(this.#urls);
      if (this.#urls.size > 0) post({ t: 'endpoints', subject: kept, urls });
    } catch (error) {
      // The form works without: the deploy creates the endpoint then.
      log(`No endpoint could be reserved: ${messageOf(error)}`);
    }
  }

  async #reserve(name: string): Promise<void> {
    const { reserveEndpoint } = this.#options.task;
    if (reserveEndpoint === undefined) return;
    const reserved = this.#reserved.get(name) ?? reserveEndpoint(own(this.#earlier, name));
    this.#reserved.set(name, reserved);
    try {
      const { id, endpoint_url: url } = await reserved;
      this.#ids.set(name, id);
      this.#urls.set(name, url);
    } catch (error) {
      this.#reserved.delete(name);
      throw error;
    }
  }
}

function urlIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('endpoint_url' in value)) return undefined;
  return typeof value.endpoint_url === 'string' ? value.endpoint_url : undefined;
}
