import { readFileSync } from 'node:fs';
import { messageOf, WeirError } from '../../../protocol/errors.ts';

/**
 * Undefined when it is not there.
 * @throws WeirError `bad_input` for one that cannot be read
 */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new WeirError('bad_input', `${path} cannot be read: ${messageOf(error)}.`);
  }
}
