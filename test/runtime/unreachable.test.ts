/** What a person is told when no connection comes of an address and a key: each cause has a sentence of its own. */
import { readFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/connection.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startRuntime } from '../support/runtime.ts';
import { writeCertificate } from './support/certificate.ts';

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

test('a certificate that nobody signed is not a server that is down', async () => {
  const { cert, key } = await writeCertificate(temporaryFolder(), 'localhost');
  const server = createTlsServer({ cert: await readFile(cert), key: await readFile(key) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `https://127.0.0.1:${portOf(server)}`;
  await expect(connect({ url, apiKey: 'weir_k' })).rejects.toMatchObject({
    code: 'runtime_unavailable',
    message: expect.stringContaining(`The certificate of ${url} is not trusted.`),
  });
});

test('a server that is down, one without TLS and a wrong key', async () => {
  const idle = createServer();
  await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve));
  const down = `http://127.0.0.1:${portOf(idle)}`;
  await new Promise((resolve) => idle.close(resolve));
  await expect(connect({ url: down, apiKey: 'weir_k' })).rejects.toThrow(
    `Nothing listens at ${down}. Start the server, or check the address.`,
  );
  const { url } = await startRuntime({ folder: temporaryFolder() });
  await expect(connect({ url, apiKey: 'weir_k' })).rejects.toThrow(
    `${url} does not accept this key.`,
  );
  const secure = url.replace('http:', 'https:');
  await expect(connect({ url: secure, apiKey: 'weir_k' })).rejects.toThrow(
    `${secure} does not speak TLS.`,
  );
});
