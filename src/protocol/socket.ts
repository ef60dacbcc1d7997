/** JSON-RPC messages over one WebSocket, one message per text frame; the same at both ends. */
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import type { RawData, WebSocket } from 'ws';
import { WeirError } from './errors.ts';

/** The largest message either side accepts, in bytes: several events of 6 MB. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Close codes of RFC 6455 and our own (4000–4999) that a client reacts to. */
export const closeCodes = { goingAway: 1001, badMessage: 1007, tooSlow: 4008 } as const;

export interface SocketTransport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

/** @param send sends a frame; a server that limits slow readers passes its own */
export function socketTransport(
  socket: WebSocket,
  send: (text: string) => void = (text) => socket.send(text),
): SocketTransport {
  const unanswered: Unanswered = new Set();
  return {
    reader: new SocketReader(socket, unanswered),
    writer: new SocketWriter(socket, send, unanswered),
  };
}

/** Ids of the requests that the peer waits for, as text: the library takes `1` and `"1"` for the same one. */
type Unanswered = Set<string>;

class SocketReader extends AbstractMessageReader {
  readonly #socket: WebSocket;
  readonly #unanswered: Unanswered;

  constructor(socket: WebSocket, unanswered: Unanswered) {
    super();
    this.#socket = socket;
    this.#unanswered = unanswered;
    socket.on('error', (error) => this.fireError(error));
    socket.on('close', () => this.fireClose());
  }

  override listen(callback: DataCallback): Disposable {
    const onMessage = (data: RawData): void => {
      try {
        const message = parse(data);
        if (Message.isRequest(message)) this.#remember(String(message.id));
        callback(message);
      } catch (error) {
        // Not only invalid JSON gets here: the library throws on some incomplete requests.
        this.fireError(error);
        const reason = WeirError.is(error) ? error.message : notAMessage;
        this.#socket.close(closeCodes.badMessage, reason);
      }
    };
    this.#socket.on('message', onMessage);
    return { dispose: () => this.#socket.off('message', onMessage) };
  }

  /** If two requests had one id, the library would answer only one of them. */
  #remember(id: string): void {
    if (this.#unanswered.has(id))
      throw new WeirError('bad_input', 'The id of a request is that of one without an answer.');
    this.#unanswered.add(id);
  }
}

class SocketWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #socket: WebSocket;
  readonly #send: (text: string) => void;
  readonly #unanswered: Unanswered;

  constructor(socket: WebSocket, send: (text: string) => void, unanswered: Unanswered) {
    super();
    this.#socket = socket;
    this.#send = send;
    this.#unanswered = unanswered;
    socket.on('close', () => this.fireClose());
  }

  /** A message to a peer that is gone is dropped: waiting callers learn of the close. */
  write(message: Message): Promise<void> {
    if (Message.isResponse(message)) this.#unanswered.delete(String(message.id));
    if (this.#socket.readyState === this.#socket.OPEN) this.#send(JSON.stringify(message));
    return Promise.resolve();
  }

  end(): void {
    this.#socket.close();
  }
}

const notAMessage = 'Not a JSON-RPC message.';

/**
 * The library would drop a message that is neither a request, a notification nor a response, and its sender would keep
 * waiting.
 */
function parse(data: RawData): Message {
  const value: unknown = JSON.parse((data as Buffer).toString('utf8'));
  if (isMessage(value)) return value;
  throw new WeirError('bad_input', notAMessage);
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Message;
  if (message.jsonrpc !== '2.0') return false;
  return 'method' in message
    ? Message.isRequest(message) || Message.isNotification(message)
    : Message.isResponse(message);
}
