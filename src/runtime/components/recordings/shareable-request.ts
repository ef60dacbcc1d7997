/** HTTP requests as they may be stored, and as they may be in a file for others (pure). */
import type { HttpBody, HttpHeader, OutgoingRequest } from '../../../protocol/outgoing-request.ts';
import type { Mask } from '../../../protocol/mask.ts';
import { valueOfJson } from '../../../protocol/json-text.ts';
import { removed } from '../../../protocol/secret-shapes.ts';
import { isSecretHeader } from './secrets.ts';
import { shareable, urlWithoutSecrets } from './shareable.ts';
import { isRecord } from '../../../protocol/record.ts';

/** Values of headers that sign somebody in, of cookies, and of such parameters of the URL are taken out. */
export function withoutCredentials<T extends Partial<OutgoingRequest>>(request: T): T {
  const { url, headers, response } = request;
  return {
    ...request,
    ...(url !== undefined && { url: urlWithoutSecrets(url) }),
    ...(headers !== undefined && { headers: headers.map(withoutSecret) }),
    ...(response && { response: { ...response, headers: response.headers.map(withoutSecret) } }),
  };
}

function withoutSecret([name, value]: HttpHeader): HttpHeader {
  const isSecret =
    isSecretHeader(name) || /^set-cookie$|token|secret|signature|password|api-?key/i.test(name);
  return [name, isSecret ? removed : value];
}

/** Replaces secrets in every text of a request. @param hide replaces the secrets of a text */
export function withHidden<T extends Partial<OutgoingRequest>>(
  request: T,
  hide: (text: string) => string,
): T {
  const { url, headers, body, response, error } = request;
  const hideBody = (given: HttpBody | null): HttpBody | null =>
    given === null ? null : { ...given, text: hide(given.text) };
  const hideHeaders = (given: readonly HttpHeader[]): HttpHeader[] =>
    given.map(([name, value]) => [name, hide(value)]);
  return {
    ...request,
    ...(url !== undefined && { url: hide(url) }),
    ...(headers !== undefined && { headers: hideHeaders(headers) }),
    ...(body !== undefined && { body: hideBody(body) }),
    ...(response && {
      response: {
        ...response,
        headers: hideHeaders(response.headers),
        body: hideBody(response.body),
      },
    }),
    ...(typeof error === 'string' && { error: hide(error) }),
  };
}

/** Without tokens in its bodies, too, and without values that the mask hides. */
export function shareableRequest<T extends Partial<OutgoingRequest>>(request: T, mask: Mask): T {
  const clean = withHidden(withoutCredentials(request), (text) => mask.text(text));
  const { body, response } = clean;
  return {
    ...clean,
    ...(body && { body: withoutTokens(body, mask) }),
    ...(response && {
      response: {
        ...response,
        body: response.body === null ? null : withoutTokens(response.body, mask),
      },
    }),
  };
}

/** JSON and forms are looked into; a text in which nothing is found stays as it is, byte by byte. */
export function withoutTokens(body: HttpBody, mask: Mask): HttpBody {
  if (body.is_base64 === true) return body;
  const value = valueOfJson(body.text);
  if (typeof value === 'object' && value !== null) {
    const found = shareable(value, '', mask);
    const clean = withoutTokenMembers(found.value);
    const text = JSON.stringify(clean);
    return text === JSON.stringify(value) ? body : { ...body, text };
  }
  if (!/^[\w.~%+*-]+=[^\s{}<>]*$/.test(body.text)) return body;
  const form = new URLSearchParams(body.text);
  const secret = [...new Set(form.keys())].filter(isTokenName);
  if (secret.length === 0) return body;
  for (const name of secret) form.set(name, removed);
  return { ...body, text: form.toString() };
}

function withoutTokenMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokenMembers);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && isTokenName(name) ? removed : withoutTokenMembers(member),
    ]),
  );
}

/** As OAuth and sign-in forms have them. */
function isTokenName(name: string): boolean {
  return /^(?:(?:access|refresh|id|auth|bearer)_?token|client_?secret|client_assertion|password|api_?key|secret_?key|private_?key)$/i.test(
    name,
  );
}
