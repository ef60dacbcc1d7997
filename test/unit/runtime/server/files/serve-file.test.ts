import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveFile } from '../../../../../src/runtime/server/files/serve-file.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

/** Fetches a file that component code gave this name. */
async function fetched(filename: string): Promise<Response> {
  const path = join(temporaryFolder(), 'file');
  await writeFile(path, 'content');
  const file = { path, filename, contentType: 'text/plain' };
  const server = createServer((request, response) => {
    serveFile(() => file, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/h/file_1`, { headers: { connection: 'close' } });
}

test.each([
  ['a b.txt', 'a%20b.txt'],
  ['ä".txt', '%C3%A4%22.txt'],
  // Half of a character, which has no UTF-8.
  ['\ud800.txt', '%EF%BF%BD.txt'],
])('a file named %j is sent', async (filename, shown) => {
  const response = await fetched(filename);
  expect([response.status, await response.text()]).toEqual([200, 'content']);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${shown}`);
});
