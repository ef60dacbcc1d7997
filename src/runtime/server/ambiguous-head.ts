/** Heads that two servers in a row may read in two ways: where one request ends, and whose it is. */
import type { IncomingMessage } from 'node:http';
import { WeirError } from '../../protocol/errors.ts';

/** Why such a request is not answered, and its connection closed (RFC 9112, 3.2 and 6.1). */
export function ambiguousHead({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): WeirError | undefined {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) return refused('has more than one Host header. Send one.');
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    return refused('is HTTP/1.0 and has Transfer-Encoding. Send Content-Length, or use HTTP/1.1.');
  }
  return undefined;
}

function refused(why: string): WeirError {
  return new WeirError('bad_input', `The request ${why}`);
}
