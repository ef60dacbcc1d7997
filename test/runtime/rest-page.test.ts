/** docs/rest-api.md: its examples are what a runtime answers to its commands, and no operation is without one. */
import { execFile, spawnSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { curlText } from '../../scripts/docs/example-text.mts';
import { restPage } from '../../scripts/docs/pages.mts';
import { chapters } from '../../scripts/docs/rest-story/chapters.mts';
import type { Exchange, RestRequest } from '../../scripts/docs/rest-story/story.mts';
import { targetOf, tell, type ToldChapter, untold } from '../../scripts/docs/rest-story/tell.mts';
import { createStable } from '../../scripts/docs/stable.mts';
import { startReceiver } from '../support/receiver.ts';
import { useRuntime } from '../support/runtime.ts';
import { needsProgram } from './support/not-run.ts';

const runtime = useRuntime();
let told: readonly ToldChapter[];
let page: string;

beforeAll(async () => {
  const server = await startReceiver({ atEnd: runtime.atEnd });
  const receiver = { url: server.url, status: 200 };
  server.answer = () => ({ status: receiver.status });
  const { url, apiKey, folder } = runtime;
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\ninclude\nnoproxy = "*"\n');
  // The very commands of the page, where that is possible.
  const send = spawnSync('curl', ['--version']).status === 0 ? sendByCurl : sendByFetch;
  const stable = createStable({
    now: Date.now(),
    names: [
      [new URL(url).host, '127.0.0.1:40123'],
      [new URL(receiver.url).host, '127.0.0.1:8080'],
      [join(folder, 'data'), '/home/you/weir/.weir'],
      [folder, '/home/you/weir'],
      [resolve('.'), '/home/you/weir'],
    ],
  });
  told = stable(await tell(chapters, { url, apiKey, receiver, send }));
  page = await restPage(told);
  // A hundred requests, each by a program of its own.
}, 300_000);

test('every operation has an example', () => {
  expect(untold(told)).toEqual([]);
});

test('the page shows what the runtime answers; else run: npm run docs', async () => {
  await expect(page).toMatchFileSnapshot(resolve('docs/rest-api.md'));
});

test('the first commands of the page find the runtime of a folder', async (context) => {
  needsProgram('curl', context);
  const [, commands = ''] = /```sh\n([^]*?)```/.exec(page) ?? [];
  await symlink(join(runtime.folder, 'data'), join(runtime.folder, '.weir'), 'junction');
  const { stdout } = await promisify(execFile)('sh', ['-c', commands], { cwd: runtime.folder });
  expect(JSON.parse(stdout)).toMatchObject({ data: expect.any(Array) });
});

async function sendByCurl(request: RestRequest): Promise<Exchange> {
  const { url, apiKey, folder } = runtime;
  const AUTH = `Authorization: Bearer ${apiKey}`;
  const env = { ...process.env, URL: url, AUTH, CURL_HOME: folder };
  const { stdout } = await promisify(execFile)('sh', ['-c', await curlText(request)], { env });
  const end = stdout.indexOf('\r\n\r\n');
  const head = stdout.slice(0, end);
  const allow = /^allow: (.*?)\r?$/im.exec(head)?.[1];
  return {
    request,
    status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]),
    headers: allow === undefined ? {} : { allow },
    answer: JSON.parse(stdout.slice(end)) as unknown,
  };
}

async function sendByFetch(request: RestRequest): Promise<Exchange> {
  const { url, apiKey } = runtime;
  const response = await fetch(url + targetOf(request), {
    method: request.method,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
  });
  const allow = response.headers.get('allow');
  return {
    request,
    status: response.status,
    headers: allow === null ? {} : { allow },
    answer: await response.json(),
  };
}
