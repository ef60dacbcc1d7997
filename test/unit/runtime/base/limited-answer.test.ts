import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { textUpTo } from '../../../../src/runtime/base/limited-answer.ts';
import { workflowFromApi } from '../../../../src/runtime/workflows/import/platform-api.ts';
import { httpSender } from '../../../../src/runtime/workflows/sends/http.ts';

/** Writes for ever, packed where the path says so. Resolves with the URL, and when the connection was closed. */
async function endless() {
  let closed: () => void = () => undefined;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const server = createServer((request, response) => {
    const isPacked = request.url?.includes('gzip') === true;
    if (isPacked) response.setHeader('content-encoding', 'gzip');
    const out = isPacked ? createGzip() : response;
    if (isPacked) out.on('data', () => undefined).pipe(response);
    const block = Buffer.alloc(1 << 20, 'a');
    const more = () => {
      while (!response.destroyed && out.write(block));
    };
    out.on('drain', more);
    response.on('close', closed);
    response.on('error', () => undefined);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isClosed };
}

test.each(['/plain', '/gzip'])('an endless answer of %s is cut, kept and let go', async (path) => {
  const { url, isClosed } = await endless();
  const before = process.memoryUsage().rss;
  const request = {
    kind: 'http',
    method: 'POST',
    url: url + path,
    headers: {},
    body: 'x',
  } as const;
  const sent = await httpSender({})(request, { n: 1, emitterId: 'p_1' });
  expect(sent).toMatchObject({ status: 200, body: `${'a'.repeat(4096)}…` });
  await isClosed;
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});

test('an endless answer of an API of workflows is refused', async () => {
  const { url, isClosed } = await endless();
  const { signal } = new AbortController();
  await expect(workflowFromApi({ url, key: 'k', signal }, 'p_1')).rejects.toThrow('16 MB');
  await isClosed;
});

test('an answer is whole up to its limit', async () => {
  expect(await textUpTo(new Response('é'.repeat(4)), 8)).toBe('éééé');
  await expect(textUpTo(new Response('x'.repeat(9)), 8)).rejects.toThrow('larger than');
  expect(await textUpTo(new Response(null), 8)).toBe('');
});
