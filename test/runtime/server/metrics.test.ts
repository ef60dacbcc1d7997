/** What Prometheus reads: numbers that follow what happens, for whoever has a key. */
import { expect, test } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { ask } from '../support/ask.ts';
import { deployInbox, serveOutside } from './served.ts';

/** By name with its labels in the order of the alphabet. */
function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const sorted = labels.split(/,(?=\w+=)/).toSorted();
      return [labels === '' ? name : `${name}{${sorted.join(',')}}`, Number(value)];
    }),
  );
}

test('counts from the first scrape on: events, runs, deliveries, requests, queues, process', async () => {
  const receiver = await startReceiver();
  const served = await serveOutside('read');
  const { runtime, key } = served;
  const path = await deployInbox(served);
  const [source] = await runtime.weirJson<{ id: string }[]>('list');
  const emitter = source?.id ?? '';
  const webhook = await runtime.restData<{ id: string }>('POST', '/v1/webhooks', {
    url: receiver.url,
  });
  const listener = { emitter_id: emitter, listener_id: webhook.id };
  await runtime.restData('POST', '/v1/subscriptions', listener);

  expect((await ask(`${runtime.url}/metrics`)).status).toBe(401);
  const scrape = async () => {
    const { status, headers, body } = await ask(`${runtime.url}/metrics`, { key });
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    return parse(body);
  };
  const first = await scrape();
  expect(first.get('weir_info{version="0.1.0"}')).toBe(1);
  expect(first.get(`weir_emitter_info{emitter="${emitter}",kind="source",name="Inbox"}`)).toBe(1);
  expect(first.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(first.has(`weir_events_total{emitter="${emitter}"}`)).toBe(false);

  for (let n = 0; n < 3; n += 1) await ask(runtime.url + path, { method: 'POST', body: 'x' });
  await ask(`${runtime.url}/v1/nothing`, { key });
  const client = await runtime.connect();
  await client.call('users.me', {});
  const slow = ask(`${runtime.url}${path}?wait=1500`, { method: 'POST', body: 'x' });
  const busy = await until('a run that goes on', async () => {
    const seen = await scrape();
    return seen.get('weir_queue_depth{of="runs",state="running"}') === 1 && seen;
  });
  expect(busy.get('weir_clients')).toBeGreaterThanOrEqual(1);
  expect(busy.get('weir_component_processes')).toBeGreaterThanOrEqual(1);
  await slow;
  const delivered = `weir_delivery_attempts_total{status="delivered",webhook="${webhook.id}"}`;
  const last = await until('all deliveries', async (seen) => {
    const now = await scrape();
    return seen(now.get(delivered)) === 4 && now;
  });
  expect(last.get(`weir_events_total{emitter="${emitter}"}`)).toBe(4);
  expect(last.get(`weir_runs_total{emitter="${emitter}",status="succeeded"}`)).toBe(4);
  expect(last.get('weir_run_duration_seconds_count{kind="source"}')).toBe(4);
  expect(last.get('weir_run_duration_seconds_sum{kind="source"}')).toBeGreaterThan(1.4);
  expect(last.get('weir_requests_duration_seconds_count{face="endpoint",status="2xx"}')).toBe(4);
  expect(last.get('weir_requests_duration_seconds_count{face="rest",status="4xx"}')).toBe(1);
  expect(
    last.get('weir_requests_duration_seconds_count{face="rpc",status="2xx"}'),
  ).toBeGreaterThanOrEqual(1);
  expect(last.get('weir_queue_depth{of="runs",state="running"}')).toBe(0);
  expect(last.get('weir_queue_depth{of="deliveries",state="waiting"}')).toBe(0);

  await runtime.restData('PUT', `/v1/sources/${emitter}`, { name: 'Re\u001B[31md\u0007' });
  const { body: named } = await ask(`${runtime.url}/metrics`, { key });
  expect(named).toContain(String.raw`name="Re\\u001b[31md\\u0007"`);
  expect(named).not.toContain('\u001B');

  await runtime.rest('DELETE', `/v1/sources/${emitter}`);
  const after = await scrape();
  expect([...after.keys()].filter((name) => name.includes(emitter))).toEqual([]);
});
