import http from 'node:http';
import https from 'node:https';
import { contentDecoder, isTooLong } from '../../protocol/content-encoding.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { PreparedRequest } from './prepare-request.ts';

/** The answer to a request. */
export interface Answer {
  readonly httpVersion: string;
  readonly status: number;
  /** As the server wrote it, such as `Not Found`. */
  readonly reason: string;
  /** In the order and spelling they came in. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Decoded; the first `keptBytes` of it. */
  readonly body: Uint8Array;
  /** How long the body was on its way here, all of it. */
  readonly bytes: number;
  /** Whether there was more than is in `body`. */
  readonly isCut: boolean;
  /** From the first byte sent to the last one received, in ms. */
  readonly ms: number;
}

/** How much of a body is kept: an editor cannot show more than that well. */
export const keptBytes = 1024 * 1024;
/** Longer than a run may take unless that was changed; `# @timeout` changes it for a request. */
const defaultTimeoutMs = 600_000;
/** Their values follow from what is sent. */
const computed = new Set(['content-length', 'transfer-encoding', 'connection']);

/**
 * Sends a request just as it is written, follows no redirect, and reads the answer to its end.
 * @throws WeirError('cancelled') when the signal aborts, WeirError('runtime_unavailable') without an answer,
 *   WeirError('bad_input') for headers that HTTP does not know
 */
export async function sendRequest(
  request: PreparedRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Answer> {
  const limit = new AbortController();
  const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
  const forget = clock.after(timeoutMs, () => limit.abort());
  const begun = clock.now();
  try {
    const received = await exchange(request, AbortSignal.any([signal, limit.signal]));
    return { ...(await decoded(received)), ms: clock.now() - begun };
  } catch (error) {
    if (signal.aborted) throw new WeirError('cancelled', 'Sending was cancelled.');
    if (limit.signal.aborted) {
      throw new WeirError(
        'runtime_unavailable',
        `${request.url} did not answer within ${timeoutMs / 1000} s; "# @timeout 1200" above the request waits longer.`,
      );
    }
    if (WeirError.is(error)) throw error;
    throw new WeirError('runtime_unavailable', `${request.url}: ${messageOf(error)}`);
  } finally {
    forget();
  }
}

type Received = Omit<Answer, 'ms'>;

function exchange(request: PreparedRequest, signal: AbortSignal): Promise<Received> {
  return new Promise((resolve, reject) => {
    const url = new URL(request.url);
    const { request: open } = url.protocol === 'https:' ? https : http;
    const options = {
      method: request.method,
      headers: headersOf(request),
      // A connection that is kept may be one to a runtime that has ended.
      agent: false as const,
      signal,
    };
    const sent = open(url, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        const free = keptBytes - bytes;
        if (free > 0) chunks.push(chunk.subarray(0, free));
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          httpVersion: response.httpVersion,
          status: response.statusCode ?? 0,
          reason: response.statusMessage ?? '',
          headers: pairsOf(response.rawHeaders),
          body: Buffer.concat(chunks),
          bytes,
          isCut: bytes > keptBytes,
        });
      });
    });
    sent.on('error', reject);
    sent.end(request.body);
  });
}

/** A header that occurs twice is sent twice. */
function headersOf({ headers, body }: PreparedRequest): Record<string, string[]> {
  const all = new Map<string, { readonly name: string; readonly values: string[] }>();
  // Node adds it to the methods only that mostly have a body.
  if (body.length > 0) {
    all.set('content-length', { name: 'content-length', values: [String(body.length)] });
  }
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    if (computed.has(key)) continue;
    try {
      http.validateHeaderName(name);
      http.validateHeaderValue(name, value);
    } catch {
      throw new WeirError(
        'bad_input',
        `The header "${name}" has characters that HTTP does not take.`,
      );
    }
    const known = all.get(key) ?? { name, values: [] };
    known.values.push(value);
    all.set(key, known);
  }
  return Object.fromEntries([...all.values()].map(({ name, values }) => [name, values]));
}

function pairsOf(raw: readonly string[]): { name: string; value: string }[] {
  return raw.flatMap((name, n) => (n % 2 === 0 ? [{ name, value: raw[n + 1] ?? '' }] : []));
}

/** A body that is cut off or does not decode stays as it came. */
async function decoded(received: Received): Promise<Received> {
  const encoding = headerOf(received.headers, 'content-encoding');
  const decode = encoding === undefined ? undefined : contentDecoder(encoding);
  if (decode === undefined || received.isCut || received.body.length === 0) return received;
  try {
    return { ...received, body: await decode(received.body, keptBytes) };
  } catch (error) {
    return isTooLong(error) ? { ...received, isCut: true } : received;
  }
}

/** The value of a header, whatever its spelling. @param name in small letters */
export function headerOf(headers: Answer['headers'], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}
