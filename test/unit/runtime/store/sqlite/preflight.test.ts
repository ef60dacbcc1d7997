import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Header } from '../../../../../src/runtime/store/sqlite/header.ts';
import { parseHeader } from '../../../../../src/runtime/store/sqlite/header.ts';
import {
  applicationId,
  latestVersion,
} from '../../../../../src/runtime/store/sqlite/migrations.ts';
import { type Found, judge, look } from '../../../../../src/runtime/store/sqlite/preflight.ts';
import { checkedBy, markChecked } from '../../../../../src/runtime/store/sqlite/checked-mark.ts';
import { checkStore } from '../../../../../src/runtime/store/sqlite/check-store.ts';
import { pagesInWal } from '../../../../../src/runtime/store/sqlite/wal.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { open, sqlJs } from '../../../../support/open-store.ts';
import { event, run } from '../../../../support/records.ts';
import { newStore, storeWithSource } from '../../../../support/store.ts';

const header: Header = {
  pageSize: 8192,
  pages: 10,
  version: 1,
  userVersion: latestVersion,
  applicationId,
};
const clean: Found = { bytes: 81_920, header, liveWal: null, foreignLogs: [] };
const file = '/data/weir.db';

test.each<[string, Partial<Found>, string]>([
  ['nothing there', { bytes: null, header: undefined }, 'absent'],
  ['nothing there but an empty log', { bytes: null, header: undefined, liveWal: 0 }, 'absent'],
  ['an ordinary store', {}, 'clean'],
  ['one that somebody put into WAL mode', { header: { ...header, version: 2 } }, 'clean'],
  ['one of an older version', { header: { ...header, userVersion: 0 } }, 'clean'],
  ['one whose page count is not kept', { header: { ...header, pages: undefined } }, 'clean'],
  ['one that was cut off', { header: { ...header, version: 3 }, liveWal: 9 }, 'live'],
  ['one cut off while it closed', { header: { ...header, version: 3 } }, 'live'],
])('%s may be opened', (_name, found, state) => {
  expect(judge(file, { ...clean, ...found })).toBe(state);
});

test.each<[string, Partial<Found>, RegExp]>([
  [
    'gone, with its log left',
    { bytes: null, liveWal: 9 },
    /missing but its log \/data\/weir.db.live-wal/,
  ],
  ['empty', { bytes: 0, header: undefined }, /weir.db is empty/],
  ['no database', { header: undefined }, /not a SQLite database/],
  ['of another state than the log', { liveWal: 9 }, /another state/],
  ['of another program', { header: { ...header, applicationId: 0 } }, /Weir did not make/],
  [
    'of a newer Weir',
    { header: { ...header, userVersion: 99 } },
    /newer version of Weir \(schema 99/,
  ],
  ['cut short', { bytes: 81_919 }, /cut short \(81919 of 81920 bytes\)/],
  [
    'open elsewhere',
    { foreignLogs: ['/data/weir.db-wal'] },
    /Another program left \/data\/weir.db-wal/,
  ],
])('one that is %s is refused', (_name, found, message) => {
  expect(() => judge(file, { ...clean, ...found })).toThrow(
    expect.objectContaining({ code: 'store_failed', message: expect.stringMatching(message) }),
  );
});

test('the header of a store that is live, and of one that was closed', async () => {
  const { store, file } = await newStore();
  expect(look(fs, file)).toMatchObject({
    header: { ...header, version: 3, pages: expect.any(Number) },
  });
  await store.close();
  const found = look(fs, file);
  expect(found).toEqual({
    bytes: (found.header?.pages ?? 0) * 8192,
    header: { ...header, pages: expect.any(Number) },
    liveWal: null,
    foreignLogs: [],
  });
});

test.each(['', 'SQLite format 3', 'x'.repeat(200)])('%j is not a header', (text) => {
  expect(parseHeader(Buffer.from(text))).toBeUndefined();
});

test('the pages of a WAL, without what is left from before it was started again', () => {
  const frame = (page: number, salt: number) => {
    const bytes = Buffer.alloc(24 + 512);
    bytes.writeUInt32BE(page, 0);
    bytes.fill(salt, 8, 16);
    return bytes;
  };
  const head = Buffer.alloc(32).fill(7, 16, 24);
  const wal = Buffer.concat([head, frame(3, 7), frame(9, 7), frame(4, 6), frame(5, 7).subarray(1)]);
  expect(pagesInWal(wal, 512)).toEqual(new Set([3, 9]));
  expect(pagesInWal(Buffer.alloc(0), 512)).toEqual(new Set());
});

describe('a file that is refused is left as it is', () => {
  const whole = async (folder: string) => {
    const path = join(folder, 'weir.db');
    const store = await open(path);
    await store.settings.set('long', 'x'.repeat(100_000));
    await store.close();
    return fs.readFileSync(path);
  };

  test.each<[string, (store: Buffer) => Buffer, RegExp]>([
    ['a text', () => Buffer.from('Dear diary,\n'.repeat(900)), /not a SQLite database/],
    ['nothing in it', () => Buffer.alloc(0), /empty/],
    ['a store without its end', (store) => store.subarray(0, store.length / 2), /cut short/],
    [
      'a store without its end that was cut off',
      (store) => {
        const cut = Buffer.from(store.subarray(0, 81_920));
        cut.fill(3, 18, 20);
        return cut;
      },
      /damaged|cut short/,
    ],
    [
      'a page in the middle overwritten',
      (store) => Buffer.from(store).fill(0xff, 8192, 16_384),
      /damaged/,
    ],
  ])('%s', async (_name, damage, message) => {
    const folder = temporaryFolder();
    const damaged = damage(await whole(folder));
    const path = join(folder, 'weir.db');
    fs.writeFileSync(path, damaged);
    await expect(open(path)).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(message) as string,
    });
    await expect(open(path)).rejects.toThrow(path);
    const after = fs.readFileSync(path);
    expect(after.length).toBe(damaged.length);
    expect(parseHeader(after)?.version).toBe(parseHeader(damaged)?.version);
  });

  test('a folder in its place', async () => {
    await expect(open(temporaryFolder())).rejects.toThrow(/is a folder/);
  });

  test('a folder that is not there', async () => {
    await expect(open(join(temporaryFolder(), 'no', 'weir.db'))).rejects.toMatchObject({
      code: 'store_failed',
    });
  });
});

describe('a store is looked through', () => {
  const closed = async () => {
    const { store, file: path } = await storeWithSource();
    await run(store, { events: [{ ...event('1-0'), payload: `"${'x'.repeat(4_000_000)}"` }] });
    await store.close();
    return path;
  };
  /** Of its pages, how many an opening reads; then it is closed again. */
  const readOf = async (path: string): Promise<number> => {
    let bytes = 0;
    const readSync = ((...read: Parameters<typeof fs.readSync>) => {
      const count = fs.readSync(...read);
      bytes += count;
      return count;
    }) as typeof fs.readSync;
    const { size } = fs.statSync(path);
    const store = await open(path, { ...fs, readSync });
    const read = bytes / size;
    await store.close();
    return read;
  };

  test('once after anything was done to it, and not again after a clean end', async () => {
    const path = await closed();
    expect(await readOf(path)).toBeLessThan(0.3);
    fs.utimesSync(path, 1, 1);
    expect(await readOf(path)).toBeGreaterThan(0.9);
    expect(await readOf(path)).toBeLessThan(0.3);
    const copy = join(temporaryFolder(), 'weir.db');
    for (const suffix of ['', '.checked']) fs.copyFileSync(path + suffix, copy + suffix);
    expect(await readOf(copy)).toBeGreaterThan(0.9);
  });

  test('after a crash, and by another version of what reads it', async () => {
    const path = await closed();
    markChecked(path, 'an-older-one');
    expect(await readOf(path)).toBeGreaterThan(0.9);
    const live = await open(path);
    const cut = join(temporaryFolder(), 'weir.db');
    for (const suffix of ['', '.live-wal']) fs.copyFileSync(path + suffix, cut + suffix);
    await live.close();
    expect(await readOf(cut)).toBeGreaterThan(0.9);
  });

  test('by the doctor always', async () => {
    const path = await closed();
    const reader = checkedBy(path) ?? '';
    const damaged = fs.readFileSync(path).fill(0xff, 8192, 16_384);
    fs.writeFileSync(path, damaged);
    markChecked(path, reader);
    expect(checkedBy(path)).toBe(reader);
    await expect(checkStore(path, sqlJs, () => undefined)).rejects.toThrow(/damaged/);
  });
});
