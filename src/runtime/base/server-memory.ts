/** How much memory a server may use. */
import { totalmem } from 'node:os';
import { WeirError } from '../../protocol/errors.ts';

const mb = 1024 * 1024;

/**
 * Returns the memory of a server in MB: the one given, or else that of its container or its machine.
 * @param given such as `512mb` or `2gb`. Throws `bad_input` for another form, and for less than 64 MB
 */
export function serverMemoryMb(given: string | undefined): number {
  if (given !== undefined) return parseMemory(given);
  const limit = process.constrainedMemory();
  // Without a limit Node says 0, or a number that no machine has.
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / mb);
}

function parseMemory(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(mb?|gb?)$/i.exec(text.trim()) ?? [];
  const size = Math.floor(Number(number) * (unit.toLowerCase().startsWith('g') ? 1024 : 1));
  if (number !== '' && size >= 64) return size;
  throw new WeirError(
    'bad_input',
    `"${text}" is not an amount of memory. Write 64mb or more, such as --memory 512mb or --memory 2gb.`,
  );
}
