/**
 * The inbox of every emitter that this runtime owns (docs/architecture.md, "The way of an event", step 2): a trigger
 * becomes a row, and what runs the emitter begins with it when its turn comes.
 */
import type { TriggeredInvocation } from '../store/commit.ts';
import type { TakenEmitter } from '../store/ownership.ts';
import type { UsesStore } from '../store/store.ts';
import type { RecoveredEmitter } from './emitter-kind.ts';
import type { Accepted, InboxEntry, Incoming, Intake } from './intake.ts';
import type { OwnedEmitter } from './owner/owned-emitters.ts';
import type { Services } from './services.ts';

export interface InboxOptions
  extends UsesStore<'accept'>, Pick<Services, 'emitters' | 'kinds' | 'clock'> {
  /** Called with emitters of other nodes that an event of this node triggered. Absent if there are no other nodes. */
  readonly triggeredElsewhere?: ((emitterIds: readonly string[]) => void) | undefined;
}

export class Inbox implements Intake {
  readonly #options: InboxOptions;
  /** Triggers that arrive while their emitter is being taken or released, by emitter: they do not begin yet. */
  readonly #parked = new Map<string, TriggeredInvocation[]>();

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  accept(id: string, incoming: Incoming): Accepted {
    const { accepted, entry } = this.#store(id, incoming);
    this.#options.kinds.of(id).begin(entry);
    return accepted;
  }

  record(id: string, incoming: Incoming, reason?: string): Accepted {
    const { accepted, entry } = this.#store(id, incoming);
    this.#options.kinds.of(id).endUnstarted(entry, reason);
    return accepted;
  }

  /** Begins what events have triggered: it is in the inbox already, by the commit of the events (P8.16, P25.2). */
  triggered(triggered: readonly TriggeredInvocation[]): void {
    const { emitters, kinds, clock, triggeredElsewhere } = this.#options;
    const createdAt = clock.now();
    const elsewhere = new Set<string>();
    for (const one of triggered) {
      const { n, emitterId, trigger, cause = 'event' } = one;
      const emitter = emitters.get(emitterId);
      const parked = this.#parked.get(emitterId);
      if (parked !== undefined) parked.push(one);
      // An emitter that was deleted since has no inbox any more; that of another node runs there.
      else if (emitter === undefined) elsewhere.add(emitterId);
      else kinds.of(emitterId).begin({ n, emitter, cause, trigger, createdAt });
    }
    if (elsewhere.size > 0) triggeredElsewhere?.([...elsewhere]);
  }

  /** Takes up what the last owners of these emitters left, before anything that comes in later. */
  recover(taken: readonly RecoveredEmitter[]): void {
    const { kinds } = this.#options;
    for (const kind of kinds.all()) {
      kind.recover(taken.filter(({ emitter }) => kinds.find(emitter.id) === kind));
    }
  }

  /** An emitter is being taken, or just made: what triggers it from now on waits for `arrived`. */
  expect(id: string): void {
    this.#park(id);
  }

  /**
   * The emitter is here: triggers that its last owner left run first, then those that arrived meanwhile and are not
   * among them.
   */
  arrived({ unfinished, released }: TakenEmitter, emitter: OwnedEmitter): void {
    this.#options.kinds.of(emitter.id).recover([{ emitter, released, unfinished }]);
    const known = new Set(unfinished.map(({ record }) => record.n));
    this.triggered(this.#unpark(emitter.id).filter(({ n }) => !known.has(n)));
  }

  /** It could not be taken: its next owner finds all of it in the inbox. */
  arrivalFailed(id: string): void {
    this.#unpark(id);
  }

  /** It is about to be given to another node: what triggers it from now on waits for its next owner, or `cancelTransfer`. */
  beginTransfer(id: string): void {
    this.#park(id);
    this.#options.kinds.of(id).transfer.beginTransfer(id);
  }

  /** It stays here after all. */
  cancelTransfer(id: string): void {
    this.#options.kinds.of(id).transfer.cancelTransfer(id);
    this.triggered(this.#unpark(id));
  }

  transferredOut(id: string): void {
    this.#unpark(id);
    this.#options.kinds.of(id).transfer.transferredOut(id);
  }

  // Callers keep what is returned: without the entry, whose payload would stay in memory with it.
  #store(id: string, incoming: Incoming): { accepted: Accepted; entry: InboxEntry } {
    const { store, emitters, clock } = this.#options;
    const emitter = emitters.require(id);
    const createdAt = clock.now();
    const { cause, trigger, caller, committed, replayOf, journal, tick } = incoming;
    const accepted = store.accept({
      emitterId: id,
      fence: emitter.fence,
      n: incoming.n,
      cause,
      trigger,
      at: createdAt,
      replayOf,
      tick,
      journal,
    });
    const { n } = accepted;
    const entry = { n, emitter, cause, trigger, createdAt, caller, committed, replayOf, journal };
    return { accepted, entry };
  }

  #park(id: string): void {
    if (!this.#parked.has(id)) this.#parked.set(id, []);
  }

  #unpark(id: string): readonly TriggeredInvocation[] {
    const parked = this.#parked.get(id) ?? [];
    this.#parked.delete(id);
    return parked;
  }
}
