/** Two nodes that ask and tell each other things over one connection: each message a frame, as MessagePack. */
import type { Duplex } from 'node:stream';
import { type ErrorData, WeirError } from '../../protocol/errors.ts';
import { encodeFrame, FrameReader } from '../../protocol/frames.ts';
import { decode } from '../../protocol/message-pack/decode.ts';
import type { Clock } from '../base/clock.ts';
import { EndOfTurn } from '../base/end-of-turn.ts';
import type { NodeCalls, NodeNotices } from './node-calls.ts';

/** A node's handlers for calls and notices. */
export type NodeHandlers = {
  readonly [C in keyof NodeCalls]: (
    params: NodeCalls[C]['params'],
    peer: Peer,
  ) => Promise<NodeCalls[C]['result']> | NodeCalls[C]['result'];
} & {
  readonly [N in keyof NodeNotices]: (params: NodeNotices[N], peer: Peer) => void;
};

type Message =
  | { readonly id: number; readonly call: keyof NodeCalls; readonly params: unknown }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ErrorData }
  | { readonly tell: keyof NodeNotices; readonly params: unknown };

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly cancel: () => void;
}

/** In bytes: the largest request, and what it becomes. */
const longestFrame = 64 * 1024 * 1024;
/** A node that reads nothing is not waited for with more than so many bytes. */
const mostUnsent = 64 * 1024 * 1024;
/** Values of one message. */
const mostValues = 5_000_000;

export class Peer {
  readonly #socket: Duplex;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #handlers: () => Partial<NodeHandlers>;
  readonly #asked = new Map<number, Asked>();
  readonly #closed: (() => void)[] = [];
  readonly #endOfTurn = new EndOfTurn();
  #unsent: Buffer[] = [];
  #last = 0;
  #isOpen = true;

  /** @param handlers of this node; while it starts or ends few are there, and what else is asked is refused */
  constructor(socket: Duplex, clock: Pick<Clock, 'after'>, handlers: () => Partial<NodeHandlers>) {
    this.#socket = socket;
    this.#clock = clock;
    this.#handlers = handlers;
    const frames = new FrameReader(longestFrame);
    socket.on('data', (chunk: Buffer) => {
      try {
        frames.push(chunk, (body) => this.#take(decode(body, mostValues) as Message));
      } catch {
        this.close();
      }
    });
    for (const event of ['end', 'error', 'close'] as const) socket.on(event, () => this.close());
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#closed.push(listener);
    else listener();
  }

  /** Rejects with what the other node has thrown, or with `runtime_unavailable` when it does not answer in time. */
  call<C extends keyof NodeCalls>(
    call: C,
    params: NodeCalls[C]['params'],
    withinMs: number,
  ): Promise<NodeCalls[C]['result']> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) {
        reject(gone());
        return;
      }
      const cancel = this.#clock.after(withinMs, () => {
        this.#asked.delete(id);
        reject(
          new WeirError('runtime_unavailable', `A node did not answer within ${withinMs} ms.`),
        );
      });
      this.#asked.set(id, { resolve: resolve as (value: unknown) => void, reject, cancel });
      this.#send({ id, call, params });
    });
  }

  /** A notice that does not fit into a frame is not sent. */
  tell<N extends keyof NodeNotices>(tell: N, params: NodeNotices[N]): void {
    try {
      this.#send({ tell, params });
    } catch {
      // Nobody waits for it.
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.destroy();
    for (const { reject, cancel } of this.#asked.values()) {
      cancel();
      reject(gone());
    }
    this.#asked.clear();
    for (const listener of this.#closed.splice(0)) listener();
  }

  #send(message: Message): void {
    if (!this.#isOpen) return;
    if (this.#socket.writableLength > mostUnsent) {
      this.close();
      return;
    }
    // Notices of one turn are encrypted and sent together.
    if (this.#unsent.length === 0) this.#endOfTurn.add(() => this.#flush());
    this.#unsent.push(encodeFrame(message));
  }

  #flush(): void {
    const frames = this.#unsent;
    this.#unsent = [];
    if (this.#isOpen) this.#socket.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  #take(message: Message): void {
    if (!this.#isOpen) return;
    if ('tell' in message) {
      const { tell, params } = message;
      const handle = this.#handlers()[tell] as ((p: unknown, peer: Peer) => void) | undefined;
      handle?.(params, this);
      return;
    }
    if ('call' in message) {
      void this.#answer(message);
      return;
    }
    const asked = this.#asked.get(message.id);
    if (asked === undefined) return;
    this.#asked.delete(message.id);
    asked.cancel();
    if ('error' in message) {
      const { code, message: text, details } = message.error;
      asked.reject(new WeirError(code, text, details));
    } else asked.resolve(message.value);
  }

  async #answer({ id, call, params }: Extract<Message, { call: unknown }>): Promise<void> {
    try {
      const handle = this.#handlers()[call] as ((p: unknown, peer: Peer) => unknown) | undefined;
      if (handle === undefined) {
        throw new WeirError('runtime_unavailable', 'This node does not run anything just now.');
      }
      const value = await handle(params, this);
      this.#send({ id, value });
    } catch (error) {
      const { code, message, details } = WeirError.is(error)
        ? error
        : new WeirError('internal', error instanceof Error ? error.message : String(error));
      this.#send({ id, error: { code, message, ...(details && { details }) } });
    }
  }
}

function gone(): WeirError {
  return new WeirError('runtime_unavailable', 'The connection to the node has ended.');
}
