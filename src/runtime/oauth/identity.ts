/** Who an account is of, as the provider says: one request with the new token. */
import type { AppDefinition, OAuthMethod } from '../apps/schema.ts';
import { at } from './token-response.ts';

export interface Identity {
  readonly id?: string;
  /** Such as an e-mail address. */
  readonly label?: string;
}

const timeoutMs = 15_000;

/** Empty when the definition has no address for it, or the provider does not say. */
export async function identityOf(method: OAuthMethod, accessToken: string): Promise<Identity> {
  const { identity } = method;
  if (identity === undefined) return {};
  try {
    const response = await get(identity.url, accessToken);
    if (!response.ok) return {};
    const body: unknown = await response.json();
    const [id, label] = [at(body, identity.id), at(body, identity.label ?? '/')];
    return {
      ...(isName(id) && { id: String(id) }),
      ...(isName(label) && { label: String(label) }),
    };
  } catch {
    return {};
  }
}

/** What the app answers to the request of its definition that needs a good token; undefined without one. */
export async function checkToken(
  { check, name }: Pick<AppDefinition, 'check' | 'name'>,
  accessToken: string,
): Promise<string | undefined> {
  if (check === undefined) return undefined;
  try {
    const { status } = await get(check.url, accessToken);
    return check.ok.includes(status) ? undefined : `${name} answered the check with ${status}.`;
  } catch {
    return `${name} could not be reached.`;
  }
}

function get(url: string, accessToken: string): Promise<Response> {
  return fetch(url, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

function isName(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
