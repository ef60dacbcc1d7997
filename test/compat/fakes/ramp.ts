/** Stands in for Ramp's developer API: transactions by page, and receipts. */
import type { AtEnd } from '../../support/at-end.ts';
import { type Answer, type Received, type Fake, startReceiver } from '../../support/receiver.ts';

export interface Transaction {
  readonly id: string;
  readonly user_transaction_time: string;
}

export interface FakeRamp extends Fake {
  /** Oldest first. */
  readonly transactions: Transaction[];
}

const api = '/developer/v1';

export async function startRamp(token: string, atEnd?: AtEnd): Promise<FakeRamp> {
  const transactions: Transaction[] = [];

  function answer(asked: Received): Answer {
    if (asked.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, body: { error_v2: { message: 'The access token is invalid' } } };
    }
    if (asked.path === `${api}/transactions`) return { status: 200, body: page(asked) };
    if (asked.path === `${api}/receipts`) return { status: 201, body: { id: 'receipt-1' } };
    return { status: 404, body: { error_v2: { message: 'Not found' } } };
  }

  /** Two at a time, after the one that `start` names; the next page is a URL. */
  function page({ query }: Received): unknown {
    const start = transactions.findIndex(({ id }) => id === query.get('start')) + 1;
    const rows = transactions.slice(start, start + 2);
    const more = start + 2 < transactions.length;
    const next = `https://api.ramp.com${api}/transactions?start=${rows.at(-1)?.id}`;
    return { data: rows, page: { next: more ? next : null } };
  }

  return Object.assign(await startReceiver({ answer, atEnd }), { transactions });
}
