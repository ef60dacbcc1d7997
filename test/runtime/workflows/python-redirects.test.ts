/** Requests of steps in Python to a host that was redirected. */
import { beforeAll, expect, test } from 'vitest';
import { atEndOfSuite } from '../../support/at-end.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Fake, startReceiver } from '../../support/receiver.ts';
import { startRuntime, type TestRuntime } from '../../support/runtime.ts';
import { deployWorkflow, runWorkflow, stepOf } from './script-files.ts';

const atEnd = atEndOfSuite();
let runtime: TestRuntime & { readonly folder: string };
let fake: Fake;

beforeAll(async () => {
  fake = await startReceiver({
    atEnd,
    answer: (asked) => ({ status: 200, body: { url: asked.url, host: asked.headers['host'] } }),
  });
  const folder = temporaryFolder(atEnd);
  const hosts = {
    'api.example.com': fake.url,
    'deep.example.com': `${fake.url}/below`,
    '*.wild.example.com': fake.url,
    'ported.example.com:8443': fake.url,
  };
  const args = Object.entries(hosts).flatMap(([host, url]) => ['--redirect', `${host}=${url}`]);
  runtime = { ...(await startRuntime({ folder, args, atEnd })), folder };
});

async function returned(code: string): Promise<unknown> {
  const workflow = await deployWorkflow(runtime, {
    steps: [{ namespace: 'code', uses: './code/entry.py' }],
    files: { 'code/entry.py': code },
  });
  const execution = await runWorkflow(runtime, workflow);
  expect(execution.error).toBeNull();
  return stepOf(execution, 'code').return_value;
}

const asking = (...urls: readonly string[]) => `
import json, os, urllib.request
def handler(pd):
    answers = []
    for url in ${JSON.stringify(urls)}:
        with urllib.request.urlopen(url, timeout=5) as answer:
            answers.append(json.loads(answer.read()))
    return {"answers": answers, "seen": "WEIR_REDIRECTS" in os.environ}
`;

test('they go where those of JavaScript go, https included, and the server is told the host', async () => {
  const urls = [
    'https://api.example.com/v1/a?b=c',
    'http://api.example.com/plain',
    'https://deep.example.com/v1',
    'https://x.y.wild.example.com/',
    'https://ported.example.com:8443/p',
  ];
  expect(await returned(asking(...urls))).toEqual({
    answers: [
      { url: '/v1/a?b=c', host: 'api.example.com' },
      { url: '/plain', host: 'api.example.com' },
      { url: '/below/v1', host: 'deep.example.com' },
      { url: '/', host: 'x.y.wild.example.com' },
      { url: '/p', host: 'ported.example.com:8443' },
    ],
    seen: false,
  });
});

test('a body arrives whole over a connection that asked for TLS, and what is not redirected is left alone', async () => {
  const code = `
import http.client, json
def handler(pd):
    body = "x" * 300_000
    one = http.client.HTTPSConnection("api.example.com", timeout=5)
    one.request("POST", "/large", body)
    first = one.getresponse().read().decode()
    one.request("GET", "/again")
    second = one.getresponse().read().decode()
    own = http.client.HTTPConnection("127.0.0.1", ${new URL(fake.url).port}, timeout=5)
    own.request("GET", "/own")
    return [json.loads(text)["url"] for text in (first, second, own.getresponse().read().decode())]
`;
  expect(await returned(code)).toEqual(['/large', '/again', '/own']);
  const large = fake.received.find((one) => one.url === '/large');
  expect(large?.body).toHaveLength(300_000);
});
