/** What the page on webhooks shows is true: its receiver tells a delivery of Weir from a request of a stranger. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/editor/free-port.mts';
import type { Source, Webhook } from '../../src/protocol/catalogue.ts';
import { gather } from '../support/cli.ts';
import { inbox } from './support/components.ts';
import { useRuntime } from '../support/runtime.ts';
import { until } from '../support/until.ts';

const runtime = useRuntime();

test('the receiver of the page takes what is signed, and nothing else', async () => {
  const page = await readFile('docs/how-to/send-events-to-a-webhook.md', 'utf8');
  const [, code = ''] = /```js\n(\/\/ receiver\.mjs[^]*?)```/.exec(page) ?? [];
  const port = await freePort();
  const file = join(runtime.folder, 'receiver.mjs');
  await writeFile(
    file,
    code.replace('.listen(8080)', `.listen(${port}, () => console.log('ready'))`),
  );

  const url = `http://127.0.0.1:${port}/`;
  const webhook = await runtime.weirJson<Webhook & { signing_secret: string }>(
    'webhooks',
    'create',
    url,
  );
  const env = { ...process.env, SECRET: webhook.signing_secret };
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void receiver.kill('SIGKILL'));
  const printed = gather(receiver.stdout);
  await until('the receiver', () => printed().includes('ready'));

  const stranger = { 'x-pd-signature': `t=1,v1=${'0'.repeat(64)}` };
  const answers = [{}, stranger].map((headers) => fetch(url, { method: 'POST', headers }));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401]);

  const path = await runtime.file('inbox.mjs', inbox);
  const source = await runtime.weirJson<Source>('deploy', path);
  await runtime.weirJson('subscriptions', 'create', source.name_slug, webhook.id);
  await fetch(source.endpoint_url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"n":"signed"}',
  });
  await until(`the event in ${printed()}`, () => printed().includes('signed'));
});
