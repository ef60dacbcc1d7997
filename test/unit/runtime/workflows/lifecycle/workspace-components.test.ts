import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow } from '../../../../../src/runtime/base/files-below.ts';
import {
  codeFile,
  findComponent,
} from '../../../../../src/runtime/workflows/lifecycle/workspace-components.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const component = (version: string) =>
  `export default { key: 'acme-do', version: '${version}', type: 'action', run() {} };`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const signal = new AbortController().signal;

test('the exact version is taken, else the nearest', async () => {
  const folder = await folderWith({ 'old.mjs': component('0.1.0'), 'new.mjs': component('0.4.0') });
  const found = async (version: string) =>
    (await findComponent([folder], 'acme-do', version, signal))?.version;
  expect(await found('0.1.0')).toBe('0.1.0');
  expect(await found('0.3.0')).toBe('0.4.0');
});

test.each(['weir.db', 'runtime.json'])(
  'copies in a data folder are no components, hidden or not (%s)',
  async (file) => {
    const folder = await folderWith({
      'own.mjs': component('0.1.0'),
      [`data/${file}`]: '',
      'data/components/copy.mjs': component('0.2.0'),
      '.weir/components/copy.mjs': component('0.2.0'),
      'node_modules/acme/copy.mjs': component('0.2.0'),
    });
    const paths: string[] = [];
    for await (const path of filesBelow(folder, codeFile, signal)) paths.push(path);
    expect(paths).toEqual([join(folder, 'own.mjs')]);
    expect((await findComponent([folder], 'acme-do', '0.2.0', signal))?.version).toBe('0.1.0');
  },
);
