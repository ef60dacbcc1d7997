/** The bearer key of REST, RPC and SSE. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { WeirError } from '../../protocol/errors.ts';

/** Returns a check of the `Authorization` header that takes the same time for any wrong key. */
export function createKeyCheck(
  apiKey: string,
): (authorization: string | undefined) => WeirError | undefined {
  const expected = digest(apiKey);
  return (authorization) => {
    const given = /^Bearer +(.+)$/i.exec(authorization ?? '')?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined;
    const how = 'send "Authorization: Bearer <apiKey>" with the apiKey of runtime.json';
    return new WeirError(
      'unauthorized',
      given === undefined ? `An API key is needed: ${how}.` : `The API key is wrong: ${how}.`,
    );
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
