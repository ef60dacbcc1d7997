import type { HostConfiguration, ToHost, Work } from '../protocol/host.ts';
import { Asks } from './asks.ts';
import type { Component } from './component.ts';
import type { Context } from './context.ts';
import { inspect, waitForDebugger } from './inspect.ts';
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
  readonly #asks: Asks;
  #component: Component | undefined;
  #live: Live | undefined;

  constructor(context: Context, outbox: Outbox) {
    this.#context = context;
    this.#outbox = outbox;
    this.#asks = new Asks((message) => outbox.post(message));
  }

  receive(message: Exclude<ToHost, { t: 'end' }>): void {
    switch (message.t) {
      case 'load':
        void this.#load(message);
        break;
      case 'configure':
        this.#configure(message.configuration);
        break;
      case 'work':
        this.#work(message.n, message.work);
        break;
      case 'reply':
        this.#asks.reply(message);
        break;
      case 'inspect':
        this.#outbox.post({ t: 'inspector', url: inspect(message.on) });
        break;
    }
  }

  async #load({ bundle, redirects, debug }: Extract<ToHost, { t: 'load' }>): Promise<void> {
    try {
      if (debug === true) this.#attach();
      installRedirects(redirects);
      // What user code finds in argv is its own file.
      process.argv = [process.execPath, bundle];
      this.#component = await loadComponent(bundle);
      this.#outbox.post({ t: 'loaded', definition: this.#component.definition });
    } catch (error) {
      this.#outbox.post({ t: 'loadFailed', error: thrownError(error) });
    }
  }

  /**
   * In one go: a debugger that came between the opening and the wait would be waited for in vain. And
   * each message leaves at once, as this thread stands still right after it.
   */
  #attach(): void {
    this.#outbox.post({ t: 'inspector', url: inspect(true) });
    this.#outbox.flush();
    waitForDebugger();
    this.#outbox.post({ t: 'attached' });
    this.#outbox.flush();
  }

  #configure(configuration: HostConfiguration): void {
    if (this.#component === undefined) throw new Error('configured before it was loaded');
    if (configuration.sourceId === undefined) delete process.env['PD_COMPONENT'];
    else process.env['PD_COMPONENT'] = configuration.sourceId;
    const component = this.#component;
    const template = instanceTemplate(component, configuration, this.#asks.ask);
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
