/** Opens the RPC socket of a runtime. */
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { type ErrorCode, WeirError } from '../protocol/errors.ts';
import { rpcPath } from '../protocol/rpc.ts';
import { maxMessageBytes } from '../protocol/socket.ts';

export interface Address {
  /** `http://127.0.0.1:PORT`, as `runtime.json` has it. */
  readonly url: string;
  readonly apiKey: string;
}

const handshakeMs = 10_000;

/** The socket is still connecting; `opened` waits for it. */
export function openSocket(address: Address): WebSocket {
  const url = new URL(rpcPath, address.url.replace(/^http/, 'ws'));
  return new WebSocket(url, {
    headers: { authorization: `Bearer ${address.apiKey}` },
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handshakeTimeout: handshakeMs,
  });
}

/** Rejects with `unauthorized`, `foreign_host` or `runtime_unavailable`, as the runtime answered. */
export function opened(socket: WebSocket, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      socket.terminate();
      reject(refused(address, response.statusCode ?? 0));
    });
    socket.once('error', (error) => reject(unreachable(address, error)));
  });
}

function refused(address: Address, status: number): WeirError {
  const code: ErrorCode =
    status === 401 ? 'unauthorized' : status === 403 ? 'foreign_host' : 'runtime_unavailable';
  const said =
    status === 401
      ? `${address.url} does not accept this key.`
      : `The runtime at ${address.url} refused the connection (HTTP ${status}).`;
  return new WeirError(code, said);
}

function unreachable(address: Address, error: Error): WeirError {
  return new WeirError(
    'runtime_unavailable',
    unreachableSentence(address.url, (error as NodeJS.ErrnoException).code ?? error.message),
    undefined,
    error,
  );
}

/** Codes of Node for a certificate whose chain does not end at an authority that this machine trusts. */
const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
]);

/**
 * Why there is no connection, in a sentence or two: a server that is down, one whose certificate is wrong, and a name that
 * leads nowhere are mended differently.
 * @param code of Node's error, or its message
 */
export function unreachableSentence(url: string, code: string): string {
  if (untrusted.has(code)) {
    return `The certificate of ${url} is not trusted. Have an authority that this machine trusts sign it, or name its own in NODE_EXTRA_CA_CERTS.`;
  }
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${url} has expired. Renew it on the server.`;
    case 'CERT_NOT_YET_VALID':
      return `The certificate of ${url} is not valid yet. Compare the clocks of this machine and the server.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return `The certificate of ${url} is for another name. Use the name that it was made for.`;
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return `${url} does not speak TLS. Use the address of its https:// port.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name in ${url} could not be resolved. Check the address and the network.`;
    case 'ECONNREFUSED':
      return `Nothing listens at ${url}. Start the server, or check the address.`;
    default:
      return `${url} did not answer (${code}). Check the address and the network.`;
  }
}
