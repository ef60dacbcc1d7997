/** Blocks of a carry-over out of a stream of bytes, and addresses that they may come from. */
import { BlockScanner } from '../../protocol/carry-over-blocks.ts';
import { UsageError } from '../arguments.ts';

/** The blocks of a text that arrives in pieces, however long it is. */
export async function* blocksOf(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const scanner = new BlockScanner();
  // A block is ASCII: what else stands around it is not looked at.
  for await (const piece of body) {
    yield* scanner.push(typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1'));
  }
  yield* scanner.end();
}

/** @throws UsageError for what is not a URL, and for HTTP to another machine */
export function requireSafe(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal =
    url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url;
  throw new UsageError(`${text} is not an https:// URL. Copy the address of the trigger or file.`);
}
