/** The answer of a step, as the store keeps it (pure). */
import { isUtf8 } from 'node:buffer';
import type { GivenResponse } from '../../../protocol/catalogue.ts';
import type { HostResponse } from '../../../protocol/host.ts';

/** How many bytes of a body are kept. */
const keptBytes = 64 * 1024;

/** @param path of the step @returns JSON text of a `GivenResponse` */
export function keptResponse({ status, headers, body }: HostResponse, path: string): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  const response: GivenResponse = {
    path,
    status,
    headers: { ...headers },
    body: bytes.toString(encoding, 0, keptBytes),
    body_encoding: encoding,
    body_bytes: bytes.length,
  };
  return JSON.stringify(response);
}
