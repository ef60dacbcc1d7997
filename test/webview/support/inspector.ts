import { parsePageMessage } from '../../../src/extension/inspector/page-message.ts';
import type { EmittedEvent } from '../../../src/protocol/catalogue.ts';
import type {
  HostMessage,
  InspectedDelivery,
  InspectedRun,
  PageMessage,
  PageState,
} from '../../../src/webview/inspector/messages.ts';
import * as make from '../../unit/extension/make.ts';
import { loadPage, type ShownPage } from './page.ts';

export type ShownInspector = ShownPage<PageMessage, HostMessage, PageState>;

export const at = Date.UTC(2026, 10, 20, 21, 4, 5, 6);
const subject = { runtime: '/w/.weir', emitterId: 'dc_0000001', eventId: '1-0' };

/** The page before it has received anything. */
export function loadInspector(): Promise<ShownInspector> {
  return loadPage({ bundle: 'inspector', parse: parsePageMessage });
}

/** The page with this event on it, and nothing else yet. */
export async function showEvent(event: EmittedEvent): Promise<ShownInspector> {
  const shown = await loadInspector();
  await shown.say({ t: 'event', subject, event, emitter: 'Orders' });
  await shown.page.locator('h1').waitFor();
  return shown;
}

export const order = make.event({
  indexed_at_ms: at,
  event: {
    id: 42,
    customer: { name: 'Ada <b>Lovelace</b>', vip: true, note: null },
    items: [
      { sku: 'weir-1', count: 2, price: 9.5 },
      { sku: 'weir-2', count: 1, price: 120 },
    ],
    text: 'A long story. '.repeat(30),
  },
  metadata: {
    emit_id: 'e',
    name: 'paid',
    emitter_id: 'dc_0000001',
    id: 42,
    summary: 'Order 42 from Ada',
    ts: at - 1000,
  },
});

const body = JSON.stringify(order.event);

export const run: InspectedRun = {
  ...make.invocation({ started_at: at - 14, ended_at: at, emitted_count: 1 }),
  trigger: {
    kind: 'http',
    prop: 'http',
    method: 'POST',
    url: 'http://127.0.0.1:4567/h/hi_abc1234/orders?test=1',
    path: '/orders',
    query: 'test=1',
    headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.7.1' },
    client_ip: '127.0.0.1',
    body,
    body_encoding: 'utf8',
    body_bytes: body.length,
    raw_body_url: null,
  },
  stackLinks: [],
  logs: (['info', 'warn', 'error'] as const).map((level, n) => ({
    id: n,
    ts: at - 10 + n,
    source_id: 'dc_0000001',
    invocation_id: 'inv_1',
    kind: 'console' as const,
    level,
    text: `${level} line\nof the run`,
  })),
};

export const attempt = (status: number | null): InspectedDelivery['attempts'][number] => ({
  at,
  request: {
    method: 'POST',
    url: 'https://example.com/events',
    headers: { 'webhook-id': 'msg_1' },
    body,
  },
  response:
    status === null ? null : { status, headers: { 'content-type': 'text/plain' }, body: 'thanks' },
  manual: false,
  timing: { dns_ms: null, connect_ms: 2, tls_ms: null, first_byte_ms: 29, total_ms: 31 },
  error: status === null ? { class: 'connect', message: 'connect ECONNREFUSED' } : null,
});

export const deliveries: readonly InspectedDelivery[] = [
  { ...make.delivery({}), webhook: 'Warehouse', attempts: [attempt(null), attempt(200)] },
  {
    ...make.delivery({ id: 'del_2', status: 'exhausted', last_status: 503 }),
    webhook: 'Billing',
    attempts: [attempt(503)],
  },
  {
    ...make.delivery({ id: 'del_3', status: 'retrying', next_attempt_at: at + 5000 }),
    webhook: null,
    attempts: [],
  },
];

/** Everything about {@link order}. */
export async function showOrder(): Promise<ShownInspector> {
  const shown = await showEvent(order);
  const of = order.id;
  await shown.say({ t: 'neighbours', of, newer: true, older: true });
  await shown.say({ t: 'run', of, run });
  await shown.say({ t: 'deliveries', of, deliveries });
  const emitted = Array.from({ length: 48 }, (_, n) => (n * 7) % 13);
  const failed = emitted.map((count) => (count === 12 ? 2 : 0));
  await shown.say({
    t: 'activity',
    of,
    activity: { from: at, bucket_ms: 1_800_000, emitted, failed },
  });
  await shown.page.getByText('in the last 24 hours').first().waitFor();
  return shown;
}
