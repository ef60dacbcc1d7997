import type { StoredTrigger } from '../../protocol/catalogue.ts';

/** A request as it was received. */
export type Request = Extract<StoredTrigger, { kind: 'http' }>;

/** Headers that curl or the connection adds by itself. */
export const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'expect',
]);

/** The same request to another address of its endpoint, such as the current one. */
export function sentTo(endpoint: string, request: Request): Request {
  const path = request.path === '/' ? '' : request.path;
  const query = request.query === '' ? '' : `?${request.query}`;
  return { ...request, url: `${endpoint}${path}${query}` };
}

/** For an endpoint that nothing was sent to yet. */
export function sampleCurl(endpoint: string): string {
  return `curl ${quoted(endpoint)} -H 'content-type: application/json' -d '{"hello":"weir"}'`;
}

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
