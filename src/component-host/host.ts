import type { HostConfiguration, ToHost, Work } from '../protocol/host.ts';
import type { Component } from './component.ts';
import type { Context } from './context.ts';
import { inspect } from './inspect.ts';
import { instanceTemplate } from './instance.ts';
import { Invocation } from './invocation.ts';
import { loadComponent } from './load.ts';
import type { Outbox } from './outbox.ts';
import { installRedirects } from './redirects/install.ts';
import { thrownError } from './thrown.ts';
import { perform, type Live } from './work.ts';

/** Does what the runtime asks for. Pieces of work run side by side; each ends in one `done`. */
export class ComponentHost {
  readonly #context: Context;
  readonly #outbox: Outbox;
  #component: Component | undefined;
  #live: Live | undefined;

  constructor(context: Context, outbox: Outbox) {
    this.#context = context;
    this.#outbox = outbox;
  }

  receive(message: Exclude<ToHost, { t: 'end' }>): void {
    switch (message.t) {
      case 'load':
        void this.#load(message.bundle, message.redirects);
        break;
      case 'configure':
        this.#configure(message.configuration);
        break;
      case 'work':
        this.#work(message.n, message.work);
        break;
      case 'inspect':
        this.#outbox.post({ t: 'inspector', url: inspect(message.on) });
        break;
    }
  }

  async #load(bundle: string, redirects: Readonly<Record<string, string>>): Promise<void> {
    try {
      installRedirects(redirects);
      // What user code finds in argv is its own file.
      process.argv = [process.execPath, bundle];
      this.#component = await loadComponent(bundle);
      this.#outbox.post({ t: 'loaded', definition: this.#component.definition });
    } catch (error) {
      this.#outbox.post({ t: 'loadFailed', error: thrownError(error) });
    }
  }

  #configure(configuration: HostConfiguration): void {
    if (this.#component === undefined) throw new Error('configured before it was loaded');
    if (configuration.sourceId === undefined) delete process.env['PD_COMPONENT'];
    else process.env['PD_COMPONENT'] = configuration.sourceId;
    const component = this.#component;
    const template = instanceTemplate(component, configuration);
    this.#live = { component, configuration, template };
  }

  #work(n: number, work: Work): void {
    const invocation = new Invocation(n, this.#outbox, this.#context.outside);
    const live = this.#live;
    if (live === undefined) throw new Error('given work before it was configured');
    void this.#context.run(invocation, async () => {
      try {
        const result = await perform(live, work, invocation);
        this.#done(invocation, result === undefined ? {} : { result });
      } catch (error) {
        this.#done(invocation, { error: thrownError(error) });
      }
    });
  }

  #done(invocation: Invocation, end: object): void {
    this.#context.end(invocation);
    this.#outbox.done(invocation, { t: 'done', n: invocation.n, ...end, ...invocation.take() });
  }
}
