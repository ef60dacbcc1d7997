import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { storeFailure } from '../../../../../src/runtime/store/sqlite/failure.ts';
import type { FileIo } from '../../../../../src/runtime/store/sqlite/wasm/io.ts';
import {
  resultCode,
  SqliteError,
} from '../../../../../src/runtime/store/sqlite/wasm/result-code.ts';
import { breakable, failure, type Fault } from './breakable.ts';
import { event, run, source } from '../../../../support/records.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { open } from '../../../../support/open-store.ts';

async function brokenStore(code: string) {
  const file = join(temporaryFolder(), 'weir.db');
  const { io, state } = breakable(code);
  const store = await open(file, io);
  await store.sources.insert(source('dc_1'));
  await run(store, { events: [event('1-0')] });
  onTestFinished(() => store.close().catch(() => undefined));
  return { file, store, state };
}

describe('a disk that fails while the store is in use', () => {
  test.each<[string, Fault, RegExp]>([
    ['ENOSPC', 'write', /is full: free some space/],
    ['EIO', 'write', /could not be read or written \(EIO: on purpose\)/],
    ['EIO', 'barrier', /EIO/],
    ['EROFS', 'write', /read-only/],
  ])(
    '%s in a %s: nothing more is acknowledged, nothing acknowledged is lost',
    async (code, fault, message) => {
      const { file, store, state } = await brokenStore(code);
      state.broken = fault;
      const refused = { code: 'store_failed', message: expect.stringMatching(message) as string };
      const hot = run(store, { events: [event('2-0')] });
      const cold = store.settings.set('a', '1');
      await expect(hot).rejects.toMatchObject(refused);
      await expect(cold).rejects.toMatchObject(refused);
      await expect(cold).rejects.toThrow(file);

      // It does not come to life again by itself, even when the disk does.
      state.broken = undefined;
      await expect(run(store, { events: [event('3-0')] })).rejects.toMatchObject(refused);
      await expect(store.flush()).rejects.toMatchObject(refused);
      await expect(store.close()).rejects.toMatchObject(refused);

      const again = await open(file);
      const kept = (await again.events.list('dc_1', { limit: 10 })).rows.map((row) => row.id);
      await again.close();
      expect(kept).toContain('1-0');
      expect(kept).not.toContain('3-0');
    },
  );

  test('a checkpoint that fails loses nothing', async () => {
    const { file, store, state } = await brokenStore('EIO');
    const payload = JSON.stringify('x'.repeat(100_000));
    let acknowledged = 1;
    state.broken = 'sync';
    const fill = async () => {
      for (;;) {
        await run(store, { events: [event(`${acknowledged + 1}-0`, { payload })] });
        acknowledged++;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'store_failed' });
    expect(acknowledged).toBeGreaterThan(20);
    await expect(store.close()).rejects.toThrow(/EIO/);
    const again = await open(file);
    const { total } = await again.events.list('dc_1', { limit: 1 });
    expect(total).toBeGreaterThanOrEqual(acknowledged);
    await again.close();
  });

  test('a read that fails says so', async () => {
    const { store, state } = await brokenStore('EIO');
    const payload = JSON.stringify('x'.repeat(1_000_000));
    for (let i = 2; i < 40; i++) await run(store, { events: [event(`${i}-0`, { payload })] });
    state.broken = 'read';
    const refused = { code: 'store_failed' };
    await expect(store.events.list('dc_1', { limit: 100 })).rejects.toMatchObject(refused);
  });
});

test('a disk that takes and gives less than asked changes nothing', async () => {
  const file = join(temporaryFolder(), 'weir.db');
  const half = (length: number) => Math.ceil(length / 2);
  const io: FileIo = {
    ...fs,
    writeSync: ((fd: number, bytes: Uint8Array, offset: number, length: number, at: number) =>
      fs.writeSync(fd, bytes, offset, half(length), at)) as typeof fs.writeSync,
    readSync: ((fd: number, bytes: Uint8Array, offset: number, length: number, at: number) =>
      fs.readSync(fd, bytes, offset, half(length), at)) as typeof fs.readSync,
  };
  const store = await open(file, io);
  await store.sources.insert(source('dc_1'));
  const payload = JSON.stringify('x'.repeat(100_000));
  await run(store, { events: [event('1-0', { payload })] });
  await store.close();
  const again = await open(file, io);
  expect((await again.events.get('dc_1', '1-0'))?.payload).toBe(payload);
  await again.close();
});

describe('a disk that fails at the start', () => {
  test.each([
    ['ENOSPC', 'write', /full/],
    ['EACCES', 'open', /may not be read and written/],
    ['EROFS', 'open', /read-only/],
    ['EMFILE', 'open', /too many files/],
  ])('%s in %s: one sentence, and no half-made store', async (code, call, message) => {
    const file = join(temporaryFolder(), 'weir.db');
    const refuse = () => {
      throw failure(code);
    };
    const io: FileIo = {
      ...fs,
      ...(call === 'open' ? { openSync: refuse } : { writeSync: refuse }),
    };
    await expect(open(file, io)).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(message) as string,
    });
    expect(fs.existsSync(file)).toBe(false);
    const store = await open(file);
    await store.close();
    expect(fs.readdirSync(dirname(file))).toEqual(['weir.db', 'weir.db.checked']);
  });

  test('a store that may not be written is not opened for reading', async () => {
    const file = join(temporaryFolder(), 'weir.db');
    await (await open(file)).close();
    const io: FileIo = {
      ...fs,
      openSync: ((path: string, flags: number | string, mode?: number) => {
        if (typeof flags === 'number' && (flags & fs.constants.O_RDWR) !== 0)
          throw failure('EACCES');
        return fs.openSync(path, flags, mode);
      }) as typeof fs.openSync,
    };
    await expect(open(file, io)).rejects.toThrow(/may not be read and written|read-only/);
    await (await open(file)).close();
  });
});

describe('a mistake of Weir is not told as one of the disk', () => {
  const stale = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });

  test.each([resultCode.error, resultCode.mismatch, resultCode.misuse, resultCode.range])(
    'result %i of SQLite, after an error of the disk long ago',
    (code) => {
      const { message } = storeFailure('/s.db', new SqliteError(code, 'no such column'), stale);
      expect(message).toContain('an error in Weir itself (no such column)');
      expect(message).not.toMatch(/full|ENOSPC|check the disk/);
    },
  );

  test('a mistake in a write: its stack is handed on, what was acknowledged is there', async () => {
    const file = join(temporaryFolder(), 'weir.db');
    const faults: unknown[] = [];
    const store = await open(file, undefined, Date.now, (_failure, fault) => faults.push(fault));
    await store.sources.insert(source('dc_1'));
    await run(store, { events: [event('1-0')] });
    // No type lets it pass.
    const webhooks = null as unknown as readonly string[];
    const broken = run(store, { events: [event('2-0', { webhooks })] });
    await expect(broken).rejects.toThrow('an error in Weir itself');
    expect(faults).toEqual([expect.any(TypeError)]);
    await store.close().catch(() => undefined);
    const again = await open(file);
    const { rows } = await again.events.list('dc_1', { limit: 10 });
    await again.close();
    expect(rows.map(({ id }) => id)).toEqual(['1-0']);
  });
});
