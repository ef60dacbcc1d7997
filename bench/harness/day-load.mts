/** A day's requests, compressed: more of them by day than by night, and repeated until they are answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { payload, payloadId } from './payload.mts';

/** The share of a day's requests that is due by an hour of it, 0 to 24: nine times as many a minute at 14:00 as at 2:00. */
export function dueBy(hour: number): number {
  const turn = (at: number) => Math.sin((2 * Math.PI * (at - 2)) / 24);
  return (hour - ((0.8 * 12) / Math.PI) * (turn(hour) - turn(0))) / 24;
}

/** What became of the requests to one address. */
export interface Sent {
  readonly requests: number;
  /** Numbers of those that were sent more than once, as a sender of webhooks does that got no answer. */
  readonly again: ReadonlySet<number>;
  /** Of each answer, from the last time that its request was sent. */
  readonly latencies: readonly number[];
}

/**
 * Sends `requests` in 24 hours of `hourSeconds`. Resolves when all are answered; rejects when one is answered with anything
 * but 200 or 503.
 * @param sender who it is in the ids of the payloads
 * @param check throws when the body of an answer to a request is not what it should be
 */
export async function sendDay(
  url: string,
  sender: number,
  requests: number,
  hourSeconds: number,
  check: (id: string, body: string) => void = () => undefined,
): Promise<Sent> {
  const { origin, pathname: path } = new URL(url);
  const agent = new Agent({ connections: 16 });
  const again = new Set<number>();
  const latencies: number[] = [];
  const send = async (n: number): Promise<void> => {
    const id = payloadId(sender, n);
    const headers = { 'content-type': 'application/json' };
    for (;;) {
      const sentAt = performance.now();
      const answer = await agent
        .request({ origin, path, method: 'POST', headers, body: payload(id) })
        .then(async ({ statusCode, body }) => ({ statusCode, text: await body.text() }))
        .catch(() => undefined);
      if (answer?.statusCode === 200) {
        latencies.push(performance.now() - sentAt);
        check(id, answer.text);
        return;
      }
      if (answer !== undefined && answer.statusCode !== 503)
        throw new Error(`${path} answered ${answer.statusCode} ${answer.text}`);
      again.add(n);
      await pause(1000);
    }
  };
  const answers: Promise<void>[] = [];
  const failures: unknown[] = [];
  const startedAt = performance.now();
  while (answers.length < requests && failures.length === 0) {
    const hour = Math.min(24, (performance.now() - startedAt) / 1000 / hourSeconds);
    const due = hour === 24 ? requests : Math.floor(dueBy(hour) * requests);
    while (answers.length < due) {
      const answer = send(answers.length);
      answer.catch((error: unknown) => failures.push(error));
      answers.push(answer);
    }
    await pause(4);
  }
  await Promise.all(answers);
  await agent.close();
  return { requests, again, latencies };
}
