import { formatDuration } from '../views/invocation-line.ts';
import { type Answer, headerOf, keptBytes } from './send-request.ts';

/** How much of a body that is no text is shown, in bytes. */
const shownBinary = 256;

/** An answer as text: two lines about it, then as HTTP writes it, with its body made readable. */
export function answerText(
  answer: Answer,
  sent: { readonly method: string; readonly url: string },
): string {
  const { status, reason, httpVersion, headers, ms, bytes } = answer;
  const body = bodyText(answer);
  return [
    `# ${sent.method} ${sent.url}`,
    `# answered after ${formatDuration(ms)} with ${inBytes(bytes)}`,
    `HTTP/${httpVersion} ${status} ${reason}`.trimEnd(),
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(body === '' ? [] : ['', body]),
    '',
  ].join('\n');
}

/** "45 bytes", "12.3 KB", "1.5 MB". */
export function inBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [count, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${count.toFixed(1).replace(/\.0$/, '')} ${unit}`;
}

function bodyText({ body, headers, isCut, bytes }: Answer): string {
  if (body.length === 0) return '';
  const type = headerOf(headers, 'content-type') ?? '';
  const text = asText(body, type, isCut);
  if (text === undefined) {
    const all = isCut ? inBytes(bytes) : inBytes(body.length);
    const more = body.length > shownBinary ? `; its first ${shownBinary} bytes` : '';
    return `(binary body of ${all}${more}:)\n${hexLines(body.subarray(0, shownBinary))}`;
  }
  if (isCut) {
    return `${text}\n(cut: this is the first ${inBytes(keptBytes)} of a body of ${inBytes(bytes)})`;
  }
  return (isJson(type) ? prettyJson(text) : undefined) ?? text.trimEnd();
}

/** Undefined for what no charset makes a text of. */
function asText(body: Uint8Array, type: string, isCut: boolean): string | undefined {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)"?/i.exec(type) ?? [];
  try {
    // The cut may have hit the middle of a character.
    const text = new TextDecoder(charset, { fatal: true }).decode(body, { stream: isCut });
    // eslint-disable-next-line no-control-regex
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text.replaceAll(/\r\n?/g, '\n');
  } catch {
    return undefined;
  }
}

export function isJson(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(type.trim());
}

/**
 * JSON on several lines, its values as they were written: parsing would round long numbers and drop duplicate names.
 * Undefined if the text is not JSON.
 */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs) ?? [];
  return tokens
    .map((token, n) => {
      const isEmpty = /^[[{]$/.test(tokens[n - 1] ?? '');
      switch (token) {
        case '{':
        case '[':
          depth += 1;
          return /^[\]}]$/.test(tokens[n + 1] ?? '') ? token : `${token}${newLine()}`;
        case '}':
        case ']':
          depth -= 1;
          return isEmpty ? token : `${newLine()}${token}`;
        case ',':
          return `,${newLine()}`;
        case ':':
          return ': ';
        default:
          return token;
      }
    })
    .join('');
}

/** As `hexdump -C` writes it, 16 bytes a line. */
function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'));
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${text.join('')}`);
  }
  return lines.join('\n');
}
