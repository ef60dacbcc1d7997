/**
 * `targets.mts N`: N servers in one process that take deliveries. Says `{ready}`; asked, it
 * tells where they listen and what has come so far, and begins to count anew with `{reset}`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly urls: readonly string[];
  readonly count: number;
  /** Epoch ms of the first one. */
  readonly firstAt: number;
}

let count = 0;
let firstAt = 0;

const urls = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, async () => {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      if (count === 0) firstAt = performance.timeOrigin + performance.now();
      count += 1;
      request.resume();
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 11 });
        response.end('{"ok":true}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }),
);
process.on('message', ({ reset = false }: { reset?: boolean }) => {
  process.send?.({ urls, count, firstAt } satisfies Received);
  if (reset) count = 0;
});
process.send?.({ ready: true });
