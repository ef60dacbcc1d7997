/** A request that a source received, as it may be in a file for others (pure). */
import type { StoredTrigger } from '../../../protocol/catalogue.ts';
import type { Mask } from '../../../protocol/mask.ts';
import { isSecretParameter, removed } from '../../../protocol/secret-shapes.ts';
import { isSecretHeader } from './secrets.ts';
import { urlWithoutSecrets } from './shareable.ts';
import { withoutTokens } from './shareable-request.ts';

type StoredRequest = Extract<StoredTrigger, { kind: 'http' }>;

/**
 * Takes out the headers and parameters that sign the caller in, tokens in the body, and every value that the mask hides
 * (P25.101). Other triggers have their values hidden.
 */
export function shareableTrigger(trigger: StoredTrigger, mask: Mask): StoredTrigger {
  if (trigger.kind !== 'http') return mask.value(trigger) as StoredTrigger;
  const { url, path, query, headers } = trigger;
  return {
    ...trigger,
    url: mask.text(urlWithoutSecrets(url)),
    path: mask.text(path),
    query: mask.text(queryWithoutSecrets(query)),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        isSecretHeader(name) ? removed : mask.text(value),
      ]),
    ),
    ...shareableBody(trigger, mask),
  };
}

/** Parameters that hold no secret keep their spelling. */
function queryWithoutSecrets(query: string): string {
  return query
    .split('&')
    .map((part) => {
      const [[name] = ['']] = [...new URLSearchParams(part)];
      return part.includes('=') && isSecretParameter(name)
        ? `${part.slice(0, part.indexOf('='))}=${encodeURIComponent(removed)}`
        : part;
    })
    .join('&');
}

function shareableBody(
  { body, body_encoding }: StoredRequest,
  mask: Mask,
): Pick<StoredRequest, 'body' | 'body_bytes'> {
  if (body_encoding === 'base64') {
    // Each byte is a character: what is not masked stays the same bytes.
    const bytes = Buffer.from(mask.text(Buffer.from(body, 'base64').toString('latin1')), 'latin1');
    return { body: bytes.toString('base64'), body_bytes: bytes.length };
  }
  const masked = mask.text(body);
  const { text } = withoutTokens({ text: masked, size: Buffer.byteLength(masked) }, mask);
  return { body: text, body_bytes: Buffer.byteLength(text) };
}
