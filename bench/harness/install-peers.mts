import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../../scripts/npm.mts';

const folder = join(import.meta.dirname, '..');

/** Installs the pinned peers into bench/node_modules, the first time and whenever the pins change. */
export async function installPeers(): Promise<void> {
  if (areInstalled()) return;
  console.error('Installing the peers into bench/node_modules …');
  await npm(folder, ['ci']);
}

function areInstalled(): boolean {
  const { dependencies } = packageJson('.') as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(([name, version]) => {
    const module = `node_modules/${name}`;
    return existsSync(join(folder, module)) && packageJson(module).version === version;
  });
}

function packageJson(path: string): { version?: string } {
  return JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')) as {
    version?: string;
  };
}
