/** Why there is no token: failures that a person has to handle, distinguished from temporary ones. */
import { messageOf } from '../../../protocol/errors.ts';

export type FailureKind =
  /** The grant is over: one has to connect again. */
  | 'dead'
  /** The provider says no for another reason, such as a wrong client secret. */
  | 'refused'
  /** The network, a timeout, 429 or 5xx: it may work later. */
  | 'unreachable'
  /** The person declined in the browser. */
  | 'denied';

export class GrantFailed extends Error {
  readonly kind: FailureKind;
  /** The provider's word, such as `invalid_grant`. */
  readonly code: string | undefined;

  constructor(kind: FailureKind, message: string, code?: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** Words for a refresh token that is over, as RFC 6749, GitHub, Slack and Zoho have them. */
const deadCodes = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_revoked',
  'invalid_code',
]);

/**
 * @param status of the answer, undefined if there was none
 * @param secrets texts that must not be in the message, whatever the provider wrote
 */
export function grantFailed(
  error: unknown,
  status: number | undefined,
  host: string,
  secrets: readonly string[],
): GrantFailed {
  if (error instanceof GrantFailed) return error;
  if (status === undefined)
    return new GrantFailed('unreachable', `${host} could not be reached (${causeOf(error)}).`);
  if (status >= 500 || status === 429)
    return new GrantFailed('unreachable', `${host} answered with ${status}.`);
  const code = wordOf(error, 'error');
  if (code === undefined)
    return new GrantFailed('refused', `${host} gave an answer that is none of OAuth (${status}).`);
  const description = wordOf(error, 'error_description');
  const said = description === undefined ? code : `${code}: ${description}`;
  const message = `${host} refused: ${withoutSecrets(said, secrets)}.`;
  return new GrantFailed(deadCodes.has(code) ? 'dead' : 'refused', message, code);
}

const mostText = 200;

function wordOf(error: unknown, key: string): string | undefined {
  const value = typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined;
  return typeof value === 'string' && value !== ''
    ? value.slice(0, mostText).replace(/\.$/, '')
    : undefined;
}

function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : messageOf(error);
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 3)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
