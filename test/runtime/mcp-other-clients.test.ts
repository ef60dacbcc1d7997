/** Clients that share no code with the server: the inspector's command line, and the protocol's own conformance suite. */
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cliFile } from '../support/cli.ts';
import { conformance, inspector } from '../support/mcp-clients.ts';
import { useRuntime } from '../support/runtime.ts';

const runtime = useRuntime();

const greet = `export default {
  name: 'Greet', key: 'shop-greet', type: 'action', version: '0.0.1',
  props: { who: 'string', times: { type: 'integer', optional: true } },
  run({ $ }) { $.export('$summary', 'Greeted'); return 'Hello ' + this.who; },
};`;

beforeAll(async () => {
  const file = await runtime.file('greet.mjs', greet);
  await runtime.weir('agents', 'offer', file, '--live', 'shop-greet');
});

/** How the inspector is told of a server. */
const servers = {
  stdio: () => [
    '-e',
    `XDG_CONFIG_HOME=${join(runtime.folder, 'config')}`,
    process.execPath,
    cliFile,
    'mcp',
    '--data',
    join(runtime.folder, 'data'),
  ],
  'streamable HTTP': () => [
    `${runtime.url}/mcp`,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${runtime.apiKey}`,
  ],
};

describe.each(['stdio', 'streamable HTTP'] as const)('the inspector over %s', (transport) => {
  const inspect = (...args: string[]) =>
    inspector(runtime.folder, ...servers[transport](), ...args);
  const answered = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await inspect(...args);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
    return JSON.parse(stdout);
  };

  test('lists the tools, and finds no error in their schemas', async () => {
    const listed = await answered('--method', 'tools/list', '--strict');
    expect(listed).toMatchObject({
      tools: expect.arrayContaining([
        expect.objectContaining({ name: 'deploy_source' }),
        expect.objectContaining({ name: 'shop-greet' }),
      ]),
    });
  });

  test('calls tools: one that reads, an action, and one that is refused', async () => {
    const call = (name: string, ...args: string[]) => [
      '--method',
      'tools/call',
      '--tool-name',
      name,
      ...args.flatMap((arg) => ['--tool-arg', arg]),
    ];
    expect(await answered(...call('list', 'what=sources'))).toMatchObject({
      structuredContent: { from: { operation: 'sources.list', untrusted: true }, data: [] },
    });
    expect(await answered(...call('shop-greet', 'who=Ada', 'times=2'))).toMatchObject({
      structuredContent: { data: { return_value: 'Hello Ada', summary: 'Greeted' } },
    });
    const { code, stdout } = await inspect(...call('describe', 'id=dc_nosuch'));
    expect(code).not.toBe(0);
    expect(stdout).toContain('dc_nosuch');
  });

  test('lists resources and prompts, and gets one', async () => {
    expect(await answered('--method', 'resources/list')).toHaveProperty('resources');
    expect(await answered('--method', 'resources/templates/list')).toMatchObject({
      resourceTemplates: expect.arrayContaining([
        expect.objectContaining({ name: 'execution of a workflow' }),
      ]),
    });
    const prompt = ['--prompt-name', 'write_source', '--prompt-args', 'api=GitLab'];
    expect(JSON.stringify(await answered('--method', 'prompts/get', ...prompt))).toContain(
      'GitLab',
    );
  });
});

/** The suite sends no key: what it asks passes here, which adds that, and nothing else is changed. */
async function withKey(): Promise<string> {
  const target = new URL(runtime.url);
  const proxy = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const passed = request({
      host: target.hostname,
      port: target.port,
      path,
      method,
      headers: { ...headers, authorization: `Bearer ${runtime.apiKey}` },
    });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
}

/** Those that ask for no tools, prompts and resources of the suite's own. */
test.each([
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
])('conformance: %s', async (scenario) => {
  const { code, stdout, stderr } = await conformance(runtime.folder, await withKey(), scenario);
  expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(/\b0 failed, 0 warnings/)]);
});
