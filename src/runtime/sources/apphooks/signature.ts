/** Whether an app has signed a request (pure). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AppWebhook } from '../../accounts/apps/webhook-schema.ts';
import type { AppRequest } from './request.ts';

/**
 * Why it is refused; undefined when its signature is good. It is made over the bytes that were received.
 * @param now epoch ms
 */
export function signatureProblem(
  { signature }: Pick<AppWebhook, 'signature'>,
  { headers, body, secret }: AppRequest,
  now: number,
): string | undefined {
  const given = headers[signature.header];
  if (given === undefined) return `it has no ${signature.header}`;
  const { timestamp } = signature;
  const sentAt = timestamp === undefined ? '' : (headers[timestamp.header] ?? '');
  if (timestamp !== undefined) {
    if (!/^\d{1,16}$/.test(sentAt)) return `it has no ${timestamp.header}`;
    const seconds = Number(sentAt) / (timestamp.unit === 'ms' ? 1000 : 1);
    if (Math.abs(now / 1000 - seconds) > timestamp.tolerance) {
      return `its ${timestamp.header} is more than ${timestamp.tolerance} s from the time here`;
    }
  }
  const hmac = createHmac(signature.algorithm, secret);
  for (const part of signature.payload.split(/(\{body\}|\{timestamp\})/)) {
    if (part === '{body}') hmac.update(body);
    else hmac.update(part === '{timestamp}' ? sentAt : part);
  }
  const expected = Buffer.from(signature.prefix + hmac.digest(signature.encoding));
  const received = Buffer.from(given);
  const isGood = received.length === expected.length && timingSafeEqual(received, expected);
  return isGood ? undefined : 'its signature was made with another secret, or of another body';
}
