import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../protocol/errors.ts';
import { UsageError } from './usage-error.ts';

/** Throws UsageError naming the file when it cannot be read or is not JSON. */
export async function readJsonFile(file: string, cwd: string): Promise<unknown> {
  const path = resolve(cwd, file);
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read as JSON: ${messageOf(error)}`);
  }
}

/** The file of `--props`: an object of values by prop name. */
export async function readPropsFile(
  file: string | undefined,
  cwd: string,
): Promise<Record<string, unknown>> {
  if (file === undefined) return {};
  const value = await readJsonFile(file, cwd);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new UsageError(`${resolve(cwd, file)} must hold an object of values by prop name.`);
}
