import type { EmittedEvent, Invocation } from '../../protocol/catalogue.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { Change } from '../../protocol/rpc.ts';
import type {
  HostMessage,
  InspectorAction,
  PageMessage,
} from '../../webview/inspector/messages.ts';
import { stackFrames, type StackFrame } from '../documents/stack-frames.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { curlOf } from './curl.ts';
import type { InspectorSubject } from './page-message.ts';

/** The part of the window that a session needs. */
export interface InspectorHost {
  client(): Promise<RuntimeClient>;
  /** Name of an emitter, name or URL of a webhook; undefined once it was deleted. */
  nameOf(id: string): string | undefined;
  post(message: HostMessage): void;
  copy(text: string): PromiseLike<void>;
  /** Sets the panel's title. */
  title(event: EmittedEvent): void;
  openJson(event: EmittedEvent): PromiseLike<unknown>;
  compare(older: EmittedEvent, newer: EmittedEvent): PromiseLike<unknown>;
  showRun(run: Invocation): PromiseLike<unknown>;
  /** Asks how, and runs its trigger again. */
  replay(run: Invocation): PromiseLike<unknown>;
  /** Runs its trigger again under the debugger, without asking. */
  debug(run: Invocation): PromiseLike<unknown>;
  /** Asks which of the failed runs of a source is shown. */
  showFailedRuns(emitterId: string): PromiseLike<unknown>;
  /** An event is shown that nobody chose in a list. */
  wentTo(event: EmittedEvent): void;
  /** Rejects when the file is gone. */
  openFrame(frame: StackFrame): PromiseLike<unknown>;
}

/**
 * An inspector: reads everything about the shown event, and moves from one event to the next. The page may go away and
 * come back (a hidden tab, a reload of the window), so it gets everything again on each `ready`.
 */
export class InspectorSession {
  readonly #host: InspectorHost;
  #subject: InspectorSubject;
  #event: EmittedEvent | undefined;
  /** The frames of the run's error, as the page shows them. */
  #frames: readonly StackFrame[] = [];
  readonly #deliveriesAgain = latest();
  readonly #neighboursAgain = latest();

  constructor(host: InspectorHost, subject: InspectorSubject) {
    this.#host = host;
    this.#subject = subject;
  }

  get subject(): InspectorSubject {
    return this.#subject;
  }

  receive(message: PageMessage): Promise<void> {
    switch (message.t) {
      case 'ready':
        return this.#read();
      case 'copy':
        return this.#guard(() => this.#host.copy(message.text));
      case 'redeliver':
        return this.#call((client) => client.call('deliveries.redeliver', { id: message.id }));
      case 'openFrame': {
        const frame = this.#frames[message.at];
        if (frame === undefined) return Promise.resolve();
        return this.#guard(() => this.#host.openFrame(frame));
      }
      case 'do':
        return this.#act(message.action);
      default:
        return message satisfies never;
    }
  }

  show(subject: InspectorSubject): Promise<void> {
    this.#subject = subject;
    return this.#read();
  }

  /** Brings deliveries and neighbours up to date while the event is shown. */
  changed(batch: readonly Change[]): void {
    const { emitterId, eventId } = this.#subject;
    const hasDelivery = batch.some(
      (change) => change.type === 'delivery' && change.delivery.event_id === eventId,
    );
    const hasNewer = batch.some(
      (change) => change.type === 'event' && change.event.metadata.emitter_id === emitterId,
    );
    if (hasDelivery) {
      void this.#deliveriesAgain(() => this.#call((client) => this.#deliveries(client, eventId)));
    }
    if (hasNewer) {
      void this.#neighboursAgain(() => this.#call((client) => this.#neighbours(client, eventId)));
    }
  }

  async #read(): Promise<void> {
    const subject = this.#subject;
    const { emitterId: id, eventId } = subject;
    try {
      const client = await this.#host.client();
      const event = await client.call('events.get', { id, event_id: eventId });
      if (subject !== this.#subject) return;
      this.#event = event;
      this.#host.title(event);
      this.#host.post({ t: 'event', subject, event, emitter: this.#host.nameOf(id) ?? id });
      await Promise.all([
        this.#guard(() => this.#neighbours(client, eventId)),
        this.#guard(() => this.#run(client, event)),
        this.#guard(() => this.#deliveries(client, eventId)),
        this.#guard(() => this.#activity(client, eventId)),
      ]);
    } catch (error) {
      if (subject !== this.#subject) return;
      this.#host.post({ t: 'problem', of: null, problem: messageOf(error) });
    }
  }

  async #run(client: RuntimeClient, event: EmittedEvent): Promise<void> {
    const run = await client.call('invocations.get', {
      id: this.#subject.emitterId,
      invocation_id: event.invocation_id,
    });
    if (event !== this.#event) return;
    this.#frames = stackFrames(run.error?.stack ?? '');
    const stackLinks = this.#frames.map(({ start, end }) => ({ start, end }));
    this.#host.post({ t: 'run', of: event.id, run: { ...run, stackLinks } });
  }

  async #deliveries(client: RuntimeClient, of: string): Promise<void> {
    const found = await client.call('events.deliveries', {
      id: this.#subject.emitterId,
      event_id: of,
    });
    const deliveries = found.deliveries.map((delivery) => ({
      ...delivery,
      webhook: this.#host.nameOf(delivery.webhook_id) ?? null,
    }));
    this.#host.post({ t: 'deliveries', of, deliveries });
  }

  async #activity(client: RuntimeClient, of: string): Promise<void> {
    const activity = await client.call('sources.activity', { id: this.#subject.emitterId });
    this.#host.post({ t: 'activity', of, activity });
  }

  async #neighbours(client: RuntimeClient, of: string): Promise<void> {
    const [newer, older] = await Promise.all([
      this.#neighbour(client, 'newer', of),
      this.#neighbour(client, 'older', of),
    ]);
    this.#host.post({
      t: 'neighbours',
      of,
      newer: newer !== undefined,
      older: older !== undefined,
    });
  }

  async #neighbour(
    client: RuntimeClient,
    side: 'newer' | 'older',
    of: string,
  ): Promise<EmittedEvent | undefined> {
    const place = side === 'newer' ? { before: of } : { after: of };
    const { data } = await client.call('events.list', {
      id: this.#subject.emitterId,
      limit: 1,
      include_dropped: true,
      ...place,
    });
    return data[0];
  }

  #act(action: InspectorAction): Promise<void> {
    const event = this.#event;
    if (event === undefined) return Promise.resolve();
    return this.#call(async (client) => {
      switch (action) {
        case 'newer':
        case 'older': {
          const next = await this.#neighbour(client, action, event.id);
          if (next === undefined) return;
          this.#host.wentTo(next);
          await this.show({ ...this.#subject, eventId: next.id });
          return;
        }
        case 'openJson':
          await this.#host.openJson(event);
          return;
        case 'compare': {
          const older = await this.#neighbour(client, 'older', event.id);
          if (older !== undefined) await this.#host.compare(older, event);
          return;
        }
        case 'failedRuns':
          await this.#host.showFailedRuns(this.#subject.emitterId);
          return;
        case 'showRun':
        case 'replay':
        case 'debug':
        case 'copyCurl': {
          const run = await client.call('invocations.get', {
            id: this.#subject.emitterId,
            invocation_id: event.invocation_id,
          });
          if (action === 'showRun') await this.#host.showRun(run);
          else if (action === 'replay') await this.#host.replay(run);
          else if (action === 'debug') await this.#host.debug(run);
          else if (run.trigger?.kind === 'http') await this.#host.copy(curlOf(run.trigger));
          return;
        }
        default:
          action satisfies never;
      }
    });
  }

  #call(work: (client: RuntimeClient) => PromiseLike<unknown>): Promise<void> {
    return this.#guard(async () => work(await this.#host.client()));
  }

  /** Reports failed reads and opens to the page; the rest is shown. */
  async #guard(work: () => PromiseLike<unknown>): Promise<void> {
    const of = this.#subject.eventId;
    try {
      await work();
    } catch (error) {
      this.#host.post({ t: 'problem', of, problem: messageOf(error) });
    }
  }
}

/**
 * Never two at a time: of what is asked for meanwhile only the last is done, afterwards. A source that never rests
 * would be asked for its neighbours with each batch of its events.
 */
function latest(): (work: () => Promise<void>) => Promise<void> {
  let next: (() => Promise<void>) | undefined;
  let isWorking = false;
  return async (work) => {
    next = work;
    if (isWorking) return;
    isWorking = true;
    while (next !== undefined) {
      const now: () => Promise<void> = next;
      next = undefined;
      await now();
    }
    isWorking = false;
  };
}
