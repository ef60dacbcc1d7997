import { join, resolve } from 'node:path';
import type { Io } from './io.ts';

/** `--data`, else `WEIR_DATA`, else `.weir` in the working directory. */
export function dataFolderOf(io: Pick<Io, 'env' | 'cwd'>, option: string | undefined): string {
  const environment = io.env['WEIR_DATA'] ?? '';
  if (option !== undefined) return resolve(io.cwd, option);
  return environment === '' ? join(io.cwd, '.weir') : resolve(io.cwd, environment);
}
