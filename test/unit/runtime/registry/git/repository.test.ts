/** What a repository may bring: so much, in so long a time, and nothing of it stays when it is more. */
import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasMoreThan } from '../../../../../src/runtime/base/watch-size.ts';
import { clone } from '../../../../../src/runtime/workflows/import/clone.ts';
import { Repository } from '../../../../../src/runtime/registry/git/repository.ts';
import { atEndOfTest } from '../../../../support/at-end.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { gitRepository } from '../../../../support/git.ts';

const anew = { mayBeOld: false, mayBeMinutesOld: false };
const { signal } = new AbortController();
const minute = 60_000;

/** Names of many files are in trees, which a clone without contents has. */
const manyFiles = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${randomBytes(60).toString('hex')}-${n}.txt`, '']),
  );

test('P26.13 a clone that is larger is refused, and is not in the cache', async () => {
  const { url, commit } = await gitRepository(temporaryFolder(), 'large');
  await commit(manyFiles(3000));
  const cache = temporaryFolder();
  const limits = { bytes: 100_000, ms: minute };
  const repository = new Repository(url, cache, Date.now, limits);
  await expect(repository.refresh(signal, anew)).rejects.toThrow(/is larger than 0\.\d+ MB/);
  expect(await readdir(cache)).toEqual([]);
});

test('P26.13 a fetch into a clone that becomes larger is refused, and the cache does not keep it', async () => {
  const { url, commit } = await gitRepository(temporaryFolder(), 'grows');
  await commit({ 'a.txt': 'small' });
  const cache = temporaryFolder();
  const limits = { bytes: 300_000, ms: minute };
  const repository = new Repository(url, cache, Date.now, limits);
  await repository.refresh(signal, anew);
  expect(await readdir(cache)).toHaveLength(1);
  await commit(manyFiles(6000));
  await expect(repository.refresh(signal, anew)).rejects.toThrow(/is larger than/);
  expect(await hasMoreThan(cache, limits.bytes)).toBe(false);
});

test('P26.13 a file that is larger is not fetched for reading, either', async () => {
  const { url, commit, work, git } = await gitRepository(temporaryFolder(), 'file');
  const cache = temporaryFolder();
  const limits = { bytes: 1_000_000, ms: minute };
  await writeFile(join(work, 'large.bin'), randomBytes(4_000_000));
  await commit({ 'a.txt': 'small' });
  const repository = new Repository(url, cache, Date.now, limits);
  await repository.refresh(signal, anew);
  const blob = await git('rev-parse', 'HEAD:large.bin');
  await expect(repository.blobs([blob], signal)).rejects.toThrow(/is larger than/);
  expect(await hasMoreThan(cache, limits.bytes)).toBe(false);
});

test('P26.13 a server that never answers is given up', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const cache = temporaryFolder();
  const limits = { bytes: 1_000_000, ms: 600 };
  const repository = new Repository(`http://127.0.0.1:${port}/x.git`, cache, Date.now, limits);
  await expect(repository.refresh(signal, anew)).rejects.toThrow(/took longer than/);
  expect(await readdir(cache)).toEqual([]);
});

test('a clone whose server does not answer ends at once when it is cancelled, helpers of git included', async () => {
  const server = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfTest(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const cancelled = new AbortController();
  const connected = once(server, 'connection');
  const cloning = clone(
    `http://127.0.0.1:${port}/x.git`,
    undefined,
    join(temporaryFolder(), 'x'),
    cancelled.signal,
  );
  cloning.catch(() => undefined);
  const [socket] = (await connected) as [Socket];
  const closed = once(socket, 'close');
  cancelled.abort();
  await expect(cloning).rejects.toMatchObject({ code: 'cancelled' });
  await closed;
});
