/** Clause 29: signatures of OAuth 1.0a, beside another implementation of them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { authorizationHeader } from '../../../../../src/runtime/accounts/oauth/oauth1/signature.ts';
import { holds } from '../../../../support/holds.ts';
import { consumer, oracle } from '../../../../support/oauth1-provider.ts';

const at = { nonce: 'n0nce', timestamp: 1_700_000_000 };

const text = fc.string({ unit: 'grapheme' });
/** The oracle does not decode the names of a query. */
const queries = fc.dictionary(fc.stringMatching(/^[a-z0-9._-]+$/), text, { maxKeys: 6 });
const bodies = fc.dictionary(text, text, { maxKeys: 6 });

test.each(['sha1', 'sha256'] as const)(
  'clause 29: %s signatures equal those of the oracle, whatever is signed',
  async (hash) => {
    const property = fc.property(
      fc.constantFrom('GET', 'post', 'Put', 'DELETE'),
      queries,
      bodies,
      text,
      (method, query, data, secret) => {
        const url = new URL('https://API.acme.test:443/1/cards(x)!/');
        // The letter before each name keeps query and body apart: the oracle knows a name once.
        for (const [name, value] of Object.entries(query)) url.searchParams.set(`q${name}`, value);
        const body = Object.fromEntries(
          Object.entries(data).map(([name, value]) => [`d${name}`, value]),
        );
        const href = url.href.replaceAll('+', '%20');
        const token = { key: 'tk', secret };
        const other = oracle(hash);
        other.getNonce = () => at.nonce;
        other.getTimeStamp = () => at.timestamp;
        const signed = other.authorize({ method, url: href, data: { ...body } }, token);
        const header = authorizationHeader(
          { method, url: href, data: body },
          { client: consumer, token, method: hash === 'sha1' ? 'HMAC-SHA1' : 'HMAC-SHA256', ...at },
        );
        const found = /oauth_signature="([^"]*)"/.exec(header)?.[1] ?? '';
        expect(decodeURIComponent(found)).toBe(signed.oauth_signature);
      },
    );
    await holds(property, 500);
  },
);
