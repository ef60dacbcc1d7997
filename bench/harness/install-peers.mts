import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..');

/** Installs the pinned peers into bench/node_modules, the first time and whenever the pins change. */
export function installPeers(): void {
  if (installed()) return;
  console.error('Installing the peers into bench/node_modules …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new Error('`npm ci` in bench failed, so there is nothing to compare with.');
}

function installed(): boolean {
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
