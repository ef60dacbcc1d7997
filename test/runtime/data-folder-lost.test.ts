/** A data folder that is deleted, moved away or replaced while its runtime runs. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../src/protocol/catalogue.ts';
import { allEvents } from '../support/all-events.ts';
import { gather } from '../support/cli.ts';
import { sourceFile, temporaryFolder } from '../support/folder.ts';
import { startRuntime, type TestRuntime } from '../support/runtime.ts';
import { expectErrors } from '../support/runtime-log.ts';
import { until } from '../support/until.ts';

const code = `export default {
  name: 'Kept',
  props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 1 } } },
  run({ body }) { if (body !== undefined) this.$emit({ number: body.number }) },
}`;
const args = ['--set', 'run.httpConcurrency=4'];

/** Eight callers of a source, until one is answered something else than 200. */
function load(source: Source) {
  const acknowledged: number[] = [];
  const refused: string[] = [];
  let number = 0;
  const callers = Array.from({ length: 8 }, async () => {
    while (refused.length === 0) {
      number += 1;
      const mine = number;
      const answer = await send(source, mine);
      if (answer.startsWith('200')) acknowledged.push(mine);
      else refused.push(answer);
    }
  });
  return { acknowledged, refused, ended: Promise.all(callers) };
}

async function send(source: Source, number: number): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ number });
  const answer = await fetch(source.endpoint_url!, { method: 'POST', headers, body });
  return `${answer.status} ${await answer.text()}`;
}

/** It has a source under load when `lose` is called, and notices. */
async function losing(lose: (data: string) => Promise<void> | void) {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const path = await sourceFile(folder, 'kept.mjs', code);
  const runtime = await startRuntime({ folder, args });
  const source = await runtime.restData<Source>('POST', '/v1/sources', { component_path: path });
  const { acknowledged, refused, ended } = load(source);
  await until('some load', () => acknowledged.length > 100);
  await lose(data);
  await ended;
  expect(new Set(refused)).toEqual(new Set(['503 The event could not be stored.\n']));
  return { folder, data, path, runtime, source, acknowledged };
}

/** From then on: 503 at the same port, everything else refused with the reason, which the log has once. */
async function expectLost(runtime: TestRuntime, source: Source, path: string): Promise<void> {
  for (let i = 0; i < 3; i += 1) expect(await send(source, -1)).toMatch(/^503 /);
  const headers = { 'x-pd-upload-body': '1' };
  const upload = await fetch(source.endpoint_url!, { method: 'POST', headers, body: 'x' });
  expect(upload.status).toBe(503);
  const sentence =
    /^The data folder \S+ was deleted, moved away or replaced while .* start it again/;
  const refused = { code: 'store_failed', error: expect.stringMatching(sentence) as string };
  for (const [method, to, body] of [
    ['POST', '/v1/sources', { component_path: path }],
    ['GET', `/v1/sources/${source.id}`, undefined],
  ] as const) {
    expect(await runtime.rest(method, to, body)).toMatchObject({ status: 503, body: refused });
  }
  expect((await runtime.rest('GET', '/v1/health')).status).toBe(200);
  expect(runtime.output().match(/was deleted, moved away or replaced/g)).toHaveLength(1);
  expect(runtime.output()).not.toMatch(/\n {4}at /);
}

test('one that is deleted is not made again: 503, one sentence, the port is kept', async () => {
  const { data, path, runtime, source } = await losing((folder) => {
    execFileSync('rm', ['-rf', folder]);
  });
  await expectLost(runtime, source, path);
  expect(existsSync(data)).toBe(false);
  expect(await runtime.stop()).toBe(0);
  expect(existsSync(data)).toBe(false);
});

test('a store that is deleted alone is noticed as well', async () => {
  const { data, path, runtime, source } = await losing((folder) => {
    execFileSync('sh', ['-c', `rm "${folder}"/weir.db*`]);
  });
  runtime.expectErrors(/was deleted, moved away or replaced/);
  await expectLost(runtime, source, path);
  expect((await readdir(data)).filter((name) => name.startsWith('weir.db'))).toEqual([]);
});

test('one that is moved away keeps what was acknowledged; what stands in its place is left alone', async () => {
  const { folder, data, path, runtime, source, acknowledged } = await losing(async (data) => {
    await rename(data, `${data}-moved`);
    await mkdir(data);
  });
  await expectLost(runtime, source, path);
  expect(await readdir(data)).toEqual([]);
  const log = await readFile(join(`${data}-moved`, 'logs', 'runtime.log'), 'utf8');
  expect(log.match(/was deleted, moved away or replaced/g)).toHaveLength(1);

  // Another runtime may have it, and is told who has its port.
  const other = await startRuntime({ folder });
  expect(other.output()).toMatch(
    new RegExp(
      `before was deleted or moved away while the runtime with pid ${runtime.pid} .* at ${runtime.url} used it`,
    ),
  );
  expect(await send(source, -1)).toMatch(/^503 /);
  expect(await runtime.stop()).toBe(0);
  expect(JSON.parse(await readFile(join(data, 'runtime.json'), 'utf8'))).toMatchObject({
    pid: other.pid,
  });
  await other.stop();

  await rename(data, `${data}-other`);
  await rename(`${data}-moved`, data);
  runtime.expectErrors(/was deleted, moved away or replaced/);
  const back = await startRuntime({ folder, args });
  expect(back.url).toBe(runtime.url);
  const seen = await until('all that was acknowledged', async () => {
    const numbers = await allNumbers(back, source);
    return acknowledged.every((one) => numbers.has(one)) && numbers;
  });
  expect(seen.size).toBeGreaterThanOrEqual(acknowledged.length);
});

async function allNumbers(runtime: TestRuntime, { id }: Source): Promise<Set<number>> {
  return new Set(
    (await allEvents(runtime, id)).map(({ event }) => (event as { number: number }).number),
  );
}

test('an error that nothing catches is in the log with its stack', async () => {
  const folder = temporaryFolder();
  const preload = join(folder, 'throws.mjs');
  await writeFile(preload, `process.on('SIGUSR2', () => { throw new Error('as the test asks') });`);
  const cli = join(resolve(process.env['WEIR_DIST'] ?? 'dist'), 'cli.js');
  const data = join(folder, 'data');
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') };
  const child = spawn(process.execPath, ['--import', preload, cli, 'serve', '--data', data], {
    env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = gather(child.stderr);
  expectErrors(data, /as the test asks/);
  await once(child.stdout, 'data');
  child.kill('SIGUSR2');
  const [code] = (await once(child, 'close')) as [number];
  expect(code).not.toBe(0);
  const log = await readFile(join(data, 'logs', 'runtime.log'), 'utf8');
  const line =
    / error The runtime ends, as nothing caught this error: Error: as the test asks\n {4}at /;
  expect(log).toMatch(line);
  expect(output()).toMatch(line);
});
