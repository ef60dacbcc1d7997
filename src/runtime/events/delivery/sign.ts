import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Made once per webhook: hashing a key again for each delivery would double the cost of signing. */
export interface SigningKeys {
  /** The secret unchanged, `whsec_` included: what Pipedream's own example feeds to the HMAC. */
  readonly platform: KeyObject;
  /** The bytes behind `whsec_`, as Standard Webhooks has it. */
  readonly standard: KeyObject;
}

/** @param secret `whsec_` and base64. */
export function signingKeys(secret: string): SigningKeys {
  return {
    platform: createSecretKey(secret, 'utf8'),
    standard: createSecretKey(secret.replace(/^whsec_/, ''), 'base64'),
  };
}

export interface Signable {
  /** The same for every attempt, so that a receiver can recognize a repetition. */
  readonly messageId: string;
  readonly emitterId: string;
  readonly body: string;
}

/**
 * The headers of one attempt at the instant `now` (epoch ms): those of the platform (P19.5)
 * and those of https://www.standardwebhooks.com, whose libraries verify them.
 *
 * @param all one signature each, the newest first: during a rotation a receiver may know either key.
 */
export function signedHeaders(
  all: readonly SigningKeys[],
  { messageId, emitterId, body }: Signable,
  now: number,
): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  const platform = all.map((keys) => {
    const hmac = createHmac('sha256', keys.platform);
    return `v1=${hmac.update(`${seconds}.${body}`).digest('hex')}`;
  });
  const standard = all.map((keys) => {
    const hmac = createHmac('sha256', keys.standard);
    return `v1,${hmac.update(`${messageId}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'weir',
    'x-pd-emitter-id': emitterId,
    'x-pd-timestamp': new Date(now).toISOString(),
    'x-pd-signature': `t=${seconds},${platform.join(',')}`,
    'webhook-id': messageId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standard.join(' '),
  };
}
