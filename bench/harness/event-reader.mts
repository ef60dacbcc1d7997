import { setTimeout as pause } from 'node:timers/promises';

/** Reads a stream of events, and goes on where it was when the server comes back. */
export interface EventReader {
  /** How often each payload came, by the number in its id. */
  readonly times: ReadonlyMap<number, number>;
  stop(): void;
}

/** @param address asked anew at each connection */
export function readEvents(
  address: () => Promise<{ readonly url: string; readonly apiKey: string }>,
  source: string,
): EventReader {
  const times = new Map<number, number>();
  const stopped = new AbortController();
  let last: string | undefined;
  const message = (text: string): void => {
    const id = /^id: (.+)$/m.exec(text)?.[1];
    const number = /"id":"\d{4}-(\d{9})"/.exec(text)?.[1];
    if (id === undefined || number === undefined) return;
    last = id;
    times.set(Number(number), (times.get(Number(number)) ?? 0) + 1);
  };
  const read = async (): Promise<void> => {
    const { url, apiKey } = await address();
    const response = await fetch(`${url}/v1/sources/${source}/sse`, {
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(last !== undefined && { 'last-event-id': last }),
      },
      signal: stopped.signal,
    });
    if (!response.ok || response.body === null) throw new Error(`${response.status}`);
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const messages = (rest + text).split('\n\n');
      rest = messages.pop() ?? '';
      messages.forEach(message);
    }
  };
  void (async () => {
    while (!stopped.signal.aborted) {
      await read().catch(() => undefined);
      await pause(500);
    }
  })();
  return { times, stop: () => stopped.abort() };
}
