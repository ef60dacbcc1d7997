/** A local HTTP server that stands in for a third party. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, bytes as they are; nothing is sent when it is left out. */
  readonly body?: unknown;
}

export interface Fake {
  /** `http://127.0.0.1:PORT`, what a `HOST=URL` redirect leads to. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly asked: readonly Asked[];
  readonly close: () => Promise<void>;
}

export type Answering = (asked: Asked) => Answer | Promise<Answer>;

/** Listens on a free port. An `answer` that throws is a 500 with the error as text. */
export async function startFake(answer: Answering): Promise<Fake> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
      const one: Asked = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      asked.push(one);
      void answerOrError(answer, one).then(({ status, headers = {}, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        const isSent = body === undefined || Buffer.isBuffer(body);
        response.end(isSent ? body : JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The body as JSON; what it should be is for the caller to say. */
export function json(asked: Asked): unknown {
  return JSON.parse(asked.body);
}

async function answerOrError(answer: Answering, asked: Asked): Promise<Answer> {
  try {
    return await answer(asked);
  } catch (error) {
    return { status: 500, body: { error: String(error) } };
  }
}
