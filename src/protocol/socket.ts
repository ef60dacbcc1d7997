/** JSON-RPC messages over one WebSocket, one message per text frame; the same at both ends. */
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import type { RawData, WebSocket } from 'ws';

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
  return { reader: new SocketReader(socket), writer: new SocketWriter(socket, send) };
}

class SocketReader extends AbstractMessageReader {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    super();
    this.#socket = socket;
    socket.on('error', (error) => this.fireError(error));
    socket.on('close', () => this.fireClose());
  }

  override listen(callback: DataCallback): Disposable {
    const onMessage = (data: RawData): void => {
      try {
        callback(parse(data));
      } catch (error) {
        // Not only invalid JSON gets here: the library throws on some incomplete requests.
        this.fireError(error);
        this.#socket.close(closeCodes.badMessage, 'Not a JSON-RPC message.');
      }
    };
    this.#socket.on('message', onMessage);
    return { dispose: () => this.#socket.off('message', onMessage) };
  }
}

class SocketWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #socket: WebSocket;
  readonly #send: (text: string) => void;

  constructor(socket: WebSocket, send: (text: string) => void) {
    super();
    this.#socket = socket;
    this.#send = send;
    socket.on('close', () => this.fireClose());
  }

  /** A message to a peer that is gone is dropped: whoever waits for a response learns of the close. */
  write(message: Message): Promise<void> {
    if (this.#socket.readyState === this.#socket.OPEN) this.#send(JSON.stringify(message));
    return Promise.resolve();
  }

  end(): void {
    this.#socket.close();
  }
}

function parse(data: RawData): Message {
  const message: unknown = JSON.parse((data as Buffer).toString('utf8'));
  if (typeof message === 'object' && message !== null && 'jsonrpc' in message) {
    return message as Message;
  }
  throw new Error('A frame must hold one JSON-RPC message.');
}
