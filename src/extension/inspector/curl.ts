import type { StoredTrigger } from '../../protocol/catalogue.ts';

type Request = Extract<StoredTrigger, { kind: 'http' }>;

/** Headers that curl or the connection adds by itself. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'expect',
]);

/** A received request as a curl command for a POSIX shell, with the same method, headers and body. */
export function curlOf(request: Request): string {
  const { method, url, headers, body, body_encoding: encoding } = request;
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quoted(url)];
  for (const [name, value] of Object.entries(headers)) {
    if (!ownHeaders.has(name)) parts.push('-H', quoted(`${name}: ${value}`));
  }
  if (body === '') return parts.join(' ');
  if (encoding === 'utf8') return [...parts, '--data-binary', quoted(body)].join(' ');
  const command = [...parts, '--data-binary', '@-'].join(' ');
  return `printf %s ${quoted(body)} | base64 -d | ${command}`;
}

/** Between single quotes nothing is special except the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
