/**
 * Messages between nodes go over TLS with a key that all of them have (RFC 4279): neither side needs a certificate, and
 * a node without the database's key cannot even connect.
 */
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { WeirError } from '../../protocol/errors.ts';
import type { NodeAddress } from './node-address.ts';
import { readHandshake, type Handshake, writeHandshake } from './handshake.ts';

const identity = 'weir';
/** A cipher suite with a shared key and forward secrecy: a recording cannot be decrypted later. */
const tls = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** A host that is not there says nothing. */
const connectWithinMs = 3000;
/** Nor does one that goes while somebody waits for its answer. */
const keepAliveMs = 5000;

/** @param key that seals the secrets of the database */
export function channelKey(key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('weir: between nodes').digest();
}

export interface ChannelListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Takes connections that other nodes pass on.
 * @param take is given each with what the other node says of it
 */
export async function listenToNodes(
  { bind, port }: NodeAddress,
  key: Buffer,
  take: (socket: TLSSocket, greeting: Handshake) => void,
): Promise<ChannelListener> {
  const open = new Set<TLSSocket>();
  const server = createServer({ ...tls, pskCallback: () => key }, (socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    readHandshake(socket, (greeting) => take(socket, greeting));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new WeirError(
          'bad_input',
          `Other nodes cannot be listened to at ${bind}:${port} (${error.code}): choose another --node-address.`,
        ),
      ),
    );
    server.listen({ host: bind, port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Rejects when the node does not answer, or has another key. @param address `HOST:PORT` */
export function connectToNode(
  address: string,
  key: Buffer,
  greeting: Handshake,
): Promise<TLSSocket> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...tls,
      host: address.slice(0, colon),
      port: Number(address.slice(colon + 1)),
      pskCallback: () => ({ psk: key, identity }),
      checkServerIdentity: () => undefined,
    });
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    socket.setTimeout(connectWithinMs, () => socket.destroy(new Error('It does not answer.')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      writeHandshake(socket, greeting);
      resolve(socket);
    });
  });
}
