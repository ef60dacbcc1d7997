/**
 * Forms of `multipart/form-data` (pure): RFC 7578, and what clients send beside it, such as a preamble, lines that
 * end with LF alone, parameters without quotes and a last boundary that is missing. Our own reading, because what
 * `Response.formData()` takes depends on the version of Node.
 */
import { charsetParameter, decoderOf, type TextDecoding } from './body-text.ts';

export interface FormPart {
  readonly name: string;
  /** Undefined for a text field. */
  readonly filename: string | undefined;
  /** Content type of a file: printable ASCII, because it becomes a header when the file is fetched. */
  readonly contentType: string;
  readonly content: Buffer;
  /** Content of a text field. */
  readonly text: string;
}

/** @returns undefined for what is not such a form */
export function readMultipart(body: Buffer, contentType: string): readonly FormPart[] | undefined {
  const boundary = parametersOf(contentType).get('boundary');
  if (boundary === undefined || boundary === '') return undefined;
  const raw = rawParts(body, boundary);
  if (raw === undefined) return undefined;
  const parts = raw.flatMap(readPart);
  if (parts.length < raw.length) return undefined;
  // A field of that name says in which charset the texts are (RFC 7578 §4.6).
  const said = parts.find(({ name }) => name.equals(charsetField));
  const usual = decoderOf(said?.content.toString('latin1').trim() ?? charsetParameter(contentType));
  return parts.map(({ type, content, ...part }): FormPart => {
    const own = charsetParameter(type ?? '');
    const isFile = part.filename !== undefined || part.extended !== undefined;
    return {
      name: usual(part.name),
      filename: isFile ? (part.extended ?? usual(part.filename ?? empty)) : undefined,
      contentType: mediaTypeOf(type),
      content,
      text: isFile ? '' : (own === undefined ? usual : decoderOf(own))(content),
    };
  });
}

/** Returns what RFC 7578 says for a part without a type, and the type of unknown bytes for one that is no header. */
function mediaTypeOf(type: string | undefined): string {
  if (type === undefined) return 'text/plain';
  return /^[\x20-\x7e]+$/.test(type) ? type : 'application/octet-stream';
}

interface ReadPart {
  readonly name: Buffer;
  readonly filename: Buffer | undefined;
  /** Value of `filename*`, which has priority. */
  readonly extended: string | undefined;
  readonly type: string | undefined;
  readonly content: Buffer;
}

const charsetField = Buffer.from('_charset_');
const empty = Buffer.alloc(0);
const [lf, cr] = [10, 13];

/** The bytes between the lines that are a boundary; undefined when there is no such line. */
function rawParts(body: Buffer, boundary: string): Buffer[] | undefined {
  const line = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Buffer[] = [];
  let start: number | undefined;
  for (let at = body.indexOf(line); at !== -1; at = body.indexOf(line, at + 1)) {
    if (at > 0 && body[at - 1] !== lf) continue;
    // A boundary that only begins like this one is not one.
    const rest = /^(--)?[ \t]*(?:\r?\n|$)/.exec(
      body.subarray(at + line.length, at + line.length + 256).toString('latin1'),
    );
    if (rest === null) continue;
    if (start !== undefined) parts.push(body.subarray(start, endOfLine(body, start, at)));
    if (rest[1] !== undefined) return parts;
    start = at + line.length + rest[0].length;
  }
  if (start === undefined) return undefined;
  // Some clients leave the last boundary out; a body that was cut off does not come this far.
  if (start < body.length) parts.push(body.subarray(start, endOfLine(body, start, body.length)));
  return parts;
}

/** The line break before a boundary belongs to the boundary. */
function endOfLine(body: Buffer, start: number, at: number): number {
  if (at <= start || body[at - 1] !== lf) return at;
  return at - 1 > start && body[at - 2] === cr ? at - 2 : at - 1;
}

/** Returns nothing for a part without a name: the body is then not a form. */
function readPart(part: Buffer): ReadPart | [] {
  const text = part.toString('latin1');
  const end = /\r?\n(?:\r?\n|$)/.exec(text);
  if (end === null) return [];
  const headers = new Map<string, string>();
  // A line that begins with a blank continues the previous one.
  for (const line of text
    .slice(0, end.index)
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0)
      headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = parametersOf(disposition);
  const [name, filename] = [parameters.get('name'), parameters.get('filename')];
  if (!/^form-data\s*(?:;|$)/i.test(disposition) || name === undefined) return [];
  return {
    name: formBytes(name),
    filename: filename === undefined ? undefined : formBytes(filename),
    extended: extendedValue(parameters.get('filename*')),
    type: headers.get('content-type'),
    content: decodedContent(
      part.subarray(end.index + end[0].length),
      headers.get('content-transfer-encoding'),
    ),
  };
}

const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s;"]*))/g;

/** Parameters of a header in its bytes (latin1); the first of several of one name counts. */
function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(parameter)) {
    // Old browsers put paths with single backslashes here.
    const value = quoted === undefined ? token : quoted.replaceAll(/\\(["\\])/g, '$1');
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
  }
  return found;
}

/** Browsers escape these three and nothing else. */
function formBytes(value: string): Buffer {
  const text = value.replaceAll(/%(?:22|0D|0A)/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  return Buffer.from(text, 'latin1');
}

/** `UTF-8''%e2%82%ac.txt` (RFC 8187). */
function extendedValue(value: string | undefined): string | undefined {
  const [, charset = '', escaped = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value ?? '') ?? [];
  if (charset === '') return undefined;
  const decode: TextDecoding = decoderOf(charset);
  return decode(percentDecoded(escaped));
}

/** @param text in bytes (latin1) */
export function percentDecoded(text: string): Buffer {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

function decodedContent(content: Buffer, encoding: string | undefined): Buffer {
  switch ((encoding ?? '').toLowerCase()) {
    case 'base64':
      return Buffer.from(content.toString('latin1'), 'base64');
    case 'quoted-printable': {
      const text = content.toString('latin1').replaceAll(/=[ \t]*\r?\n/g, '');
      return percentDecoded(text.replaceAll('%', '%25').replaceAll(/=([0-9a-f]{2})/gi, '%$1'));
    }
    default:
      return content;
  }
}
