/** Requests made by hand: `fetch` writes its own Host, and does not say what certificate it was shown. */
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Subject of the certificate, with TLS. */
  readonly subject: string | undefined;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bearer key. */
  readonly key?: string;
}

/** A new connection each. A certificate is not checked, as a test's is its own. */
export async function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, key } = asked;
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const options = {
    method,
    headers: { ...authorization, ...headers },
    agent: false,
    rejectUnauthorized: false,
  };
  const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, options);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const socket = response.socket as Partial<TLSSocket>;
  const subject = socket.getPeerCertificate?.().subject?.CN;
  let text = '';
  for await (const piece of response) text += String(piece);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: text,
    subject: Array.isArray(subject) ? subject.join() : subject,
  };
}

/** Of this machine, as others reach it; undefined where there is no network. */
export function outsideAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flat();
  return all.find((one) => one?.family === 'IPv4' && !one.internal)?.address;
}
