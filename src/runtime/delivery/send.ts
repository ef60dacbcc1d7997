import { StringDecoder } from 'node:string_decoder';
import { Agent, type Dispatcher } from 'undici';
import type { AttemptRecord } from '../store/store.ts';
import { failureOf, failureOfThrown, type Answer, type Failure } from './failure.ts';

/** Bytes of an answer's body that are kept. */
const keptBytes = 20 * 1024;

export interface Sent {
  readonly answer: Answer | null;
  readonly failure: Failure | undefined;
  readonly totalMs: number;
}

export interface Sender {
  /** Never rejects. Undefined when `close` cut it off: nobody knows whether it arrived. */
  send(request: AttemptRecord['request']): Promise<Sent | undefined>;
  /** Cuts off what is in flight. */
  close(): Promise<void>;
}

/** @param timeoutMs from the start until the last byte of the answer. */
export function createSender(timeoutMs: number): Sender {
  // The one limit over all of it replaces those of the single steps.
  const agent = new Agent({ connect: { timeout: timeoutMs }, headersTimeout: 0, bodyTimeout: 0 });
  const inFlight = new Set<AbortController>();
  const cut = new Error('cut off');

  async function exchange(request: AttemptRecord['request'], url: URL, signal: AbortSignal) {
    try {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: request.headers,
        body: request.body,
        signal,
      });
      const answer: Answer = {
        status: response.statusCode,
        headers: joined(response.headers),
        body: await beginning(response.body),
      };
      return { answer, failure: failureOf(answer) };
    } catch (error) {
      return { answer: null, failure: failureOfThrown(error, url) };
    }
  }

  return {
    async send(request) {
      const controller = new AbortController();
      inFlight.add(controller);
      const timer = setTimeout(() => controller.abort(timedOut(timeoutMs)), timeoutMs);
      const start = performance.now();
      const result = await exchange(request, new URL(request.url), controller.signal);
      clearTimeout(timer);
      inFlight.delete(controller);
      if (controller.signal.reason === cut) return undefined;
      return { ...result, totalMs: Math.round((performance.now() - start) * 10) / 10 };
    },

    async close() {
      for (const controller of inFlight) controller.abort(cut);
      await agent.destroy();
    },
  };
}

function timedOut(ms: number): Error {
  return Object.assign(new Error(`No answer within ${ms} ms`), { code: 'ETIMEDOUT' });
}

/**
 * The head of the answer has decided already, so a body that breaks off or never ends is kept as far
 * as it came.
 */
async function beginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= keptBytes) break;
    }
  } catch {
    // What came is shown; the status counts.
  }
  // A decoder leaves out the half of a character that was cut.
  return new StringDecoder('utf8').write(Buffer.concat(chunks).subarray(0, keptBytes));
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) values[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return values;
}
