import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface PhaseRequest {
  readonly seconds: number;
}

export interface Phase {
  /** Requests sent and answered with 200. */
  readonly operations: number;
  /** From the first request sent to the last answer. */
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers per connection since the generator started; see `payloadId` for the ids they stand for. */
  readonly acknowledged: readonly number[];
}

export type PhaseResult = Phase | { readonly failed: string };

export interface LoadGenerator {
  /** Keeps every connection busy for so long. Rejects when any request was not answered with 200. */
  run(seconds: number): Promise<Phase>;
  stop(): void;
}

export async function startLoad(url: string, connections: number): Promise<LoadGenerator> {
  const child = fork(join(import.meta.dirname, 'load.mts'), [url, String(connections)]);
  const next = async (): Promise<unknown> => {
    const ended = new AbortController();
    const gone = once(child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('The load generator ended early.');
    });
    try {
      const [message] = (await Promise.race([once(child, 'message'), gone])) as [unknown];
      return message;
    } finally {
      gone.catch(() => undefined);
      ended.abort();
    }
  };
  await next();
  return {
    run: async (seconds) => {
      child.send({ seconds } satisfies PhaseRequest);
      const result = (await next()) as PhaseResult;
      if ('failed' in result) throw new Error(result.failed);
      return result;
    },
    stop: () => child.kill(),
  };
}
