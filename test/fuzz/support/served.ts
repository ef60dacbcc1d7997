/** What every test of a running runtime asks. */
import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { TestRuntime } from '../../support/runtime.ts';

/** The longest that any answer takes on a loaded machine, in ms. */
const longestMs = 15_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** By `node:http`, which sends what `fetch` would mend or refuse. Rejects when no answer comes in time. */
export function ask(
  url: string | URL,
  options: RequestOptions,
  body: string | Uint8Array = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, timeout: longestMs, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
        }),
      );
    });
    sent.on('timeout', () => sent.destroy(new Error(`No answer in ${longestMs} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Nothing smaller is looked for on a runtime that has gone: each would seem to be the cause.
 * @throws what `fc.pre` throws
 */
export async function unlessGone(runtime: TestRuntime): Promise<void> {
  fc.pre(await serves(runtime));
}

export async function expectServing(runtime: TestRuntime): Promise<void> {
  expect((await serves(runtime)) || runtime.output()).toBe(true);
}

async function serves({ url }: TestRuntime): Promise<boolean> {
  try {
    return (await ask(new URL('/v1/health', url), {})).status === 200;
  } catch {
    return false;
  }
}
