/** Checks of `weir doctor` on the machine: the encryption key, Node, npm and esbuild. */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../protocol/errors.ts';
import { loadRuntime } from '../runtime-bundle.ts';
import { bad, type Check, ok, warning } from './check.ts';

/** As a start reads it. */
export async function checkKey(): Promise<Check> {
  const name = 'encryption key';
  try {
    const origin = await loadRuntime().checkKey();
    if (origin === undefined) return ok(name, 'It is made at the first start.');
    if (!isAbsolute(origin)) return ok(name, `From ${origin}.`);
    const { mode } = await stat(origin);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return warning(name, `${origin} can be read by others.`, `chmod 600 ${origin}`);
    }
    return ok(name, origin);
  } catch (error) {
    return bad(name, messageOf(error), 'Nothing starts without it.');
  }
}

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok('Node.js', version);
  return bad('Node.js', `${version} is too old.`, 'Install 20.19 or newer.');
}

export async function checkNpm(env: NodeJS.ProcessEnv): Promise<Check> {
  const name = 'npm';
  try {
    // On Windows npm is a script, which only a shell starts; nothing of ours goes through it.
    const shell = process.platform === 'win32';
    const { stdout } = await promisify(execFile)('npm', ['--version'], { env, shell });
    return ok(name, stdout.trim());
  } catch {
    const advice =
      'Install it with Node.js, or set weir.npm.path, to use components that import packages.';
    return warning(name, 'npm is not on the PATH.', advice);
  }
}

/** Its binary is the one part that depends on the machine: a copied node_modules may have another's. */
export async function checkEsbuild(): Promise<Check> {
  const name = 'esbuild';
  try {
    const { transform, stop, version } = await import('esbuild');
    try {
      await transform('1');
    } finally {
      await stop();
    }
    return ok(name, version);
  } catch (error) {
    const [first = ''] = messageOf(error).split('\n');
    return bad(
      name,
      first,
      'Install Weir again on this machine; without it nothing can be deployed.',
    );
  }
}
