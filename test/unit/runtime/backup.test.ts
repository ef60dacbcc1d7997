import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreBackup } from '../../../src/runtime/store/backup/restore.ts';
import { writeBackup } from '../../../src/runtime/store/backup/write.ts';
import { SavedComponents } from '../../../src/runtime/components/saved-components.ts';
import { addFiles, type BackupFile } from '../../../src/runtime/store/sqlite/backup.ts';
import { definition } from '../../support/records.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { open, sqlJs } from '../../support/open-store.ts';

const hash = 'a'.repeat(64);

test('packages that the code links to come along, and are found in the new place', async () => {
  const root = await realpath(temporaryFolder());
  const addon = join(root, 'packages', 'native@1', 'node_modules', 'native');
  const linked = join(root, 'deployments', hash, 'node_modules', '@scope');
  await mkdir(addon, { recursive: true });
  await mkdir(linked, { recursive: true });
  await writeFile(join(addon, 'native.node'), Buffer.from([0, 255, 0]), { mode: 0o755 });
  await symlink(addon, join(linked, 'native'));
  await symlink('/nowhere/near', join(linked, 'outside'));
  await mkdir(join(root, 'packages', 'unused@1'));
  const store = await open(join(root, 'weir.db'));
  const record = { id: 'sc_1', hash, path: '/x.mjs', definition, createdAt: 1 };
  await store.components.ensure(record);
  const file = join(root, 'backup.db');
  await writeBackup({ store, keepingCode: (task) => task(), sqlJs, root, file });
  await store.close();

  const data = join(temporaryFolder(), 'data');
  expect(await restoreBackup(data, file, sqlJs)).toMatchObject({ files: 3 });
  const place = join(data, 'deployments', hash, 'node_modules', '@scope');
  expect([...(await readFile(join(place, 'native', 'native.node')))]).toEqual([0, 255, 0]);
  expect(await realpath(join(place, 'native'))).toBe(
    join(await realpath(data), 'packages', 'native@1', 'node_modules', 'native'),
  );
  expect(await readlink(join(place, 'outside'))).toBe('/nowhere/near');
  expect((await lstat(join(place, 'native', 'native.node'))).mode & 0o777).toBe(0o755);
  const again = await open(join(data, 'weir.db'));
  expect(again.components.all()).toEqual([record]);
  await again.close();
});

test('an update that replaces code meanwhile takes none of it from the copy', async () => {
  const root = temporaryFolder();
  const bundle = join(root, 'deployments', hash, 'bundle.mjs');
  await mkdir(join(bundle, '..'), { recursive: true });
  await writeFile(bundle, 'export default {}');
  const store = await open(join(root, 'weir.db'));
  await store.components.ensure({ id: 'sc_1', hash, path: null, definition, createdAt: 1 });
  const saved = new SavedComponents({
    store,
    components: {
      remove: async (hashes) => {
        for (const one of hashes) await rm(join(root, 'deployments', one), { recursive: true });
      },
    },
    newId: () => 'sc_2',
    now: () => 2,
    log: () => undefined,
  });
  const file = join(root, 'backup.db');
  await writeBackup({
    store: {
      components: store.components,
      copyTo: async (to) => {
        const size = await store.copyTo(to);
        // Nothing refers to it: the end of an update removes it.
        await saved.removeUnused();
        return size;
      },
    },
    keepingCode: (task) => saved.adding(task),
    sqlJs,
    root,
    file,
  });
  expect(await readdir(join(root, 'deployments'))).toEqual([]);
  await store.close();

  const data = join(root, 'data');
  await restoreBackup(data, file, sqlJs);
  const again = await open(join(data, 'weir.db'));
  expect(again.components.all()).toMatchObject([{ hash }]);
  await again.close();
  const copied = join(data, 'deployments', hash, 'bundle.mjs');
  expect(await readFile(copied, 'utf8')).toBe('export default {}');
});

test('of code that was given as text, what is saved comes along', async () => {
  const root = temporaryFolder();
  const code = join(root, 'code');
  await mkdir(code);
  for (const name of ['saved.mjs', 'ran-once.mjs']) await writeFile(join(code, name), name);
  const store = await open(join(root, 'weir.db'));
  const path = '/where/it/was/before/code/saved.mjs';
  await store.components.ensure({ id: 'sc_1', hash, path, definition, createdAt: 1 });
  const file = join(root, 'backup.db');
  await writeBackup({ store, keepingCode: (task) => task(), sqlJs, root, file });
  await store.close();

  const data = join(root, 'data');
  await restoreBackup(data, file, sqlJs);
  expect(await readdir(join(data, 'code'))).toEqual(['saved.mjs']);
});

test('a file that would leave the data folder is refused', async () => {
  const folder = temporaryFolder();
  const store = await open(join(folder, 'weir.db'));
  const file = join(folder, 'backup.db');
  await store.copyTo(file);
  await store.close();
  const evil: BackupFile = { path: '../evil', mode: 0o600, content: Buffer.from('x') };
  async function* files() {
    yield evil;
  }
  await addFiles(file, files(), sqlJs);
  const data = join(folder, 'data');
  await expect(restoreBackup(data, file, sqlJs)).rejects.toThrow(
    'outside of the data folder: ../evil',
  );
  await expect(lstat(join(folder, 'evil'))).rejects.toThrow('ENOENT');
  await expect(lstat(join(data, 'weir.db'))).rejects.toThrow('ENOENT');
});

test('a file behind a link that leads out of the data folder is refused', async () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  const store = await open(join(folder, 'weir.db'));
  const file = join(folder, 'backup.db');
  await store.copyTo(file);
  await store.close();
  async function* files(): AsyncGenerator<BackupFile> {
    yield { path: 'deployments/zz/link', mode: 0o777, content: { link: outside } };
    yield { path: 'deployments/zz/link/evil.txt', mode: 0o600, content: Buffer.from('x') };
  }
  await addFiles(file, files(), sqlJs);
  await expect(restoreBackup(join(folder, 'data'), file, sqlJs)).rejects.toThrow(
    'outside of the data folder: deployments/zz/link/evil.txt',
  );
  expect(await readdir(outside)).toEqual([]);
});
