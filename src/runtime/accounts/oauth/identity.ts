/** Finds out from the provider whose account it is: one request with the new token. */
import { textUpTo } from '../../base/limited-answer.ts';
import type { AppDefinition, OAuthMethod } from '../apps/schema.ts';
import { filledAddress } from './fields.ts';
import { at } from './token-response.ts';

export interface Identity {
  readonly id?: string;
  /** Such as an e-mail address. */
  readonly label?: string;
  /** Further values of the answer for `$auth`. */
  readonly kept?: Readonly<Record<string, string>>;
}

/** The credentials of a request on behalf of an account. */
export interface Proof {
  readonly accessToken: string;
  /** For OAuth 1.0a: the `Authorization` of a GET. */
  readonly sign?: (url: string) => string;
}

const timeoutMs = 15_000;

/**
 * Empty when the definition has no address for it, or the provider does not say.
 * @param fields what the user filled in, for the placeholders of the address
 */
export async function identityOf(
  rule: OAuthMethod['identity'],
  { accessToken, sign }: Proof,
  fields: Readonly<Record<string, string>>,
): Promise<Identity> {
  if (rule === undefined) return {};
  try {
    const url = filledAddress(rule.url, fields);
    const value = rule.value.replaceAll('{access_token}', () => accessToken);
    const headers = sign === undefined ? { [rule.header]: value } : { authorization: sign(url) };
    const response = await get(url, headers);
    if (!response.ok) return {};
    const body: unknown = JSON.parse(await textUpTo(response, 1024 * 1024));
    const [id, label] = [at(body, rule.id), at(body, rule.label ?? '/')];
    const kept = Object.entries(rule.keep).flatMap(([name, pointer]) => {
      const found = at(body, pointer);
      return isName(found) ? [[name, String(found)] as const] : [];
    });
    return {
      ...(isName(id) && { id: String(id) }),
      ...(isName(label) && { label: String(label) }),
      ...(kept.length > 0 && { kept: Object.fromEntries(kept) }),
    };
  } catch {
    return {};
  }
}

export interface FailedCheck {
  readonly message: string;
  /** The app answered, and does not take the token. */
  readonly isRefusal: boolean;
}

/** What is wrong with a token, according to the check request of its app's definition; undefined without one. */
export async function checkToken(
  { check, name }: Pick<AppDefinition, 'check' | 'name'>,
  { accessToken, sign }: Proof,
): Promise<FailedCheck | undefined> {
  if (check === undefined) return undefined;
  try {
    const authorization = sign?.(check.url) ?? `Bearer ${accessToken}`;
    const { status } = await get(check.url, { authorization });
    if (check.ok.includes(status)) return undefined;
    const message = `${name} answered the check with ${status}.`;
    return { message, isRefusal: status === 401 };
  } catch {
    return { message: `${name} could not be reached.`, isRefusal: false };
  }
}

function get(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

function isName(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
