/**
 * The one place where answers of token endpoints are bent into the shape of RFC 6749: what a provider does
 * otherwise is said by its definition, and without such a rule the answer is refused as it is.
 */
import { textUpTo } from '../../base/limited-answer.ts';
import type { OAuthMethod } from '../apps/schema.ts';

export type ResponseRules = OAuthMethod['response'];

/** Tokens have some KB. */
const mostBytes = 1024 * 1024;

type Body = Record<string, unknown>;

/** @param hasIssuer without one, nobody could say whose ID token it is, and it is left out */
export async function normaliseTokenResponse(
  rules: ResponseRules,
  hasIssuer: boolean,
  response: Response,
): Promise<Response> {
  const text = await textUpTo(response, mostBytes);
  const body = rules.form ? formBody(text) : jsonBody(text);
  if (body === undefined) return new Response(text, headOf(response, response.status));
  const bent = bend(rules, hasIssuer, body);
  return new Response(JSON.stringify(bent), {
    status: statusOf(rules, response.status, bent),
    headers: { 'content-type': 'application/json' },
  });
}

function bend(rules: ResponseRules, hasIssuer: boolean, given: Body): Body {
  const body = rules.loose ? withoutNulls(given) : { ...given };
  for (const name of ['access_token', 'refresh_token', 'expires_in'] as const) {
    const pointer = rules[name];
    const value = pointer === undefined ? undefined : at(given, pointer);
    if (value !== undefined && value !== null) body[name] = value;
  }
  const { scope } = body;
  if (rules.loose && Array.isArray(scope)) body['scope'] = scope.join(' ');
  if (rules.token_type && body['access_token'] !== undefined) body['token_type'] = 'bearer';
  if (!hasIssuer) delete body['id_token'];
  return body;
}

function statusOf(rules: ResponseRules, status: number, body: Body): number {
  if (rules.error_in_200 && status === 200 && typeof body['error'] === 'string') return 400;
  return rules.any_success && status > 200 && status < 300 ? 200 : status;
}

/** The value that a JSON pointer names; undefined when it is not there. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Body)[key];
  }
  return found;
}

function withoutNulls(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

function jsonBody(text: string): Body | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

function formBody(text: string): Body | undefined {
  const body = Object.fromEntries(new URLSearchParams(text));
  return 'access_token' in body || 'error' in body ? body : jsonBody(text);
}

function headOf(response: Response, status: number): ResponseInit {
  const type = response.headers.get('content-type') ?? 'text/plain';
  return { status, headers: { 'content-type': type } };
}
