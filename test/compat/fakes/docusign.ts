/** Stands in for DocuSign: the account server, and the eSignature REST API it names as the base. */
import type { AtEnd } from '../../support/at-end.ts';
import {
  type Answer,
  type Received,
  type Fake,
  json,
  startReceiver,
} from '../../support/receiver.ts';

export interface Envelope {
  readonly envelopeId: string;
  readonly emailSubject: string;
  readonly status: string;
  readonly statusChangedDateTime: string;
}

export interface FakeDocuSign extends Fake {
  readonly envelopes: Envelope[];
  /** Envelopes as they were asked for. */
  readonly created: readonly unknown[];
}

const account = {
  account_id: 'A1',
  account_name: 'Weir & Co',
  base_uri: 'https://eu.docusign.net',
};

/** One template: who signs, and the fields of its only document. */
const template: Readonly<Record<string, unknown>> = {
  '': { templateId: 'T1', name: 'Lease', documents: [{ documentId: '1' }] },
  '/recipients': { signers: [{ roleName: 'Miller', recipientIdGuid: 'R1' }] },
  '/documents/1/tabs': {
    textTabs: [{ tabLabel: 'Wheel', recipientId: 'R1', value: 'oak' }],
    viewTabs: [{ tabLabel: 'Seen', recipientId: 'R1' }],
  },
};

export async function startDocuSign(token: string, atEnd?: AtEnd): Promise<FakeDocuSign> {
  const envelopes: Envelope[] = [];
  const created: unknown[] = [];
  const base = `/restapi/v2.1/accounts/${account.account_id}`;

  function answer(asked: Received): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { message: 'The access token is invalid.' } };
    }
    const { host } = asked.headers;
    if (host === 'account.docusign.com' && asked.path === '/oauth/userinfo') {
      return { status: 200, body: { accounts: [account] } };
    }
    if (host !== 'eu.docusign.net') return { status: 404, body: { message: 'Not found' } };
    if (asked.path === `${base}/envelopes`) {
      return asked.method === 'POST' ? create(asked) : { status: 200, body: list(asked) };
    }
    if (asked.path === `${base}/templates`) {
      return { status: 200, body: { envelopeTemplates: [template['']] } };
    }
    const part = template[asked.path.replace(`${base}/templates/T1`, '')];
    return part === undefined
      ? { status: 404, body: { message: 'Not found' } }
      : { status: 200, body: part };
  }

  function create(asked: Received): Answer {
    created.push(json(asked));
    return { status: 201, body: { envelopeId: `E${created.length}`, status: 'created' } };
  }

  function list({ query }: Received): unknown {
    const from = Date.parse(query.get('from_date') ?? '');
    const wanted = query.get('status')?.split(',') ?? [];
    const found = envelopes.filter(
      ({ status, statusChangedDateTime }) =>
        Date.parse(statusChangedDateTime) >= from &&
        (wanted.includes('any') || wanted.includes(status)),
    );
    return { resultSetSize: String(found.length), envelopes: found };
  }

  return Object.assign(await startReceiver({ answer, atEnd }), { envelopes, created });
}
