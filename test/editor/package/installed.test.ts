import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { access, constants, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { contentsOf, targetOf } from '../../../scripts/package/contents.mts';
import { row } from '../support/rows.ts';
import { screenshot } from '../support/ui.ts';
import { hello, post, runtimeFile, startAfresh, weir } from '../support/weir.ts';
import { packageTitle } from './title.mts';

suite(packageTitle, () => {
  suiteSetup(startAfresh);

  test('holds the files it should and no others', async () => {
    const target = targetOf(process.platform, process.arch);
    ok(target);
    const listed = contentsOf(target).map((file) => renamed.get(file) ?? file);
    deepStrictEqual(await installedFiles(), [...listed, '.vsixmanifest'].sort());
  });

  test('is small: what is loaded at the start, what is downloaded, how many files', async () => {
    const { size: bundle } = await stat(path.join(installed(), 'dist', 'extension.js'));
    ok(bundle <= 250_000, `the bundle has ${bundle} bytes`);
    const { size: download } = await stat(process.env['WEIR_TEST_VSIX'] ?? '');
    ok(download <= 8_000_000, `the VSIX has ${download} bytes`);
    const files = await installedFiles();
    // 55 when this was written: each part that is loaded later is a file.
    ok(files.length <= 64, `it holds ${files.length} files`);
  });

  test('brings an esbuild that may be executed', async () => {
    const binary = (await installedFiles()).find((file) => /\/esbuild(\.exe)?$/.test(file));
    ok(binary);
    await access(path.join(installed(), binary), constants.X_OK);
  });

  test('deploys a component and shows what it emits', async () => {
    const { endpoint_url: endpoint } = await hello();
    const response = await post(endpoint, { id: 1, customer: 'Ada' });
    deepStrictEqual(await response.json(), { greeting: 'hello' });
    await (await row('Sources', 'Hello webhook')).waitFor();
    await (await row('Events', 'Order 1 from Ada')).waitFor();
    await screenshot('installed');
    const { runtime } = await weir();
    strictEqual(runtime.url, (await runtimeFile()).url);
  });
});

/** The names vsce gives to some files. */
const renamed = new Map([
  ['CHANGELOG.md', 'changelog.md'],
  ['LICENSE', 'LICENSE.txt'],
  ['README.md', 'readme.md'],
]);

function installed(): string {
  const extension = vscode.extensions.getExtension('weir.weir');
  ok(extension);
  return extension.extensionPath;
}

async function installedFiles(): Promise<string[]> {
  const names = await readdir(installed(), { recursive: true });
  const files: string[] = [];
  for (const name of names) {
    if ((await stat(path.join(installed(), name))).isFile()) {
      files.push(name.replaceAll(path.sep, '/'));
    }
  }
  return files.sort();
}
