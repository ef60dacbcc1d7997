/** Names and values of queries and forms as an object (P7.6, P7.9, P7.53). */
import { own } from '../../../protocol/own.ts';
import { assign } from '../values.ts';
import { decoderOf } from './body-text.ts';
import { percentDecoded } from './multipart.ts';

/** A name that is given several times becomes a list. Values are texts, or the objects of files: never lists. */
export function fieldsOf(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const before = own(fields, name);
    if (before === undefined) assign(fields, name, value);
    else if (Array.isArray(before)) before.push(value);
    else assign(fields, name, [before, value]);
  }
  return fields;
}

/** Names and values of a query string, which is in UTF-8. */
export function queryFields(query: string): Record<string, unknown> {
  return fieldsOf(pairsIn(query, decodedUtf8));
}

/**
 * The fields of a form. Escapes are bytes in the charset of the form: the charset of its content type, otherwise that
 * of its field `_charset_`, which browsers fill in.
 * @param text of the body
 * @param charset of its content type; undefined for UTF-8
 */
export function formFields(
  content: Buffer,
  text: string,
  charset: string | undefined,
): Record<string, unknown> {
  const said = charset ?? /(?:^|&)_charset_=([\w.:-]+)(?:&|$)/.exec(text)?.[1];
  // A charset that does not extend ASCII cannot be split by its bytes.
  if (said === undefined || /^utf-?(?:8|16|32)/i.test(said)) return queryFields(text);
  const decode = decoderOf(said);
  return fieldsOf(pairsIn(content.toString('latin1'), (bytes) => decode(percentDecoded(bytes))));
}

/** As `URLSearchParams` reads them, which takes seconds for 500 KB of short ones. */
function pairsIn(text: string, decode: (text: string) => string): [string, string][] {
  const decoded = (part: string): string => decode(part.replaceAll('+', ' '));
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals === -1) return [decoded(pair), ''];
      return [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))];
    });
}

function decodedUtf8(text: string): string {
  if (!text.includes('%')) return text;
  return percentDecoded(Buffer.from(text).toString('latin1')).toString('utf8');
}
