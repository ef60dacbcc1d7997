import { StringDecoder } from 'node:string_decoder';
import { Agent, type Dispatcher } from 'undici';
import type { AttemptPhases, AttemptRecord } from '../store/domain/attempts.ts';
import { failureOf, failureOfThrown, type Answer, type Failure } from './failure.ts';
import { type Clock, phasesOf, tenths, timedConnector } from './phases.ts';

/** Bytes of an answer's body that are kept. */
const keptBytes = 20 * 1024;

export interface Sent {
  readonly answer: Answer | null;
  readonly failure: Failure | undefined;
  readonly totalMs: number;
  readonly phases: AttemptPhases;
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
  const connector = timedConnector(timeoutMs);
  const agent = new Agent({ connect: connector.connect, headersTimeout: 0, bodyTimeout: 0 });
  const inFlight = new Set<AbortController>();
  const cut = new Error('cut off');

  async function exchange(request: AttemptRecord['request'], signal: AbortSignal, clock: Clock) {
    const url = new URL(request.url);
    const { headers, body } = request;
    const path = url.pathname + url.search;
    try {
      const response = await connector.during(clock, () =>
        agent.request({ origin: url.origin, path, method: 'POST', headers, body, signal }),
      );
      clock.answered = performance.now();
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
      const clock: Clock = { start: performance.now() };
      const result = await exchange(request, controller.signal, clock);
      clearTimeout(timer);
      inFlight.delete(controller);
      if (controller.signal.reason === cut) return undefined;
      const totalMs = tenths(performance.now() - clock.start);
      return { ...result, totalMs, phases: phasesOf(clock) };
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
