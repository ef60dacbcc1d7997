/**
 * The key that secrets are sealed with (P23.2): it lives in the user's
 * configuration folder, never in the workspace, and is made at first need.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { messageOf, WeirError } from '../../protocol/errors.ts';

export const keyBytes = 32;

export interface SealingKey {
  readonly bytes: Buffer;
  /** The file, or `WEIR_KEY`: what a message names. */
  readonly origin: string;
}

export interface KeyPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/** `$XDG_CONFIG_HOME/weir/key`, else `~/.config/weir/key`. The XDG standard ignores a relative path. */
export function keyPath({ env, home }: KeyPlace): string {
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(home, '.config'), 'weir', 'key');
}

/**
 * `WEIR_KEY`, else the key file, else a new key in a new key file. Throws `store_failed` when the key
 * cannot be read, is not a key, or cannot be written.
 */
export async function loadKey(place: KeyPlace): Promise<SealingKey> {
  return (await findKey(place)) ?? (await createKey(keyPath(place)));
}

/** The same without making a key: undefined if there is none yet. */
export async function findKey(place: KeyPlace): Promise<SealingKey | undefined> {
  const fromEnvironment = place.env['WEIR_KEY'] ?? '';
  if (fromEnvironment !== '') return parseKey(fromEnvironment, 'WEIR_KEY');
  return readKey(keyPath(place));
}

async function readKey(path: string): Promise<SealingKey | undefined> {
  try {
    return parseKey(await readFile(path, 'utf8'), path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (WeirError.is(error)) throw error;
    throw failure(`The key file ${path} cannot be read (${messageOf(error)}). Make it readable.`);
  }
}

/**
 * The file appears under its name whole or not at all, and once: of two runtimes that start together
 * the slower one takes the key of the other.
 */
async function createKey(path: string): Promise<SealingKey> {
  const text = randomBytes(keyBytes).toString('base64');
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeSynced(draft, `${text}\n`);
    try {
      await link(draft, path);
    } catch (error) {
      const existing = isCode(error, 'EEXIST') ? await readKey(path) : undefined;
      if (existing !== undefined) return existing;
      throw error;
    } finally {
      await rm(draft);
    }
  } catch (error) {
    if (WeirError.is(error)) throw error;
    throw failure(
      `The key file ${path} cannot be made (${messageOf(error)}). Make its folder writable or set WEIR_KEY.`,
    );
  }
  return parseKey(text, path);
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function parseKey(text: string, origin: string): SealingKey {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, 'base64');
  if (bytes.length !== keyBytes || bytes.toString('base64') !== trimmed) {
    throw failure(
      `${origin} does not hold a key: ${keyBytes} bytes in base64 are expected. Put back the right one; without it the stored secrets cannot be opened.`,
    );
  }
  return { bytes, origin };
}

function failure(message: string): WeirError {
  return new WeirError('store_failed', message);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
