import type { ConfigurableProp } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import type { FormTask, ReservedEndpoint } from './task.ts';

/** The endpoints a form shows: those a source has, and those that were drawn for one to be. */
export class Endpoints {
  readonly #reserve: FormTask['reserveEndpoint'];
  readonly #before: Readonly<Record<string, string>>;
  readonly #reserved = new Map<string, Promise<ReservedEndpoint>>();
  readonly #ids = new Map<string, string>();
  readonly #urls = new Map<string, string>();

  constructor({ reserveEndpoint, subject }: Pick<FormTask, 'reserveEndpoint' | 'subject'>) {
    this.#reserve = reserveEndpoint;
    this.#before = (subject.kind === 'deploy' ? subject.endpoints : undefined) ?? {};
  }

  /** Of these props, by name; draws what is missing where that can be done. */
  async urlsOf(
    props: readonly ConfigurableProp[],
    values: Values,
  ): Promise<Readonly<Record<string, string>>> {
    const names = props.filter(({ type }) => type === '$.interface.http').map(({ name }) => name);
    for (const name of names) {
      const known = urlIn(own(values, name));
      if (known !== undefined) this.#urls.set(name, known);
      else await this.#draw(name);
    }
    return Object.fromEntries(this.#urls);
  }

  urlOf(prop: string): string | undefined {
    return this.#urls.get(prop);
  }

  /** Ids of those that were drawn, by prop. */
  ids(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#ids);
  }

  /** Once for a prop, however often its form is read: the URL may be in use elsewhere already. */
  async #draw(name: string): Promise<void> {
    if (this.#reserve === undefined) return;
    const drawn = this.#reserved.get(name) ?? this.#reserve(own(this.#before, name));
    this.#reserved.set(name, drawn);
    try {
      const { id, endpoint_url: url } = await drawn;
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
