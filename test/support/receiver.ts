/** A server of somebody else: keeps what it is sent, in order, and answers as it is told. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AtEnd, atEndOfTest } from './at-end.ts';

/** One request, as it came. */
export interface Received {
  readonly method: string;
  /** Path and query as sent; the whole URL where the receiver is used as a proxy. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  /** 200 when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/**
 * Says how a request is answered; what it throws is a 500. One that returns nothing answers by itself,
 * now, later or never.
 */
export type Answering = (
  received: Received,
  response: ServerResponse,
) => Answer | undefined | Promise<Answer | undefined>;

export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Every request so far whose body is there, oldest first. */
  readonly received: Received[];
  /** How requests from now on are answered; with an empty 200 unless said otherwise. */
  answer: Answering;
  /** The bodies of what was received. */
  bodies(): string[];
  /** How many requests have come and are not answered. */
  open(): number;
  /** Ends every connection. It happens at the end anyway. */
  close(): Promise<void>;
}

/** A receiver that stands in for a third party: how it answers is its own business. */
export type Fake = Omit<Receiver, 'answer'>;

export interface ReceiverOptions {
  readonly answer?: Answering | undefined;
  /** That of one that was there before; any free port when left out. */
  readonly port?: number;
  readonly atEnd?: AtEnd | undefined;
}

/** Listens on the loopback address. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { answer = () => ({}), port = 0, atEnd = atEndOfTest } = options;
  let open = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    open += 1;
    response.once('close', () => (open -= 1));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '/', headers } = request;
      const [path = '', query = ''] = url.split('?', 2);
      const body = Buffer.concat(chunks).toString('utf8');
      const one = { method, url, path, query: new URLSearchParams(query), headers, body };
      receiver.received.push(one);
      void send(receiver.answer, one, response);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer,
    bodies: () => receiver.received.map(({ body }) => body),
    open: () => open,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  atEnd(() => receiver.close());
  return receiver;
}

async function send(answer: Answering, one: Received, response: ServerResponse): Promise<void> {
  const answered = await answerOrError(answer, one, response);
  if (answered === undefined) return;
  const { status = 200, headers = {}, body } = answered;
  const isPlain = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const type = isPlain ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers });
  response.end(isPlain ? body : JSON.stringify(body));
}

async function answerOrError(
  ...[answer, one, response]: Parameters<typeof send>
): Promise<Answer | undefined> {
  try {
    return (await answer(one, response)) ?? undefined;
  } catch (error) {
    return { status: 500, body: { error: String(error) } };
  }
}

/** The body as JSON; what it should be is for the caller to say. */
export function json({ body }: Received): unknown {
  return JSON.parse(body);
}
