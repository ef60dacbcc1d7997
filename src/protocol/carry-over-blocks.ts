/** Blocks of a carry-over in any text: what a step of the platform hands over, and Weir takes (pure). */

/** `WEIRCARRY1.<header>.<body>`, both base64url. It survives JSON, logs and mails. */
export const blockPattern = /WEIRCARRY1\.[\w-]{1,4096}\.[\w-]+/g;

/** Longer than any block: a text without an end by then is not a block. */
const mostCharacters = 8 * 1024 * 1024;
const start = 'WEIRCARRY1.';

/** Finds blocks in a text that arrives in pieces. */
export class BlockScanner {
  #rest = '';

  /** Returns the complete blocks; a block that may continue in the next piece is kept for later. */
  push(text: string): string[] {
    this.#rest += text;
    const found: string[] = [];
    let end = 0;
    for (const match of this.#rest.matchAll(blockPattern)) {
      const after = match.index + match[0].length;
      if (after === this.#rest.length) break;
      found.push(match[0]);
      end = after;
    }
    const open = this.#rest.indexOf(start, end);
    // If no block has begun, only the beginning of its first word may be at the end.
    this.#rest =
      open === -1
        ? this.#rest.slice(Math.max(end, this.#rest.length - start.length))
        : this.#rest.slice(open);
    if (this.#rest.length > mostCharacters) this.#rest = '';
    return found;
  }

  /** Returns the block at the very end. */
  end(): string[] {
    return this.#rest.match(blockPattern) ?? [];
  }
}
