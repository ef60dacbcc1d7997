/**
 * Reads the answers on one keep-alive connection without pipelining, with as little work as can be:
 * the load generator must not be what is measured. Understands a content-length and chunks.
 */
export class ResponseReader {
  #text = '';

  /** Returns the status when the answer is whole, undefined while more is to come. */
  push(chunk: Buffer): number | undefined {
    this.#text =
      this.#text === '' ? chunk.toString('latin1') : this.#text + chunk.toString('latin1');
    const end = this.#text.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const head = this.#text.slice(0, end).toLowerCase();
    const body = this.#text.length - end - 4;
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    const whole =
      length === undefined
        ? !head.includes('\r\ntransfer-encoding: chunked') || this.#text.endsWith('\r\n0\r\n\r\n')
        : body >= Number(length);
    if (!whole) return undefined;
    this.#text = '';
    return Number(head.slice(9, 12));
  }
}
