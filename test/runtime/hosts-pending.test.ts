/** Whether the code of a component waits for something outside its runs: such a process is not ended early. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { event, hostsFor, perform, start } from './hosts-helper.ts';

const hosts = await hostsFor();
const server = createServer((_request, response) => response.end('{}'));
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.for<[string, boolean, string]>([
  ['nothing', false, ''],
  ['a log line and an emit', false, 'console.log(1); this.$emit(1);'],
  ['an answered fetch', false, 'await (await fetch(url)).text();'],
  [
    'an answered request of an agent that keeps its connection',
    false,
    `const http = await import('node:http'); const agent = new http.Agent({ keepAlive: true });
     await new Promise((done) => http.get(url, { agent }, (answer) => answer.resume().on('end', done)));`,
  ],
  ['a timer that does not hold the process', false, 'setInterval(() => {}, 1000).unref();'],
  ['an interval', true, 'setInterval(() => {}, 1000);'],
  ['a timeout', true, 'setTimeout(() => {}, 1e6);'],
  [
    'a server',
    true,
    `const net = await import('node:net'); await new Promise((done) => net.createServer().listen(0, '127.0.0.1', done));`,
  ],
  [
    'an open connection',
    true,
    `const net = await import('node:net'); await new Promise((done) => net.connect(new URL(url).port, '127.0.0.1', done));`,
  ],
  [
    'a program',
    true,
    `const { spawn } = await import('node:child_process'); spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5000)']);`,
  ],
  ['a loop', true, `setTimeout(() => { for (;;); }, 0).unref(); await new Promise(() => {});`],
])('P22.10 after %s: %j', async ([name, isPending, code]) => {
  const source = `export default { async run() { const url = ${JSON.stringify(url)}; ${code} } }`;
  const { host } = await start(hosts, source);
  const run = perform(host, event());
  if (name === 'a loop') await new Promise((resolve) => setTimeout(resolve, 200));
  else await run;
  expect(await host.hasPending()).toBe(isPending);
  host.kill('the test is over');
  expect((await run).error).toBeUndefined();
});

test('a process that has ended waits for nothing', async () => {
  const { host, ended } = await start(hosts, 'export default { run() {} }');
  const asked = host.hasPending();
  host.kill('the test is over');
  await ended;
  expect(typeof (await asked)).toBe('boolean');
  expect(await host.hasPending()).toBe(false);
});
