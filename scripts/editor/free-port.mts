import { createServer, type AddressInfo } from 'node:net';

/**
 * A port that was free a moment ago, for a browser's debugging port: both sides have to be told the
 * number before the browser runs, so it cannot choose one itself.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
