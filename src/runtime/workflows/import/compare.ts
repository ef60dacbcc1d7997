/** How a file that is imported again differs from the one here, compared with the last import (pure). */
import { createHash } from 'node:crypto';

/**
 * - `newer`: the import has changed since, and the file here has not
 * - `edited`: the file here was changed since, and the import has not
 * - `both`: both were changed
 * - `unknown`: nobody knows what was imported last
 */
export type Change = 'newer' | 'edited' | 'both' | 'unknown';

/**
 * @param last digest of what was imported last; undefined where nobody wrote it down
 * @returns undefined for a file that is the same
 */
export function changeOf(here: string, next: string, last: string | undefined): Change | undefined {
  if (here === next) return undefined;
  if (last === undefined) return 'unknown';
  if (here === last) return 'newer';
  return next === last ? 'edited' : 'both';
}

/** SHA-256, hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
