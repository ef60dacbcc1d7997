/** Reached through a tunnel: endpoints under any Host, everything else only from this machine. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { conformanceWorld, endpointOf } from './conformance/world.ts';
import { temporaryFolder } from './support/folder.ts';
import { runCli } from './support/cli.ts';

const world = conformanceWorld('--public-url', 'https://tunnel.example.com/');

const code = `export default { name: 'Reachable', props: { http: { type: '$.interface.http', customResponse: true } },
  run(event) { this.http.respond({ status: 200, body: { endpoint: this.http.endpoint, url: event.url } }); } }`;

/** A request as the tunnel's near end makes it. */
async function through(path: string, headers: Record<string, string>) {
  const { port } = new URL(world.runtime.url);
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode as number, body: await text(response) };
}

test('the public URL is what sources show and hear of themselves', async () => {
  const source = await world.deploy(code);
  const endpoint = endpointOf(source);
  expect(endpoint).toMatch(/^https:\/\/tunnel\.example\.com\/h\/hi_\w{7}$/);
  expect(source.configured_props['http']).toEqual({ endpoint_url: endpoint });
  const listed = await world.runtime.weirJson<Source>('describe', source.id);
  expect(listed.endpoint_url).toBe(endpoint);

  const host = { host: 'tunnel.example.com' };
  const answer = await through(`${new URL(endpoint).pathname}/orders?x=1`, host);
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual({
    endpoint,
    url: expect.stringMatching(/tunnel\.example\.com\/h\/hi_\w{7}\/orders\?x=1$/),
  });
});

test.each(['/v1/sources', '/v1/health', '/v1/openapi.json', '/rpc', '/', '/h', '/v1/../h/'])(
  '%s is refused under a foreign Host, with the key too',
  async (path) => {
    const authorization = `Bearer ${world.runtime.apiKey}`;
    const answer = await through(path, { host: 'tunnel.example.com', authorization });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'foreign_host' });
    expect(answer.body).not.toContain(world.runtime.apiKey);
  },
);

test.each(['not a url', 'ftp://example.com', 'javascript:alert(1)'])(
  '--public-url %j is refused',
  async (url) => {
    const folder = await temporaryFolder();
    const run = await runCli(['serve', '--data', folder, '--public-url', url], {
      configFolder: folder,
    });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(url) });
  },
);
