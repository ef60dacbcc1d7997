/** The address that a browser comes back to: a listener for one connection, on this machine only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, WeirError } from '../../../protocol/errors.ts';
import { isLoopbackHost } from '../../server/loopback.ts';

export interface CallbackOptions {
  readonly host: '127.0.0.1' | 'localhost';
  /** 0 for any that is free. */
  readonly port: number;
  readonly path: string;
  /** False when it is not the answer that is waited for: the listener stays. */
  readonly came: (parameters: URLSearchParams) => boolean;
}

export interface CallbackListener {
  readonly redirectUri: string;
  /** Answers that are on their way still go out. */
  close(): void;
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  'content-type': 'text/html; charset=utf-8',
};

const page = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Weir</title><p>${text}</p></html>`;

/** Resolves when it listens. @throws WeirError `conflict` when a fixed port is taken */
export async function listenForCallback(options: CallbackOptions): Promise<CallbackListener> {
  const { host, port, path } = options;
  const servers: Server[] = [];
  /** The browser has been sent to the page that says so. */
  let isPageDue = false;
  let isClosing = false;
  const end = (): void => {
    for (const server of servers) server.close();
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const send = (status: number, text: string, more: Readonly<Record<string, string>> = {}) => {
      response.writeHead(status, { ...headers, connection: 'close', ...more });
      response.end(page(text));
    };
    if (!isLoopbackHost(request.headers.host)) {
      send(403, 'This address is for this machine only.');
      return;
    }
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === `${path}/done`) {
      send(200, 'You can close this page and go back to Weir.');
      if (isClosing) end();
    } else if (url.pathname !== path) send(404, 'There is nothing here.');
    else if (request.method !== 'GET') send(405, 'Only a browser comes here.');
    else if (options.came(url.searchParams)) {
      isPageDue = true;
      // From here on, the code is in no history and no Referer.
      send(303, 'Go on.', { location: `${path}/done` });
    } else send(400, 'This is not the answer that Weir waits for. Use the page that Weir opened.');
  };
  const listen = async (address: string, at: number): Promise<number> => {
    const server = createServer(answer);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, address, () => resolve());
    });
    server.unref();
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  let used: number;
  try {
    // The page of the connection before may still be on its way.
    used = await listen('127.0.0.1', port).catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, lingerMs));
      return listen('127.0.0.1', port);
    });
  } catch (error) {
    throw new WeirError(
      'conflict',
      `Port ${port}, which the app wants the browser to come back to, is taken (${messageOf(error)}): end what uses it, such as a connection that another window waits for, or connect with --paste.`,
    );
  }
  // A browser may take either for localhost; a machine may lack IPv6.
  if (host === 'localhost') await listen('::1', used).catch(() => undefined);
  return {
    redirectUri: `http://${host}:${used}${path}`,
    close: () => {
      isClosing = true;
      if (isPageDue) setTimeout(end, lingerMs).unref();
      else end();
    },
  };
}

const lingerMs = 2000;
