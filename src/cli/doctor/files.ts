/** The files: data folder and key. */
import { access, constants, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { bad, type Check, ok, warning } from './check.ts';

export async function checkDataFolder(folder: string): Promise<Check> {
  const name = 'data folder';
  try {
    const { R_OK, W_OK, X_OK } = constants;
    await access(folder, R_OK | W_OK | X_OK);
    return ok(name, folder);
  } catch (error) {
    if (isMissing(error)) return ok(name, `${folder} is made at the first start.`);
    return bad(
      name,
      `${folder} cannot be written.`,
      'Make it yours, or choose another with --data.',
    );
  }
}

export async function checkKey(env: NodeJS.ProcessEnv): Promise<Check> {
  const name = 'encryption key';
  const given = env['WEIR_KEY'] ?? '';
  if (given !== '') {
    if (isKey(given)) return ok(name, 'From WEIR_KEY.');
    return bad(name, 'WEIR_KEY is no key.', 'Set it to 32 bytes in base64, or leave it out.');
  }
  const config = env['XDG_CONFIG_HOME'] ?? '';
  const path = join(isAbsolute(config) ? config : join(homedir(), '.config'), 'weir', 'key');
  try {
    const { mode } = await stat(path);
    const text = await readFile(path, 'utf8');
    if (!isKey(text))
      return bad(name, `${path} holds no key.`, 'Put back the right one: stored secrets need it.');
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return warning(name, `${path} can be read by others.`, `chmod 600 ${path}`);
    }
    return ok(name, path);
  } catch (error) {
    if (isMissing(error)) return ok(name, `${path} is made at the first start.`);
    return bad(name, `${path} cannot be read.`, 'Make it readable for you.');
  }
}

function isKey(text: string): boolean {
  return Buffer.from(text.trim(), 'base64').length === 32;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
