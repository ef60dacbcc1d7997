/** `$.files`: a store of files that all workflows share (P14.8, P14.11). */
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { stepOf, workflowWorld } from './world.ts';

const world = workflowWorld();

/** What the step returns; throws what it threw. */
async function ran(code: string): Promise<unknown> {
  const workflow = await world.deploy({ steps: [{ namespace: 'one', code: moduleOf(code) }] });
  const execution = await world.ended((await world.run(workflow)).id);
  const step = stepOf(execution, 'one');
  if (step.error !== null) throw new Error(step.error.message);
  return step.return_value;
}

const moduleOf = (code: string): string => `
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
export default { type: 'action', props: {}, async run({ steps, $ }) { ${code} } };`;

test('what one workflow writes another reads, after a restart too', async () => {
  await ran(`
    const local = join(tmpdir(), 'local.txt');
    writeFileSync(local, 'from a file');
    await $.files.open('a/file.txt').fromFile(local, 'text/plain');
    await $.files.open('/a/stream.txt').fromReadableStream(Readable.from(['from ', 'a stream']));
    await pipeline(Readable.from(['from a writer']), await $.files.open('writer.txt').createWriteStream('text/plain', 13));`);
  await world.restart();
  expect(
    await ran(`
      const local = join(tmpdir(), 'back.txt');
      await $.files.open('a/file.txt').toFile(local);
      return [
        readFileSync(local, 'utf8'),
        String(await $.files.open('a/stream.txt').toBuffer()),
        await $.files.open('writer.txt').toEncodedString('utf8', 5, 8),
        $.files.open('a/file.txt'),
        await $.files.openDescriptor({ path: 'a/file.txt', type: 'text/plain' }).toEncodedString(),
      ]`),
  ).toEqual([
    'from a file',
    'from a stream',
    'a w',
    { path: 'a/file.txt', s3Key: 'a/file.txt', type: 'application/octet-stream' },
    'from a file',
  ]);
});

test('lists, by name and with sizes; nothing of a folder that is not there', async () => {
  await ran(`
    for (const path of ['list/b.txt', 'list/a.txt', 'list/deep/c.txt']) {
      await $.files.open(path).fromReadableStream(Readable.from([path]));
    }
    await $.files.open('list/gone.txt').fromReadableStream(Readable.from(['x']));
    await $.files.open('list/gone.txt').delete();
    // One that breaks off leaves nothing.
    await $.files.open('list/broken.txt').fromReadableStream(Readable.from((async function* () { yield 'x'; throw new Error('no'); })())).catch(() => {});`);
  const listed = await ran(`
    const found = [];
    for (const at of ['list', 'nowhere']) for await (const one of $.files.dir(at)) {
      const { name, path, size, modifiedAt, file } = one;
      found.push([name, path, one.isFile(), one.isDirectory(), size, modifiedAt instanceof Date, file?.path]);
    }
    return found`);
  expect(listed).toEqual([
    ['a.txt', 'list/a.txt', true, false, 10, true, 'list/a.txt'],
    ['b.txt', 'list/b.txt', true, false, 10, true, 'list/b.txt'],
    ['deep', 'list/deep', false, true, null, false, null],
  ]);
  expect(await readdir(join(world.folder, 'data', 'file-store', 'list'))).toEqual(
    expect.not.arrayContaining([expect.stringContaining('part')]),
  );
});

test('fromUrl takes what is there, and leaves the file as it was when nothing is; toUrl gives it to others', async () => {
  const { url } = await startReceiver({
    answer: ({ path }) =>
      path === '/ok'
        ? { status: 200, body: 'fetched', headers: { 'content-type': 'text/x-mine' } }
        : { status: 404, body: 'missing' },
  });
  const address = String(
    await ran(`
      const file = await $.files.open('fetched').fromUrl('${url}/ok');
      const why = await file.fromUrl('${url}/nothing').catch((error) => error.message);
      if (!why.includes('answered 404')) throw new Error(why);
      return file.toUrl()`),
  );
  expect(address).toMatch(/\/h\/file_\w+$/);
  const answer = await fetch(address);
  expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
    'text/x-mine',
    'fetched',
  ]);
});

test('no path and no link leads out', async () => {
  for (const path of ['../out.txt', 'a/../../out.txt', '/../out.txt', '', '.']) {
    await expect(ran(`await $.files.open('${path}').toBuffer()`)).rejects.toThrow(
      path === '' ? 'the path of a file is required' : 'does not name a file inside',
    );
  }
  await expect(ran(`for await (const one of $.files.dir('..')) return one`)).rejects.toThrow(
    'does not name a file inside',
  );
  const outside = join(world.folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await symlink(outside, join(world.folder, 'data', 'file-store', 'link'));
  for (const call of [
    `open('link/secret.txt').toBuffer()`,
    `open('link/secret.txt').toUrl()`,
    `open('link/new.txt').fromReadableStream(Readable.from(['x']))`,
    `open('link/secret.txt').delete()`,
    `dir('link').next()`,
  ]) {
    await expect(ran(`await $.files.${call}`)).rejects.toThrow('does not name a file inside');
  }
  expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  expect(await readdir(outside)).toEqual(['secret.txt']);
});
