import { readFile } from 'node:fs/promises';
import esbuild from 'esbuild/package.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  contentsOf,
  isTarget,
  manifestFor,
  targetOf,
  targets,
} from '../../../scripts/package/contents.mts';

const all = Object.keys(targets).filter(isTarget);

describe.each(all)('the VSIX for %s', (target) => {
  const files = contentsOf(target);

  test('is small and holds nothing that only builders need', () => {
    expect(files.length).toBeLessThanOrEqual(55);
    expect(files.filter((file) => /\.map$|(?<!\.d)\.tsx?$|^(src|test)\//.test(file))).toEqual([]);
  });

  test('has one esbuild, of a package that esbuild looks for', () => {
    const binaries = files.filter((file) => /\/esbuild(\.exe)?$/.test(file));
    expect(binaries).toHaveLength(1);
    const [, name = ''] = /^node_modules\/(@esbuild\/[^/]+)\//.exec(binaries[0] ?? '') ?? [];
    expect(esbuild.optionalDependencies).toHaveProperty([name]);
  });

  test('holds what its manifest names', () => {
    const manifest = manifestFor(packageJson) as typeof packageJson;
    const [container] = manifest.contributes.viewsContainers.activitybar;
    expect(files).toContain(manifest.main.replace('./', ''));
    expect(files).toContain(manifest.icon);
    expect(files).toContain(container?.icon);
    expect(manifest.contributes.yamlValidation).not.toEqual([]);
    for (const { url } of manifest.contributes.yamlValidation) {
      expect(files).toContain(url.replace('./', ''));
    }
    for (const name of Object.keys(manifest.dependencies)) {
      expect(files).toContain(`node_modules/${name}/package.json`);
    }
  });
});

test('.vscodeignore lets in what the VSIX of some platform holds, and nothing else', async () => {
  const text = await readFile('.vscodeignore', 'utf8');
  const [first, ...rest] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('**');
  const listed = new Set(all.flatMap((target) => contentsOf(target)));
  expect(rest.toSorted()).toEqual([...listed].map((file) => `!${file}`).toSorted());
});

test('the manifest says nothing that only a checkout understands', () => {
  const manifest = manifestFor(packageJson);
  // vsce refuses a folder that has both `files` and .vscodeignore.
  for (const key of ['scripts', 'devDependencies', 'bin', 'exports', 'files']) {
    expect(manifest).not.toHaveProperty(key);
  }
});

test.each([
  ['linux', 'arm64', 'linux-arm64'],
  ['win32', 'x64', 'win32-x64'],
  ['darwin', 'arm64', 'darwin-arm64'],
  ['linux', 'riscv64', undefined],
] as const)('on %s %s the target is %s', (platform, arch, target) => {
  expect(targetOf(platform, arch)).toBe(target);
});
