/** Triggers that arrive at a node for an emitter of another one: they are forwarded, or left in its inbox. */
import { WeirError } from '../../protocol/errors.ts';
import type { WaitingCaller } from '../events/waiting-caller.ts';
import type { SharedStore } from '../store/shared.ts';
import type { CameOfRun, NodeNotices, ForwardedTrigger } from './node-calls.ts';
import type { Peer } from './peer.ts';
import type { Peers } from './peers.ts';
import type { BaseServices } from '../base/services.ts';

export interface TriggerForwarderOptions extends Pick<BaseServices, 'clock'> {
  readonly peers: Pick<Peers, 'to'>;
}

/** The current role of the node. */
export interface NodeRole {
  readonly shared: Pick<SharedStore, 'nextNumber' | 'leave'>;
  /** `HOST:PORT` of the node that runs it; undefined while nobody is known to. */
  readonly placeOf: (id: string) => string | undefined;
  /** It can ask nobody: the node that leads is of another version. */
  readonly isAlone: () => boolean;
  /** It has moved here meanwhile. */
  readonly runsHere: (id: string) => boolean;
  readonly acceptHere: (
    passed: ForwardedTrigger,
    caller: WaitingCaller,
  ) => { readonly durable: Promise<void> };
}

/** The trigger, without the number that it gets here. */
export type IncomingTrigger = Omit<ForwardedTrigger, 'id' | 'n' | 'isAgain'>;

/** How long to look for a reachable owner before the trigger is queued in its inbox, in ms. */
const ownerMs = 100;
/** How long to wait for the answer of an owner, in ms. */
const askedMs = 800;
/** How long a caller waits for the result of a run at another node, in ms: until another node has taken over. */
const answeredMs = 30_000;
/** How long one attempt of those waits, in ms. */
const tryMs = 2000;
/** Between two tries, in ms. */
const againMs = 25;

/** Belongs to the node as long as it exists: waiting callers keep waiting when it becomes the leader. */
export class TriggerForwarder {
  readonly #options: TriggerForwarderOptions;
  #place: NodeRole | undefined;
  /** By number of the invocation. */
  readonly #waiting = new Map<number, { readonly caller: WaitingCaller; peer?: Peer }>();
  /** Triggers that are being forwarded. */
  readonly #passing = new Set<number>();
  /** Forwarded triggers whose end is on disk. */
  readonly #ended = new Set<number>();
  readonly #seen = new WeakSet<Peer>();

  constructor(options: TriggerForwarderOptions) {
    this.#options = options;
  }

  /** The node leads from now on, or follows. */
  use(place: NodeRole): void {
    this.#place = place;
  }

  /** Nothing runs here any more, or not for a moment: what is of no other node waits, or is left in inboxes. */
  pause(): void {
    if (this.#place !== undefined) this.#place = { ...this.#place, runsHere: () => false };
  }

  /**
   * As if it ran here, also while this node stops: the one that runs it does not. `durable` rejects with
   * `runtime_unavailable` when nobody runs it who could answer.
   * @throws WeirError `runtime_unavailable` before the node leads or follows
   */
  accept(
    id: string,
    comingIn: IncomingTrigger,
    caller: WaitingCaller,
  ): { readonly n: number; readonly durable: Promise<void> } {
    if (this.#place === undefined) {
      throw new WeirError('runtime_unavailable', 'The node is starting. Try again.');
    }
    const n = this.#place.shared.nextNumber();
    const passed = { id, n, isAgain: false, ...comingIn };
    if (comingIn.isAnswered) this.#waiting.set(n, { caller });
    this.#passing.add(n);
    const durable = this.#pass(passed, caller).finally(() => {
      this.#passing.delete(n);
      this.#ended.delete(n);
    });
    durable.catch((error: unknown) => {
      if (this.#waiting.delete(n)) caller.failed?.(error);
    });
    return { n, durable };
  }

  /** A node reports the result of its run. */
  answered({ n, came }: NodeNotices['answered']): void {
    const hasEnded = came.of === 'end' || (came.of === 'unanswered' && came.why === 'ended');
    if (hasEnded && this.#passing.has(n)) this.#ended.add(n);
    const caller = this.#waiting.get(n)?.caller;
    if (caller === undefined) return;
    this.#waiting.delete(n);
    tell(caller, came);
  }

  async #pass(given: ForwardedTrigger, caller: WaitingCaller): Promise<void> {
    let passed = given;
    const { id, n, isAnswered, isRecorded, cause, trigger } = passed;
    const { clock } = this.#options;
    const at = clock.now();
    const begun = clock.elapsed();
    // A run that a person starts is not left to an owner that may come later.
    const isWaitedFor = isAnswered || isRecorded || cause !== 'http';
    const withinMs = isWaitedFor ? answeredMs : ownerMs;
    for (;;) {
      // Its run has ended before anybody could tell that it was taken in.
      if (this.#ended.delete(n)) return;
      const leftMs = withinMs - (clock.elapsed() - begun);
      if (leftMs <= 0) break;
      if (this.#place?.runsHere(id) === true) {
        this.#waiting.delete(n);
        return this.#place.acceptHere(passed, caller).durable;
      }
      const outcome = await this.#ask(passed, isWaitedFor ? Math.min(leftMs, tryMs) : askedMs);
      if (outcome === 'taken') return;
      // Its number tells whether it has arrived, so that it can be asked again, or left.
      if (outcome === 'unknown' && !isWaitedFor) break;
      if (outcome === 'unknown') passed = { ...passed, isAgain: true };
      if (isWaitedFor && this.#place?.isAlone() === true) break;
      await new Promise<void>((resolve) => void clock.after(againMs, resolve));
    }
    if (isWaitedFor || this.#place === undefined) {
      throw new WeirError('runtime_unavailable', `No node is running ${id}. Try again.`);
    }
    await this.#place.shared.leave({ emitterId: id, n, cause, trigger, at });
    this.#ring(id);
  }

  /** `elsewhere`: the called node does not run it, or no node could be called. */
  async #ask(
    passed: ForwardedTrigger,
    withinMs: number,
  ): Promise<'taken' | 'elsewhere' | 'unknown'> {
    const place = this.#place?.placeOf(passed.id);
    if (place === undefined) return 'elsewhere';
    let peer: Peer;
    try {
      peer = await this.#options.peers.to(place);
    } catch {
      return 'elsewhere';
    }
    try {
      await peer.call('accept', passed, withinMs);
    } catch (error) {
      return WeirError.is(error, 'conflict') ? 'elsewhere' : 'unknown';
    }
    const waiting = this.#waiting.get(passed.n);
    if (waiting !== undefined) this.#waitFor(waiting, peer);
    return 'taken';
  }

  #waitFor(waiting: { peer?: Peer }, peer: Peer): void {
    waiting.peer = peer;
    if (this.#seen.has(peer)) return;
    this.#seen.add(peer);
    peer.onClose(() => {
      for (const [n, one] of this.#waiting) {
        if (one.peer === peer) this.answered({ n, came: { of: 'cutOff' } });
      }
    });
  }

  #ring(id: string): void {
    const place = this.#place?.placeOf(id);
    if (place === undefined) return;
    this.#options.peers.to(place).then(
      (peer) => peer.tell('left', null),
      // It looks from time to time.
      () => undefined,
    );
  }
}

function tell(caller: WaitingCaller, came: CameOfRun): void {
  switch (came.of) {
    case 'answer':
      void caller.respond?.(came.answer);
      break;
    case 'end':
      caller.ended?.(came.status);
      break;
    case 'unanswered':
      caller.unanswered?.(came.why);
      break;
    case 'cutOff':
      caller.failed?.(new WeirError('runtime_unavailable', 'The run was cut off.'));
  }
}
