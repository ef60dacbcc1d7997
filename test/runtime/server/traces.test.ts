/** What a collector of OpenTelemetry gets: a server of our own that reads OTLP's JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEndOfTest } from '../../support/at-end.ts';
import { sourceFile, temporaryFolder } from '../../support/folder.ts';
import { post } from '../../support/post.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startRuntime } from '../../support/runtime.ts';
import { until } from '../../support/until.ts';

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

async function startCollector() {
  const spans: OtlpSpan[] = [];
  const bodies: string[] = [];
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    paths.add(request.url ?? '');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      bodies.push(text);
      const { resourceSpans } = JSON.parse(text) as OtlpBody;
      for (const { scopeSpans } of resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEndOfTest(() => new Promise<void>((closed) => void server.close(() => closed())));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, bodies, paths };
}

const attribute = (span: OtlpSpan | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

test('a run, the delivery of its event and the execution that it triggers are one trace', async () => {
  const collector = await startCollector();
  const receiver = await startReceiver();
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder, args: ['--traces', collector.url] });
  await runtime.weirJson('env', 'set', 'SHOP_TOKEN', 'open-sesame-12345');
  const file = await sourceFile(
    folder,
    'orders.mjs',
    `export default { name: 'Orders', props: { http: '$.interface.http' },
  run({ body }) { this.$emit(body, { summary: 'private-summary' }); } }`,
  );
  const source = await runtime.weirJson<{ id: string; endpoint_url: string }>('deploy', file);
  const webhook = await runtime.restData<{ id: string }>('POST', '/v1/webhooks', {
    url: receiver.url,
  });
  await runtime.restData('POST', '/v1/subscriptions', {
    emitter_id: source.id,
    listener_id: webhook.id,
  });
  await mkdir(join(folder, 'bill', 'fails'), { recursive: true });
  await writeFile(
    join(folder, 'bill', 'workflow.yaml'),
    `schema: workflow/2022.04
name: Bill
triggers:
  - id: ${source.id}
steps:
  - { namespace: fails, uses: ./fails/entry.mjs }
`,
  );
  await writeFile(
    join(folder, 'bill', 'fails', 'entry.mjs'),
    `export default defineComponent({ run() { throw new Error('No ' + process.env.SHOP_TOKEN); } });`,
  );
  await runtime.weirJson('deploy', join(folder, 'bill'));
  await post(source.endpoint_url, { customer: 'private-customer' });

  const named = (name: string) => collector.spans.find((span) => span.name === name);
  await until('all spans', () =>
    ['run Orders', 'deliver', 'execution Bill', 'step fails'].every((name) => named(name)),
  );
  const run = named('run Orders');
  expect([...collector.paths]).toEqual(['/v1/traces']);
  expect(attribute(run, 'weir.run.status')).toBe('succeeded');
  expect(attribute(run, 'weir.emitter.id')).toBe(source.id);
  expect(run?.parentSpanId).toBeUndefined();
  for (const name of ['deliver', 'execution Bill']) {
    expect([named(name)?.traceId, named(name)?.parentSpanId]).toEqual([run?.traceId, run?.spanId]);
  }
  const step = named('step fails');
  expect(step?.parentSpanId).toBe(named('execution Bill')?.spanId);
  expect(step?.status).toEqual({ code: 2, message: 'No [SHOP_TOKEN]' });
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of collector.spans) {
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
  }
  expect(collector.bodies.join()).not.toMatch(/private-|open-sesame|\/h\//);
});

test('a collector that is gone holds nothing up, and is told of once', async () => {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder, args: ['--traces', 'http://127.0.0.1:9'] });
  const file = await sourceFile(
    folder,
    'orders.mjs',
    `export default { name: 'Orders', props: { http: { type: '$.interface.http', customResponse: true } },
  run() { this.http.respond({ status: 201, body: 'ok' }); } }`,
  );
  const source = await runtime.weirJson<{ endpoint_url: string }>('deploy', file);
  expect((await post(source.endpoint_url, {})).status).toBe(201);
  await until('the warning', () => runtime.output().includes('Traces are not sent: '));
  expect((await post(source.endpoint_url, {})).status).toBe(201);
  expect(await runtime.stop()).toBe(0);
  expect(runtime.output().split('Traces are not sent: ')).toHaveLength(2);
});

test('what is no address is refused at the start', async () => {
  const folder = temporaryFolder();
  await expect(startRuntime({ folder, args: ['--traces', 'collector'] })).rejects.toThrow(
    '"collector" is not a URL; --traces takes that of an OTLP collector, such as http://127.0.0.1:4318.',
  );
});
