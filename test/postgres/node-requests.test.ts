/** Requests at several nodes: where they are logged and counted, and that a node which is stopped leaves nobody without an answer. */
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { deployWorkflow, endpointOf, http } from '../runtime/support/workflows.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { temporaryFolder } from '../support/folder.ts';
import { post } from '../support/post.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { startCluster } from './support/cluster.ts';
import { counter, deploy, endpointPath, type TestNode } from './support/node.ts';

const postgres = await startPostgres(atEndOfSuite());

type Line = Readonly<Record<string, unknown>>;

const at = (node: TestNode, source: Source): string => new URL(endpointPath(source), node.url).href;

/** What `/metrics` says of requests to endpoints, by the class of their status. */
async function counted(node: TestNode): Promise<Record<string, number>> {
  const answer = await fetch(new URL('/metrics', node.url), {
    // A connection that begins with it is the leading node's, with all that is asked over it later.
    headers: { authorization: `Bearer ${node.apiKey}`, connection: 'close' },
  });
  const line = /^weir_requests_duration_seconds_count\{face="endpoint",status="(\w+)"\} (\d+)$/gm;
  const found = (await answer.text()).matchAll(line);
  return Object.fromEntries([...found].map(([, status = '', count]) => [status, Number(count)]));
}

test('each node logs the requests that it serves, the metrics count all, and each has a limit of its own', async () => {
  const folder = temporaryFolder();
  const file = (i: number): string => join(folder, `${i}.log`);
  const { nodes, isSpread } = await startCluster(postgres, 2, (i) => [
    '--request-log',
    file(i),
    '--trust-proxy',
    'loopback',
    '--set',
    'limits.endpointPerSecond=0.01',
  ]);
  const [leading, other] = nodes as [TestNode, TestNode];
  const sources = [await deploy(leading, counter, 'a'), await deploy(leading, counter, 'b')];
  await isSpread([1, 1]);
  expect(await counted(other)).toEqual({});
  const from = async (node: TestNode, source: Source): Promise<number> => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    return (await fetch(`${at(node, source)}/in?q=sesame`, { method: 'PUT', headers })).status;
  };
  const [first, second] = sources as [Source, Source];
  for (const source of sources) {
    expect((await post(at(other, source), {})).status).toBe(201);
    expect((await post(at(leading, source), {})).status).toBe(201);
  }
  // One in a hundred seconds, at each node.
  for (const node of nodes)
    expect([await from(node, first), await from(node, first)]).toEqual([201, 429]);
  expect(await from(other, second)).toBe(201);
  await until('all are counted', async (seen) => {
    const { '2xx': ok, '4xx': refused } = seen(await counted(other));
    return ok === 7 && refused === 2;
  });
  // What is said last is told as well.
  expect(await from(other, second)).toBe(429);
  expect(await other.stop()).toBe(0);
  expect(await counted(leading)).toEqual({ '2xx': 7, '4xx': 3 });

  const lines = async (i: number): Promise<Line[]> =>
    (await readFile(file(i), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  const isEndpoint = ({ path }: Line): boolean => path === '/h/';
  const atOther = await lines(1);
  expect(atOther.every(isEndpoint)).toBe(true);
  const line = (method: string, address: string, status: number, { id }: Source) => ({
    at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
    method,
    path: '/h/',
    status,
    ms: expect.any(Number) as unknown,
    address,
    emitter: id,
  });
  expect(atOther).toEqual([
    ...sources.map((source) => line('POST', '127.0.0.1', 201, source)),
    ...[first, second].flatMap((source) =>
      [201, 429].map((status) => line('PUT', '203.0.113.9', status, source)),
    ),
  ]);
  const atLeading = await lines(0);
  expect(atLeading.filter(isEndpoint)).toHaveLength(4);
  // Passed on as it is: the leading node has served it.
  expect(atLeading.some(({ path }) => path === '/metrics')).toBe(true);
  expect(JSON.stringify([atOther, atLeading])).not.toContain('sesame');
});

/** In ms. */
const runMs = 1500;

/** Answers after that. */
const slow = `export default {
  name: 'Slow',
  props: { http: { type: '$.interface.http', customResponse: true } },
  async run(event) {
    await new Promise((resolve) => setTimeout(resolve, ${runMs}));
    this.http.respond({ status: 201, body: { said: event.body.said } });
  },
};`;

/** How many triggers of these are on disk. */
async function taken(url: string, ids: readonly string[]): Promise<number> {
  const rows = await postgres.query(
    `SELECT count(*)::int AS count FROM accepted a JOIN emitters e ON e.row = a.emitter
     WHERE e.id IN (${ids.map((id) => `'${id}'`).join(', ')})`,
    url,
  );
  return Number(rows[0]?.['count']);
}

const refusal = (url: string): Promise<unknown> =>
  fetch(url).then(
    () => false,
    (error: Error) => (error.cause as { code?: string }).code,
  );

for (const which of ['follows', 'leads'] as const) {
  test(`a node that ${which} and is stopped goes on serving those who wait for runs of another node`, async () => {
    const { url: database, nodes, isSpread, ownerOf, left } = await startCluster(postgres, 2);
    const [leading, other] = nodes as [TestNode, TestNode];
    const [stopped, stays] = which === 'leads' ? [leading, other] : [other, leading];
    const sources = [await deploy(leading, slow, 'a'), await deploy(leading, slow, 'b')];
    const workflows = [];
    for (const name of ['x', 'y']) {
      workflows.push(
        await deployWorkflow(leading, {
          name,
          triggers: `${http}\n    response: workflow`,
          steps: {
            answer: `await new Promise((resolve) => setTimeout(resolve, ${runMs}));
              await $.respond({ status: 201, body: { said: steps.trigger.event.body.said } });`,
          },
        }),
      );
    }
    await isSpread([2, 2]);
    const urls: string[] = [];
    const ids: string[] = [];
    for (const source of sources) {
      if ((await ownerOf(source)) !== stays) continue;
      ids.push(source.id);
      urls.push(at(stopped, source));
    }
    for (const workflow of workflows) {
      if ((await ownerOf(workflow)) !== stays) continue;
      ids.push(workflow.id);
      urls.push(new URL(new URL(endpointOf(workflow)).pathname, stopped.url).href);
    }
    expect(urls).toHaveLength(2);
    // Their processes run.
    for (const url of urls) expect((await post(url, { said: 0 })).status).toBe(201);
    const asked = urls.map(async (url, said) => {
      const answer = await post(url, { said });
      return [answer.status, await answer.json()];
    });
    await until('all are taken in', async () => (await taken(database, ids)) === 4);
    const ended = stopped.stop();
    await until(
      'it takes nobody in',
      async (seen) => seen(await refusal(stopped.url)) === 'ECONNREFUSED',
    );
    expect(await Promise.race([...asked, Promise.resolve('no answer yet')])).toBe('no answer yet');
    expect(await Promise.all(asked)).toEqual(urls.map((_, said) => [201, { said }]));
    expect(await ended).toBe(0);
    expect(await left()).toEqual([]);
  });
}

test('a node that is stopped goes on passing on what is asked of the one that leads', async () => {
  const { url: database, nodes } = await startCluster(postgres, 2);
  const [leading, other] = nodes as [TestNode, TestNode];
  const { id } = await deployWorkflow(leading, {
    name: 'x',
    triggers: http,
    steps: { wait: `await new Promise((resolve) => setTimeout(resolve, ${runMs}));` },
  });
  const asked = other.restData('POST', `/v1/workflows/${id}/executions`, { event: {}, wait: true });
  await until('it is taken in', async () => (await taken(database, [id])) === 1);
  const begun = performance.now();
  const ended = other.stop();
  expect(await asked).toMatchObject({ status: 'succeeded' });
  expect(await ended).toBe(0);
  // Nobody waits any more, though the connection is kept for longer.
  expect(performance.now() - begun).toBeLessThan(runMs + 3500);
});

/** Posts over one connection that is kept alive. @returns the status, or the error's code */
function postOver(agent: Agent, url: string): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': 2 };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve('cut'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    sent.end('{}');
  });
}

test('a leading node that stops with a run in flight answers for the sources of others, and never 500', async () => {
  const { nodes, url, isSpread } = await startCluster(postgres, 2);
  const [leading, other] = nodes as [TestNode, TestNode];
  const held = await deploy(leading, slow, 'held');
  const quick = await deploy(leading, counter, 'quick');
  await isSpread([1, 1]);
  const owner = async (source: Source): Promise<unknown> => {
    const sql = `SELECT node FROM emitters WHERE id = '${source.id}'`;
    return (await postgres.query(sql, url))[0]?.['node'];
  };
  // The run in flight is at the leading node, whichever source it has.
  const active = (await postgres.query('SELECT active FROM cluster', url))[0]?.['active'];
  const isHeldThere = (await owner(held)) === active;
  const there = isHeldThere ? held : quick;
  const elsewhere = isHeldThere ? quick : held;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await postOver(agent, at(leading, elsewhere))).toBe(201);
  const inFlight = Array.from({ length: 3 }, () => post(at(leading, there), { said: 'x' }));
  const before = await taken(url, [there.id]);
  await until('the run', async () => (await taken(url, [there.id])) > before - 1);
  const stopped = leading.stop();
  const statuses: (number | string)[] = [];
  const progress = { isStopped: false };
  void stopped.then(() => (progress.isStopped = true));
  while (!progress.isStopped) statuses.push(await postOver(agent, at(leading, elsewhere)));
  agent.destroy();
  expect(statuses.filter((status) => typeof status === 'number' && status >= 500)).toEqual([]);
  expect(statuses).toContain(201);
  for (const answer of inFlight) expect([201, 503]).toContain((await answer).status);
  expect((await post(at(other, elsewhere), {})).status).toBe(201);
});

test('each node says by itself whether it is ready', async () => {
  const { nodes } = await startCluster(postgres, 2);
  const [leading, other] = nodes as [TestNode, TestNode];
  const ready = async (node: TestNode): Promise<unknown> =>
    (await fetch(new URL('/healthz/ready', node.url))).json();
  await until('both', async () => {
    const said = [await ready(leading), await ready(other)];
    return said.every((one) => (one as { status: string }).status === 'ready');
  });
  // Whoever follows passes requests on to it, and is not well itself without it.
  process.kill(leading.pid, 'SIGSTOP');
  const answered = await fetch(new URL('/healthz/live', other.url));
  process.kill(leading.pid, 'SIGCONT');
  expect(answered.status).toBe(200);
});
