/** Blocks of a carry-over out of a stream of bytes, and addresses that they may come from. */
import { BlockScanner } from '../../protocol/carry-over-blocks.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { UsageError } from '../arguments.ts';

/** The blocks of a text that arrives in pieces, however long it is. */
export async function* blocksOf(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const scanner = new BlockScanner();
  for await (const piece of body) yield* scanner.push(asciiOf(piece));
  yield* scanner.end();
}

/** A block is ASCII, but its text may be saved as UTF-16; the text around it does not matter. */
function asciiOf(piece: Uint8Array | string): string {
  const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1');
  return text.replaceAll('\0', '');
}

export interface BlockRequest {
  readonly init?: RequestInit;
  /** Timeout until the whole body has arrived, in ms. */
  readonly timeoutMs: number;
  readonly interrupted: AbortSignal;
  /** What to do if the connection fails, as a sentence. */
  readonly advice: string;
  /** What happened and what to do, for a status that is not 200 to 299. */
  readonly refusal: (status: number) => string;
}

/**
 * Requests a URL and yields the blocks of the body.
 * @throws WeirError `bad_input` where the connection fails, even in the middle of the body, and for another status;
 *   `cancelled` after Ctrl-C
 */
export async function* fetchBlocks(
  url: URL,
  { init, timeoutMs, interrupted, advice, refusal }: BlockRequest,
): AsyncGenerator<string> {
  try {
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { ...init, signal });
    if (response.ok && response.body !== null) {
      yield* blocksOf(response.body);
      return;
    }
    await response.body?.cancel();
    throw new WeirError('bad_input', refusal(response.status));
  } catch (error) {
    if (WeirError.is(error)) throw error;
    if (interrupted.aborted) {
      const message = 'Cancelled. What was taken is kept; the same command takes the rest.';
      throw new WeirError('cancelled', message, undefined, error);
    }
    const message = `The connection to ${url.host} failed (${reasonOf(error)}). ${advice}`;
    throw new WeirError('bad_input', message, undefined, error);
  }
}

/** `fetch` names the reason in the cause of its error only. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return messageOf(cause instanceof Error && cause.message !== '' ? cause : error);
}

/**
 * Parses the address of a trigger or file.
 * @throws UsageError for what is not a URL, for HTTP to another machine, and for a URL with a password
 */
export function parseBlockUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal =
    url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
  if (url === undefined || !isSafe) {
    throw new UsageError(
      `${text} is not an https:// URL. Copy the address of the trigger or file.`,
    );
  }
  if (url.username === '' && url.password === '') return url;
  throw new UsageError(
    `The URL of ${url.host} contains a user name or password. Leave it out, and switch the authorization of the trigger off: the step checks a token of its own.`,
  );
}
