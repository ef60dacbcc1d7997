import { expect } from 'vitest';
import { type AtEnd, atEndOfTest } from './at-end.ts';
import type { TestRuntime } from './runtime.ts';

export interface SseMessage {
  readonly id: string;
  readonly data: unknown;
}

/** Reads a stream as EventSource would; the returned list grows until the runtime or the test ends. */
export async function readStream(
  runtime: Pick<TestRuntime, 'url' | 'apiKey'>,
  path: string,
  lastEventId?: string,
  atEnd: AtEnd = atEndOfTest,
): Promise<readonly SseMessage[]> {
  const leave = new AbortController();
  atEnd(() => leave.abort());
  const headers = {
    authorization: `Bearer ${runtime.apiKey}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const response = await fetch(new URL(path, runtime.url), { headers, signal: leave.signal });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const messages: SseMessage[] = [];
  const consume = async (): Promise<void> => {
    let text = '';
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const one of whole) {
        const id = /^id: (.*)$/m.exec(one)?.[1];
        const data = /^data: (.*)$/m.exec(one)?.[1];
        if (id !== undefined && data !== undefined) messages.push({ id, data: JSON.parse(data) });
      }
    }
  };
  // A killed runtime cuts it off.
  consume().catch(() => undefined);
  return messages;
}
