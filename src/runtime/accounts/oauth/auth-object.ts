/** `$auth` of an account that was connected (pure): no client secret, and no refresh token of OAuth 2.0. */
import { signerField } from '../accounts.ts';
import type { ClientMethod, ConnectMethod } from '../apps/schema.ts';
import { isClientMethod } from './methods.ts';
import type { Identity } from './identity.ts';
import type { Tokens } from './server.ts';
import { at } from './token-response.ts';

export interface AuthParts {
  readonly tokens: Pick<Tokens, 'accessToken' | 'tokenSecret' | 'raw'>;
  /** Empty if there is no client: components expect text. */
  readonly clientId: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Parameters of the callback. */
  readonly callback: Readonly<Record<string, string>>;
  readonly identity: Partial<Record<'id' | 'label', string | undefined>> & Pick<Identity, 'kept'>;
}

export function authObject(method: ConnectMethod, parts: AuthParts): Record<string, unknown> {
  const { tokens, clientId, identity } = parts;
  const uid = identity.id === undefined ? {} : { oauth_uid: identity.id };
  if (!isClientMethod(method)) {
    const field = method.type === 'command' ? method.as : 'oauth_access_token';
    return { ...uid, oauth_client_id: clientId, [field]: tokens.accessToken };
  }
  return {
    ...ofDefinition(method, parts),
    ...uid,
    oauth_client_id: clientId,
    oauth_access_token: tokens.accessToken,
    // The platform's names: a token's secret is where other methods have a refresh token.
    ...(method.type === 'oauth1' && {
      oauth_refresh_token: tokens.tokenSecret,
      [signerField]: '',
    }),
  };
}

/** The values that the definition adds. */
function ofDefinition(
  method: ClientMethod,
  { tokens, fields, callback, identity }: AuthParts,
): Record<string, unknown> {
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
  const values = { ...fields, callback: back, token: tokens.raw, identity };
  const made = Object.entries(method.auth).flatMap(([name, template]) => {
    const text = fill(template, values);
    return text === '' ? [] : [[name, text] as const];
  });
  return { ...fields, ...back, ...kept, ...identity.kept, ...Object.fromEntries(made) };
}

function fill(template: string, values: object): string {
  return template.replaceAll(/\{([\w.]+)\}/g, (_whole, path: string) => {
    const value = at(values, `/${path.replaceAll('.', '/')}`);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
}
