import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { listenForCallback } from '../../../../../src/runtime/accounts/oauth/callback-listener.ts';
import { atEndOfTest } from '../../../../support/at-end.ts';

const path = '/oauth/callback';

function statusAt(host: string, port: string): Promise<number | string> {
  return new Promise((resolve) => {
    get({ host, port, path, headers: { host: `localhost:${port}` } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

test('clause 6: a fixed port that another program has is one sentence, which offers --paste', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  atEndOfTest(() => new Promise<void>((resolve) => other.close(() => resolve())));
  const { port } = other.address() as AddressInfo;
  const listening = listenForCallback({ host: 'localhost', port, path, came: () => false });
  await expect(listening).rejects.toThrow(
    new RegExp(`^Port ${port}, which the app wants .* is taken .* connect with --paste\\.$`),
  );
});

test('clause 7: localhost listens on both loopback addresses, and on no other', async () => {
  const listener = await listenForCallback({ host: 'localhost', port: 0, path, came: () => false });
  atEndOfTest(() => Promise.resolve(listener.close()));
  const { port } = new URL(listener.redirectUri);
  expect(await statusAt('127.0.0.1', port)).toBe(400);
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  const hasIpv6 = all.some(({ address }) => address === '::1');
  expect(await statusAt('::1', port)).toEqual(hasIpv6 ? 400 : expect.any(String));
  for (const { address, internal, family } of all) {
    if (!internal && family === 'IPv4') expect(await statusAt(address, port)).toBe('ECONNREFUSED');
  }
});
