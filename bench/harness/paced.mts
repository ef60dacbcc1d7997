import { Agent } from 'undici';
import { payload, payloadId } from './payload.mts';

/**
 * Posts `perSecond` bodies a second, evenly, whatever the answers take. Resolves with how many, when
 * all are answered; rejects when one was not answered with 200.
 */
export async function postPaced(url: string, perSecond: number, seconds: number): Promise<number> {
  const { origin, pathname: path } = new URL(url);
  const agent = new Agent({ connections: 16 });
  const count = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  const post = async (n: number): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const body = payload(payloadId(0, n));
    const answer = await agent.request({ origin, path, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200)
      throw new Error(`A request was answered with ${answer.statusCode}.`);
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(count, ((performance.now() - startedAt) * perSecond) / 1000);
      while (answers.length < due) answers.push(post(answers.length));
      if (answers.length < count) return;
      clearInterval(timer);
      resolve();
    }, 2);
  });
  await Promise.all(answers);
  await agent.close();
  return count;
}
