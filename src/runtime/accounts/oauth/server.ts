/** The requests to a provider: one object per account or connection, made from the app's definition. */
import * as oauth from 'oauth4webapi';
import type { OAuthMethod } from '../apps/schema.ts';
import { GrantFailed, grantFailed } from './failure.ts';
import { filledAddress } from './fields.ts';
import { normaliseTokenResponse } from './token-response.ts';

/** An OAuth client of the user's own, in the clear. */
export interface ClientKeys {
  readonly id: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
}

export interface Tokens {
  readonly accessToken: string;
  /** For OAuth 1.0a: the secret that signs with the token. */
  readonly tokenSecret?: string;
  readonly refreshToken: string | undefined;
  /** Seconds; undefined: it never expires as far as is known. */
  readonly expiresIn: number | undefined;
  readonly scope: string | undefined;
  /** Further values of the response. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A token that came alone. @param expiresIn seconds */
export function plainTokens(accessToken: string, expiresIn?: number): Tokens {
  return { accessToken, refreshToken: undefined, expiresIn, scope: undefined, raw: {} };
}

export interface DeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  /** Seconds. */
  readonly interval: number;
  readonly expiresIn: number;
}

const requestTimeoutMs = 30_000;

export class OAuthServer {
  readonly #method: OAuthMethod;
  readonly #fields: Readonly<Record<string, string>>;
  readonly #keys: ClientKeys;
  readonly #client: oauth.Client;
  readonly #auth: oauth.ClientAuth;

  /** @param fields what the user filled in, for the placeholders of the addresses */
  constructor(method: OAuthMethod, fields: Readonly<Record<string, string>>, keys: ClientKeys) {
    this.#method = method;
    this.#fields = fields;
    this.#keys = keys;
    this.#client = { client_id: keys.clientId };
    this.#auth = clientAuth(method, keys);
  }

  authorizationUrl(parameters: Readonly<Record<string, string>>): string {
    const { authorization_url: address = '', authorization_params: more } = this.#method;
    const url = new URL(this.#fill(address));
    const all = { ...more, client_id: this.#keys.clientId, ...parameters };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    // `+` for a space is for forms; VS Code would make it `%2B` when it opens the address.
    return url.href.replaceAll('+', '%20');
  }

  /**
   * Exchanges the parameters of the browser's return.
   * @throws GrantFailed
   */
  async code(callback: URLSearchParams, expected: ExpectedCallback): Promise<Tokens> {
    const { token_url: url, token_params: more } = this.#method;
    return this.#ask(url, [expected.verifier ?? ''], async (as, options) => {
      const parameters = this.#validate(as, callback, expected.state);
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        this.#client,
        this.#auth,
        parameters,
        expected.redirectUri,
        expected.verifier ?? oauth.nopkce,
        { ...options, additionalParameters: more },
      );
      return oauth.processAuthorizationCodeResponse(as, this.#client, response, {
        ...(expected.nonce !== undefined && { expectedNonce: expected.nonce }),
      });
    });
  }

  /** @throws GrantFailed */
  refresh(refreshToken: string): Promise<Tokens> {
    const { refresh_url: own, token_url: url, refresh_params: more } = this.#method;
    return this.#ask(own ?? url, [refreshToken], async (as, options) => {
      const response = await oauth.refreshTokenGrantRequest(
        as,
        this.#client,
        this.#auth,
        refreshToken,
        { ...options, additionalParameters: more },
      );
      return oauth.processRefreshTokenResponse(as, this.#client, response);
    });
  }

  /** @throws GrantFailed */
  clientCredentials(scope: string): Promise<Tokens> {
    const { token_url: url, token_params: more } = this.#method;
    return this.#ask(url, [], async (as, options) => {
      const parameters = { ...more, ...(scope !== '' && { [this.#method.scope_param]: scope }) };
      const response = await oauth.clientCredentialsGrantRequest(
        as,
        this.#client,
        this.#auth,
        parameters,
        options,
      );
      return oauth.processClientCredentialsResponse(as, this.#client, response);
    });
  }

  /** @throws GrantFailed */
  async deviceCode(scope: string): Promise<DeviceCode> {
    const { device_url: address = '' } = this.#method;
    const parameters = scope === '' ? {} : { [this.#method.scope_param]: scope };
    const answer = await this.#request(address, [], async (as, options) => {
      const response = await oauth.deviceAuthorizationRequest(
        as,
        this.#client,
        this.#auth,
        parameters,
        options,
      );
      return oauth.processDeviceAuthorizationResponse(as, this.#client, response);
    });
    return {
      deviceCode: answer.device_code,
      userCode: answer.user_code,
      verificationUri: answer.verification_uri,
      interval: answer.interval ?? 5,
      expiresIn: answer.expires_in,
    };
  }

  /** @throws GrantFailed with the code `authorization_pending` or `slow_down` while one has to ask again */
  device(deviceCode: string): Promise<Tokens> {
    const { token_url: url, token_params: more } = this.#method;
    return this.#ask(url, [deviceCode], async (as, options) => {
      const response = await oauth.deviceCodeGrantRequest(
        as,
        this.#client,
        this.#auth,
        deviceCode,
        { ...options, additionalParameters: more },
      );
      return oauth.processDeviceCodeResponse(as, this.#client, response);
    });
  }

  /** RFC 7009. Resolves with false when the provider has no address for it. @throws GrantFailed */
  async revoke(token: string): Promise<boolean> {
    const { revocation_url: address } = this.#method;
    if (address === undefined) return false;
    await this.#request(address, [token], async (as, options) => {
      const response = await oauth.revocationRequest(as, this.#client, this.#auth, token, options);
      await oauth.processRevocationResponse(response);
    });
    return true;
  }

  #validate(as: oauth.AuthorizationServer, callback: URLSearchParams, state: string) {
    const given = new URLSearchParams(callback);
    // Without a known issuer there is nothing to compare it with; the path of the callback tells clients apart.
    if (this.#method.issuer === undefined) given.delete('iss');
    try {
      return oauth.validateAuthResponse(as, this.#client, given, state);
    } catch (error) {
      const code = given.get('error');
      if (code === null)
        throw new GrantFailed('refused', 'The answer is from another issuer than it should be.');
      const failure = grantFailed(error, 400, 'The provider', []);
      const kind = code === 'access_denied' ? 'denied' : 'refused';
      throw new GrantFailed(kind, failure.message, code);
    }
  }

  async #ask(
    address: string,
    secrets: readonly string[],
    ask: (
      as: oauth.AuthorizationServer,
      options: oauth.HttpRequestOptions<'POST', URLSearchParams>,
    ) => Promise<oauth.TokenEndpointResponse>,
  ): Promise<Tokens> {
    const answer = await this.#request(address, secrets, ask);
    const { default_expires_in: usual } = this.#method.response;
    const { expires_in: given, refresh_token: refreshToken, id_token: _, ...raw } = answer;
    return {
      accessToken: answer.access_token,
      refreshToken,
      expiresIn: given === undefined || given <= 0 ? usual : given,
      scope: answer.scope,
      raw,
    };
  }

  /** @param address with its placeholders */
  async #request<T>(
    address: string,
    secrets: readonly string[],
    ask: (
      as: oauth.AuthorizationServer,
      options: oauth.HttpRequestOptions<'POST', URLSearchParams>,
    ) => Promise<T>,
  ): Promise<T> {
    const url = this.#fill(address);
    let status: number | undefined;
    const {
      response: rules,
      token_body: bodyType,
      issuer,
      issuer_required: isRequired,
    } = this.#method;
    const send = async (
      target: string,
      init: oauth.CustomFetchOptions<'POST', URLSearchParams>,
    ): Promise<Response> => {
      const isJson = bodyType === 'json';
      const headers = { ...init.headers, ...(isJson && { 'content-type': 'application/json' }) };
      const body = isJson ? JSON.stringify(Object.fromEntries(init.body)) : init.body;
      const answer = await fetch(target, {
        method: init.method,
        redirect: init.redirect,
        headers,
        body,
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      const normal = await normaliseTokenResponse(rules, issuer !== undefined, answer);
      ({ status } = normal);
      return normal;
    };
    const as: oauth.AuthorizationServer = {
      issuer: issuer === undefined ? new URL(url).origin : this.#fill(issuer),
      token_endpoint: url,
      device_authorization_endpoint: url,
      revocation_endpoint: url,
      authorization_response_iss_parameter_supported: isRequired,
    };
    const options = {
      [oauth.customFetch]: send,
      // `isSafeAddress` lets plain http through on this machine only.
      [oauth.allowInsecureRequests]: true,
    };
    try {
      return await ask(as, options);
    } catch (error) {
      const all = [...secrets, this.#keys.clientSecret];
      throw grantFailed(error, status, new URL(url).host, all);
    }
  }

  #fill(address: string): string {
    return filledAddress(address, this.#fields);
  }
}

/** The values that a callback must have. */
export interface ExpectedCallback {
  readonly state: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
  readonly nonce: string | undefined;
}

function clientAuth(
  { client_auth: how }: OAuthMethod,
  { clientSecret }: ClientKeys,
): oauth.ClientAuth {
  if (how === 'none' || clientSecret === '') return oauth.None();
  return how === 'basic'
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}
