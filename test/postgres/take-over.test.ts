/** What goes on at the one node and is gone on with at the other: timers, deliveries, pages. */
import { expect, test } from 'vitest';
import type { Page, Source, Webhook } from '../../src/protocol/catalogue.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { post } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import {
  counter,
  deploy,
  emitted,
  endpointPath,
  startNode,
  type TestNode,
} from './support/node.ts';

const postgres = await startPostgres(atEndOfSuite());
const args = ['--lease', '2'];
const quick = counter.replace(', customResponse: true', '').replace(/this\.http\.respond.*/, '');

const say = (node: TestNode, source: Source, said: string) =>
  post(new URL(endpointPath(source), node.url).href, { said });

/** Deploys the counter, and a webhook that is told of its events. */
async function withWebhook(node: TestNode, url: string): Promise<[Source, Webhook]> {
  const source = await deploy(node, quick, 'Counter');
  const hook = await node.restData<Webhook>('POST', '/v1/webhooks', { url });
  const subscription = { emitter_id: source.id, listener_id: hook.id };
  await node.restData('POST', '/v1/subscriptions', subscription);
  return [source, hook];
}

test('(31) each tick of a timer runs once, and they go on after another node has taken over', async () => {
  const url = await postgres.newDatabase();
  const one = await startNode({ url, args });
  const other = await startNode({ url, args });
  const code = `export default {
    name: 'Clock',
    props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } },
    run(event) { this.$emit({ at: event.timestamp }); },
  };`;
  const source = await deploy(one, code, 'Clock');
  const ticks = async (node: TestNode) =>
    ((await emitted(node, source)) as { at: number }[]).map(({ at }) => at);
  await until('ticks', async () => (await ticks(other)).length >= 2);
  await one.kill();
  const before = await until('the other node to answer', () => ticks(other).catch(() => undefined));
  await until(
    'ticks of the other one',
    async () => (await ticks(other)).length >= before.length + 2,
  );
  const all = await ticks(other);
  expect(all).toEqual([...new Set(all)].toSorted((a, b) => a - b));
});

test('(34) a delivery that was under way when its node died is sent again, with the same id', async () => {
  const url = await postgres.newDatabase();
  const receiver = await startReceiver({ answer: () => undefined });
  const one = await startNode({ url, args });
  const other = await startNode({ url, args });
  const [source] = await withWebhook(one, receiver.url);
  expect((await say(other, source, 'hello')).status).toBe(200);
  await until('the first attempt', () => receiver.received.length === 1);
  receiver.answer = () => ({});
  await one.kill();
  await until('the second attempt', () => receiver.received.length === 2);
  const ids = receiver.received.map(({ headers }: Received) => headers['webhook-id']);
  expect(ids[0]).toBeTypeOf('string');
  expect(new Set(ids).size).toBe(1);
  expect(await emitted(other, source)).toHaveLength(1);
});

test('(35) a webhook that was deleted at the one node gets nothing from the other afterwards', async () => {
  const url = await postgres.newDatabase();
  const receiver = await startReceiver();
  const one = await startNode({ url, args });
  const other = await startNode({ url, args });
  const [source, hook] = await withWebhook(one, receiver.url);
  await say(one, source, 'before');
  await until('the delivery', () => receiver.received.length === 1);
  await other.rest('DELETE', `/v1/webhooks/${hook.id}`);
  for (const node of [one, other]) await say(node, source, 'after');
  await expect.poll(() => emitted(other, source)).toHaveLength(3);
  // A second one shows that deliveries go on, and the first one would have been told before it.
  const later = await startReceiver();
  const next = await one.restData<Webhook>('POST', '/v1/webhooks', { url: later.url });
  await one.restData('POST', '/v1/subscriptions', { emitter_id: source.id, listener_id: next.id });
  await say(other, source, 'last');
  await until('the delivery to the second one', () => later.received.length === 1);
  expect(receiver.received).toHaveLength(1);
});

test('(40) old events are removed at the one node while the other one pages: no page has a gap', async () => {
  const url = await postgres.newDatabase();
  const limited = [...args, '--set', 'retention.events=300'];
  const one = await startNode({ url, args: limited });
  const other = await startNode({ url, args: limited });
  const code = `export default {
    name: 'Many',
    props: { http: '$.interface.http', db: '$.service.db' },
    async run() {
      const from = this.db.get('count') ?? 0;
      this.db.set('count', from + 100);
      for (let n = 1; n <= 100; n++) this.$emit({ count: from + n });
    },
  };`;
  const source = await deploy(one, code, 'Many');
  const state = { isOver: false };
  const pages: number[][] = [];
  const paging = (async () => {
    let after = '';
    while (!state.isOver) {
      const path = `/v1/sources/${source.id}/event_summaries?expand=event&limit=50${after}`;
      const { body } = await other.rest('GET', path);
      const { data, page_info: info } = body as Page<{ event: { count: number } }>;
      pages.push(data.map(({ event }) => event.count));
      after = data.length < 50 || info.end_cursor === null ? '' : `&after=${info.end_cursor}`;
    }
  })();
  for (let n = 0; n < 20; n++) expect((await say(one, source, 'x')).status).toBe(200);
  const left = await until('old events to be removed', async (seen) => {
    const counts = ((await emitted(other, source)) as { count: number }[]).map(
      (event) => event.count,
    );
    return seen(counts.at(-1)) === 2000 && counts.length <= 800 && counts;
  });
  state.isOver = true;
  await paging;
  expect(left.length).toBeGreaterThanOrEqual(100);
  // Newest first.
  for (const page of [...pages, left.toReversed()]) {
    const [newest = 0] = page;
    expect(page).toEqual(page.map((_, place) => newest - place));
  }
});
