/** `$auth` of an account that connected by OAuth (pure): no client secret and no refresh token. */
import type { OAuthMethod } from '../apps/schema.ts';
import type { Tokens } from './server.ts';
import { at } from './token-response.ts';

export interface AuthParts {
  readonly tokens: Pick<Tokens, 'accessToken' | 'raw'>;
  readonly clientId: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Parameters of the callback. */
  readonly callback: Readonly<Record<string, string>>;
  readonly identity: { readonly id?: string | undefined; readonly label?: string | undefined };
}

export function authObject(method: OAuthMethod, parts: AuthParts): Record<string, unknown> {
  const { tokens, clientId, fields, callback, identity } = parts;
  const kept = Object.fromEntries(
    method.keep.token
      .filter((name) => tokens.raw[name] !== undefined)
      .map((name) => [name, tokens.raw[name]]),
  );
  const back = Object.fromEntries(
    method.keep.callback
      .filter((name) => callback[name] !== undefined)
      .map((name) => [name, callback[name]]),
  );
  const uid = identity.id === undefined ? {} : { oauth_uid: identity.id };
  const values = { ...fields, callback: back, token: tokens.raw, identity };
  const made = Object.entries(method.auth).flatMap(([name, template]) => {
    const text = fill(template, values);
    return text === '' ? [] : [[name, text] as const];
  });
  return {
    ...fields,
    ...back,
    ...kept,
    ...uid,
    ...Object.fromEntries(made),
    oauth_client_id: clientId,
    oauth_access_token: tokens.accessToken,
  };
}

function fill(template: string, values: object): string {
  return template.replaceAll(/\{([\w.]+)\}/g, (_whole, path: string) => {
    const value = at(values, `/${path.replaceAll('.', '/')}`);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
}
