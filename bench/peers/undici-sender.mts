/**
 * The baseline of delivery: undici's `request`, one in flight per target, nothing kept. Says
 * `{ready}`; a message sends.
 */
import { Agent } from 'undici';
import { payload, payloadId } from '../harness/payload.mts';

export interface SendRequest {
  readonly urls: readonly string[];
  readonly each: number;
}

export interface SendResult {
  readonly elapsedMs: number;
}

const agent = new Agent();
const body = payload(payloadId(0, 0));

async function sendTo(url: string, count: number): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  for (let n = 0; n < count; n += 1) {
    const answer = await agent.request({
      origin,
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (answer.statusCode !== 200) throw new Error(`A target answered ${answer.statusCode}.`);
    await answer.body.text();
  }
}

process.on('message', ({ urls, each }: SendRequest) => {
  const startedAt = performance.now();
  Promise.all(urls.map((url) => sendTo(url, each))).then(
    () => process.send?.({ elapsedMs: performance.now() - startedAt } satisfies SendResult),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.send?.({ ready: true });
