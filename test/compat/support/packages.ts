/** The packages of the platform's registry that are on npm, as they are installed here. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dependencies } from '../../registry-packages/package.json';
import { registryScope } from '../../support/registry-packages.ts';

export interface RegistryPackage {
  /** Without the scope: `google_drive`. */
  readonly name: string;
  readonly version: string;
  /** Absolute paths of its sources and actions. */
  readonly components: readonly string[];
}

const names = Object.keys(dependencies).map((name) => basename(name));

export const registryPackages: readonly RegistryPackage[] = names.map((name) => {
  const folder = join(registryScope, name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const files = globSync('{sources,actions}/**/*.mjs', { cwd: folder });
  const components = files
    .map((file) => join(folder, file))
    .filter(isComponent)
    .sort();
  return { name, version, components };
});

/** The registry's convention: a component has the name of its folder, what it shares has not. */
function isComponent(file: string): boolean {
  const folder = basename(dirname(file));
  return folder === basename(file, '.mjs') && folder !== 'common';
}

/** @param path within the scope, as the tables of docs/compatibility.md show it: `gitlab/sources/new-milestone` */
export function componentPath(path: string): string {
  return join(registryScope, path, `${basename(path)}.mjs`);
}

/** The other way round. */
export function shortPath(file: string): string {
  return dirname(file.slice(registryScope.length + 1)).replaceAll('\\', '/');
}
