/** A message as it is sent (RFC 822) as the event that the platform gives to e-mail triggers (P25.94). */
import { isUtf8 } from 'node:buffer';
import type { Attachment } from 'postal-mime';
import { WeirError } from '../../../protocol/errors.ts';
import { emailHeaders } from './email-headers.ts';

/** Larger messages are refused, as on the platform. */
export const largestEmail = 30 * 1024 * 1024;

/** How many bytes of a text attachment are in the event. */
const largestContent = 10_000;

/** Keeps bytes for half an hour. @returns where they can be fetched */
export type KeepFile = (
  bytes: Uint8Array,
  about: { readonly filename: string; readonly contentType: string },
) => Promise<string>;

/**
 * The bytes of a message that was given as text or in base64.
 * @throws WeirError `bad_input` for what is no message, `too_large`
 */
export function emailBytes(given: string): Uint8Array {
  const isText = looksLikeEmail(given);
  const bytes = isText ? Buffer.from(given) : Buffer.from(given, 'base64');
  if (bytes.length > largestEmail) {
    throw new WeirError('too_large', 'The message is larger than 30 MB.');
  }
  if (!isText && !looksLikeEmail(bytes.toString('latin1', 0, 64 * 1024))) {
    throw new WeirError(
      'bad_input',
      'This is not an e-mail: a message begins with its headers, such as "From: ada@example.com", and has an empty line before its text. It may be given as text or in base64.',
    );
  }
  return bytes;
}

/** @throws WeirError `bad_input` when it cannot be read */
export async function emailEvent(message: Uint8Array, keep: KeepFile): Promise<object> {
  // A mail is rare.
  const { default: PostalMime, addressParser, decodeWords } = await import('postal-mime');
  let email: Awaited<ReturnType<typeof PostalMime.parse>>;
  try {
    email = await PostalMime.parse(message, { attachmentEncoding: 'arraybuffer' });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WeirError('bad_input', `The message cannot be read: ${why}`, undefined, error);
  }
  const rawUrl = await keep(message, { filename: 'message.eml', contentType: 'message/rfc822' });
  return {
    headers: emailHeaders(email.headers, { addressParser, decodeWords }),
    body: {
      ...(email.text !== undefined && { text: email.text }),
      ...(email.html !== undefined && { html: email.html }),
    },
    attachments: await Promise.all(email.attachments.map((one) => attachmentOf(one, keep))),
    mail: { content_url: rawUrl },
    rawUrl,
  };
}

/** A line of a header comes first; `From ` is how mailboxes begin one. */
function looksLikeEmail(text: string): boolean {
  return /^(?:From [^\n]*\r?\n)?[a-z][\w.-]*[ \t]*:/i.test(text);
}

async function attachmentOf(
  { filename, mimeType, disposition, contentId, content }: Attachment,
  keep: KeepFile,
): Promise<object> {
  const bytes =
    typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
  const name = filename ?? 'attachment';
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return {
    filename: name,
    contentType: mimeType,
    contentDisposition: disposition,
    ...(contentId !== undefined && { contentId }),
    size: bytes.length,
    contentUrl: await keep(bytes, { filename: name, contentType: mimeType }),
    ...(isText && {
      content: beginningOf(bytes),
      contentTruncated: bytes.length > largestContent,
    }),
  };
}

/** No character is cut in half. */
function beginningOf(bytes: Buffer): string {
  let end = Math.min(bytes.length, largestContent);
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
