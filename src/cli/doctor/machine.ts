/** What `weir doctor` looks at on the machine: the encryption key, Node, npm and esbuild. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../protocol/errors.ts';
import { bad, type Check, isMissing, ok, warning } from './check.ts';

export async function checkKey(env: NodeJS.ProcessEnv): Promise<Check> {
  const name = 'encryption key';
  const given = env['WEIR_KEY'] ?? '';
  if (given !== '') {
    if (isKey(given)) return ok(name, 'From WEIR_KEY.');
    return bad(name, 'WEIR_KEY is not a key.', 'Set it to 32 bytes in base64, or leave it out.');
  }
  const config = env['XDG_CONFIG_HOME'] ?? '';
  const path = join(isAbsolute(config) ? config : join(homedir(), '.config'), 'weir', 'key');
  try {
    const { mode } = await stat(path);
    const text = await readFile(path, 'utf8');
    if (!isKey(text)) {
      const advice = 'Restore the right one: stored secrets need it.';
      return bad(name, `${path} does not hold a key.`, advice);
    }
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return warning(name, `${path} can be read by others.`, `chmod 600 ${path}`);
    }
    return ok(name, path);
  } catch (error) {
    if (isMissing(error)) return ok(name, `${path} is created at the first start.`);
    return bad(name, `${path} cannot be read.`, 'Make it readable for you.');
  }
}

function isKey(text: string): boolean {
  return Buffer.from(text.trim(), 'base64').length === 32;
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
