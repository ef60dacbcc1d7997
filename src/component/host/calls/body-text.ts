/** The text of a request body (P7.46), and whether it holds every byte of it (P7.47). */

/** The character that a decoder puts for bytes that are invalid in a charset. */
const replacement = '\uFFFD';

const charsetPattern = /;\s*charset\s*=\s*["']?([^\s;"']+)/i;
const utf8 = /^utf-?8$/i;
const ofText = /^text\/|\bjson\b/i;

/** The `charset` that a content type names. */
export function charsetParameter(contentType: string): string | undefined {
  return contentType.includes(';') ? charsetPattern.exec(contentType)?.[1] : undefined;
}

export type TextDecoding = (bytes: Buffer) => string;

/** @param charset undefined for UTF-8, which is what a charset that nobody knows is read as */
export function decoderOf(charset: string | undefined): TextDecoding {
  if (charset === undefined || utf8.test(charset)) return (bytes) => bytes.toString('utf8');
  try {
    const decoder = new TextDecoder(charset);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => bytes.toString('utf8');
  }
}

/** Undefined for UTF-8, which almost every body has, and for a body without a charset. */
export function charsetOf(contentType: string, content: Uint8Array): string | undefined {
  const said = charsetParameter(contentType);
  if (said === undefined) {
    // Bytes that no UTF-8 begins with: a text in UTF-16 says so itself.
    return (content[0] ?? 0) >= 0xfe && ofText.test(contentType) ? utf16Of(content) : undefined;
  }
  if (utf8.test(said)) return undefined;
  return /^utf-?16$/i.test(said) ? utf16Of(content) : said;
}

/** The byte order mark says which one it is; without one it is the one that computers use (WHATWG). */
function utf16Of([first, second]: Uint8Array): string {
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-16le';
}

/** @param charset undefined for UTF-8, which is what a charset that nobody knows is read as */
export function textOf(content: Buffer, charset: string | undefined): string {
  return decoderOf(charset)(content);
}

/**
 * Whether a text, as UTF-8, is these bytes.
 * @param isRead the text was read from just these bytes as UTF-8: only a replacement can be wrong then
 */
export function holdsBytes(text: string, bytes: Buffer, isRead: boolean): boolean {
  if (isRead && !text.includes(replacement)) return true;
  return Buffer.from(text).equals(bytes);
}
