import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { cliFiles, cliManifest, cliName } from '../../../scripts/package/cli-contents.mts';

const manifest = cliManifest(packageJson) as typeof packageJson;

test('the package of the command line is small and holds nothing that only builders or editors need', () => {
  expect(cliFiles.length).toBeLessThanOrEqual(20);
  const others = /\.map$|(?<!\.d)\.tsx?$|^(src|test|media)\/|webview|extension/;
  expect(cliFiles.filter((file) => others.test(file))).toEqual([]);
});

test('it holds what its manifest names', () => {
  const { types, default: code } = manifest.exports['./component'];
  for (const file of [manifest.bin.weir, types, code]) {
    expect(cliFiles).toContain(file.replace('./', ''));
  }
});

test('its manifest has a name of its own, depends on esbuild alone and says nothing of VS Code', () => {
  expect(manifest.name).toBe(cliName);
  expect(manifest.version).toBe(packageJson.version);
  expect(Object.keys(manifest.dependencies)).toEqual(['esbuild']);
  expect(manifest.engines).toEqual({ node: packageJson.engines.node });
  for (const key of ['private', 'main', 'contributes', 'scripts', 'devDependencies']) {
    expect(manifest).not.toHaveProperty(key);
  }
});
