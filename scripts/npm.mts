import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Runs the npm on the PATH in a folder; its errors are shown. Rejects when it fails. */
export function npm(cwd: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ${args.join(' ')} failed with exit code ${code} in ${cwd}.`));
    });
  });
}

/**
 * Installs the pinned dependencies of a folder into its node_modules, the first time and whenever a
 * pin changes. For what only a few need: the project's own `npm ci` leaves it out.
 * @param say prints that it takes a while
 */
export async function installPinned(folder: string, say: (line: string) => void): Promise<void> {
  const { dependencies = {} } = packageJson(folder);
  const isInstalled = Object.entries(dependencies).every(([name, version]) => {
    const module = path.join(folder, 'node_modules', name);
    return existsSync(module) && packageJson(module).version === version;
  });
  if (isInstalled) return;
  say(
    `Installing ${Object.keys(dependencies).join(', ')} into ${path.relative('.', folder)} once.`,
  );
  await npm(folder, ['ci']);
}

interface PackageJson {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function packageJson(folder: string): PackageJson {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageJson;
}
