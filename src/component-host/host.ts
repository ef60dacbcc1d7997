import type { HostConfiguration, ToHost, Work } from '../protocol/host.ts';
import { Asks } from './asks.ts';
import type { Component } from './component.ts';
import type { Context } from './context.ts';
import type { Inspection } from './inspect.ts';
import { instanceTemplate } from './instance.ts';
import { Invocation } from './invocation.ts';
import { loadComponent } from './load.ts';
import type { Outbox } from './outbox.ts';
import { useStash } from './stash.ts';
import { thrownError } from './thrown.ts';
import type { Unguarded } from './unguarded.ts';
import { perform, type Live } from './work.ts';

/** Does what the runtime asks for. Pieces of work run side by side; each ends in one `done`. */
export class ComponentHost {
  readonly #context: Context;
  readonly #outbox: Outbox;
  readonly #asks: Asks;
  readonly #inspection: Inspection;
  readonly #unguarded: Unguarded;
  #component: Component | undefined;
  #live: Live | undefined;

  constructor(context: Context, outbox: Outbox, inspection: Inspection, unguarded: Unguarded) {
    this.#context = context;
    this.#outbox = outbox;
    this.#inspection = inspection;
    this.#unguarded = unguarded;
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
        void this.#inspect(message.on);
        break;
    }
  }

  async #load({ bundle, redirects, debug }: Extract<ToHost, { t: 'load' }>): Promise<void> {
    try {
      if (debug === true) await this.#attach();
      await redirect(redirects);
      // What user code finds in argv is its own file.
      process.argv = [process.execPath, bundle];
      this.#component = await loadComponent(bundle);
      this.#outbox.post({ t: 'loaded', definition: this.#component.definition });
    } catch (error) {
      this.#outbox.post({ t: 'loadFailed', error: thrownError(error) });
    }
  }

  async #attach(): Promise<void> {
    // From here to the wait in one go: a debugger that came in between would be waited for in vain.
    // Each message leaves at once, as this thread stands still right after it.
    this.#outbox.post({ t: 'inspector', url: await this.#inspection.open() });
    this.#outbox.flush();
    this.#inspection.wait();
    this.#outbox.post({ t: 'attached' });
    this.#outbox.flush();
  }

  async #inspect(on: boolean): Promise<void> {
    if (!on) this.#inspection.close();
    this.#outbox.post({ t: 'inspector', url: on ? await this.#inspection.open() : null });
  }

  #configure(configuration: HostConfiguration): void {
    if (this.#component === undefined) throw new Error('configured before it was loaded');
    if (configuration.sourceId === undefined) delete process.env['PD_COMPONENT'];
    else process.env['PD_COMPONENT'] = configuration.sourceId;
    useStash(configuration.stashDir);
    const component = this.#component;
    const template = instanceTemplate(component, configuration, this.#asks.ask);
    this.#live = { component, configuration, template, ask: this.#asks.ask };
  }

  #work(n: number, work: Work): void {
    const invocation = new Invocation(n, this.#outbox, this.#context.outside);
    const live = this.#live;
    if (live === undefined) throw new Error('given work before it was configured');
    const failed = (reason: unknown): void => {
      this.#done(invocation, { error: thrownError(reason) });
    };
    this.#context.run(invocation, () => {
      const ended = perform(live, work, invocation).then((result) => {
        this.#done(invocation, result === undefined ? {} : { result });
      });
      if (this.#inspection.isOpen) this.#unguarded.leave(ended, failed);
      else ended.catch(failed);
    });
  }

  #done(invocation: Invocation, end: object): void {
    this.#context.end(invocation);
    this.#outbox.done(invocation, { t: 'done', n: invocation.n, ...end, ...invocation.take() });
  }
}

/** What it takes is loaded for those who redirect: a TLS stack is a tenth of the time to start. */
async function redirect(redirects: Readonly<Record<string, string>>): Promise<void> {
  if (Object.keys(redirects).length === 0) return;
  const { installRedirects } = await import('./redirects/install.ts');
  installRedirects(redirects);
}
