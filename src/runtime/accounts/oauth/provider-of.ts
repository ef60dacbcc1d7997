/** Whom the tokens of an account come from, by its grant and the definition of its app as it is now. */
import { WeirError } from '../../../protocol/errors.ts';
import type { Accounts, Credentials, Grant } from '../accounts.ts';
import type { Apps } from '../apps/apps.ts';
import type { ConnectMethod } from '../apps/schema.ts';
import type { OAuthClients } from './clients.ts';
import { type AllowedCommands, checkCommand, commandText, runCommand } from './command.ts';
import { GrantFailed } from './failure.ts';
import type { Proof } from './identity.ts';
import { isClientMethod, methodOf } from './methods.ts';
import { OAuth1Server } from './oauth1/server.ts';
import type { SigningAccount } from './oauth1/signer.ts';
import { OAuthServer, type Tokens } from './server.ts';

export interface ProviderParts {
  readonly accounts: Accounts;
  readonly apps: Apps;
  readonly clients: OAuthClients;
  readonly allowedCommands: AllowedCommands;
}

export interface Provider {
  readonly method: ConnectMethod;
  /** Empty if there is no client. */
  readonly clientId: string;
  /** @throws GrantFailed */
  refresh(): Promise<Tokens>;
  /** Revokes a refresh token (RFC 7009), if the provider has an address for that. @throws GrantFailed */
  revoke(refreshToken: string): Promise<void>;
}

/** @throws WeirError when the definition or the OAuth client is not what it was */
export function providerOf(parts: ProviderParts, id: string, grant: Grant): Provider {
  const { accounts, apps, clients, allowedCommands } = parts;
  const { definition, from } = apps.get(accounts.get(id).app);
  const chosen = methodOf(definition, grant.kind);
  if (chosen.kind === 'command') {
    const { method } = chosen;
    return {
      method,
      clientId: '',
      refresh: () => {
        checkCommand(method, from);
        if (allowedCommands.has(method.run)) return runCommand(method);
        throw new GrantFailed(
          'dead',
          `Nobody has allowed "${commandText(method.run)}" in this workspace, which the definition of ${definition.name} names now.`,
        );
      },
      revoke: () => Promise.resolve(),
    };
  }
  if (chosen.kind === 'editor') {
    return {
      method: chosen.method,
      clientId: '',
      refresh: () =>
        Promise.reject(new GrantFailed('unreachable', 'Only VS Code can renew its own session.')),
      revoke: () => Promise.resolve(),
    };
  }
  const { clientId, ...keys } = clients.keys(definition, chosen.method, grant.client);
  if (chosen.kind === 'oauth1') {
    return {
      method: chosen.method,
      clientId,
      refresh: () =>
        Promise.reject(new GrantFailed('dead', 'A token of OAuth 1.0a is not renewed.')),
      revoke: () => Promise.resolve(),
    };
  }
  const server = new OAuthServer(chosen.method, grant.fields, { ...keys, clientId });
  return {
    method: chosen.method,
    clientId,
    refresh: () => {
      if (grant.refreshToken !== null) return server.refresh(grant.refreshToken);
      if (grant.kind === 'client_credentials') return server.clientCredentials(grant.scope);
      throw new GrantFailed('dead', 'There is no refresh token.');
    },
    revoke: async (token) => void (await server.revoke(token)),
  };
}

/** Returns the signer of an OAuth 1.0a account. @throws WeirError `not_found` if the account is not one */
export function signingAccount(parts: ProviderParts, id: string): SigningAccount {
  const { accounts, apps, clients } = parts;
  const { grant } = accounts.grant(id) ?? {};
  const { definition } = apps.get(accounts.get(id).app);
  const method = definition.methods.find(({ type }) => type === 'oauth1');
  if (grant?.kind !== 'oauth1' || method?.type !== 'oauth1')
    throw new WeirError('not_found', `The account "${id}" is none of OAuth 1.0a.`);
  const server = new OAuth1Server(
    method,
    grant.fields,
    clients.keys(definition, method, grant.client),
  );
  return { method, fields: grant.fields, server, token: signingKey(accounts.credentials(id)) };
}

/**
 * The credentials of a request on behalf of an account to the address where its definition checks tokens; undefined if
 * its keys were typed in and have no token.
 * @throws WeirError `conflict` if the definition has changed (clause 28)
 */
export function proofOf(parts: ProviderParts, id: string): Proof | undefined {
  const { accounts, apps, clients } = parts;
  const { oauth_access_token: accessToken } = accounts.credentials(id);
  if (typeof accessToken !== 'string') return undefined;
  const grant = accounts.grant(id)?.grant;
  const definition = apps.find(accounts.get(id).app)?.definition;
  if (grant !== undefined && definition?.check !== undefined) {
    const { method } = methodOf(definition, grant.kind);
    if (isClientMethod(method)) clients.requireCheck(definition, method, grant.client);
  }
  if (grant?.kind !== 'oauth1') return { accessToken };
  const { server, token } = signingAccount(parts, id);
  return { accessToken, sign: (url) => server.sign({ method: 'GET', url }, token) };
}

function signingKey({ oauth_access_token: key, oauth_refresh_token: secret }: Credentials) {
  return { key: String(key), secret: String(secret) };
}
