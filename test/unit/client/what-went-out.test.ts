import { expect, test } from 'vitest';
import type { WholeExecution } from '../../../src/protocol/catalogue.ts';
import { needsChoice, whatWentOut } from '../../../src/client/what-went-out.ts';

type Outgoing = NonNullable<WholeExecution['outgoing']>;

const ran = (
  given: Partial<Outgoing>,
  urls: readonly (readonly [url: string, status: number | null, method?: string])[] = [],
  sends = 0,
): WholeExecution =>
  ({
    requests: urls.map(([url, status, method = 'POST']) => ({ url, status, method })),
    sends: Array.from({ length: sends }, () => ({})),
    outgoing: { mode: 'real', records: 0, cleared: 0, db: 0, held: [], ...given },
  }) as unknown as WholeExecution;

test('P25.105: a test says what went out: requests by host, records, db, sends', () => {
  const urls = [
    ['https://api.stripe.com/v1/charges', 200],
    ['https://slack.com/api', null],
    ['https://api.stripe.com/v1/refunds', 402],
  ] as const;
  expect(whatWentOut(ran({ records: 1, db: 2 }, urls, 1))).toBe(
    '2 requests to api.stripe.com, 1 request to slack.com, 1 record changed, 2 db keys changed in a copy, 1 send held back.',
  );
  expect(whatWentOut(ran({}))).toBe('Nothing was sent.');
  expect(whatWentOut(ran({ cleared: 1 }))).toBe('1 data store emptied.');
});

test('P25.105: a dry run says that nothing was sent, and names what was held back', () => {
  const held = ['POST https://a.test/ was not recorded. Pin the step.'];
  const dry = ran({ mode: 'dry', records: 2, held }, [
    ['https://a.test/', 501],
    ['https://b.test/', 200],
  ]);
  expect(whatWentOut(dry)).toBe(
    `Dry run, nothing was sent: 1 request answered from the recording, 2 records changed in a copy.\nHeld back: ${held[0]}`,
  );
  expect(whatWentOut(ran({ mode: 'dry' }))).toBe('Dry run, nothing was sent.');
});

test('P25.105: a person chooses only when something other than reads was held back', () => {
  expect(needsChoice(ran({ mode: 'reads' }))).toBe(false);
  expect(needsChoice(ran({ mode: 'reads', held: ['x'] }))).toBe(true);
  expect(needsChoice(ran({ mode: 'reads', records: 1 }))).toBe(true);
  expect(needsChoice(ran({ mode: 'dry', held: ['x'] }))).toBe(false);
  expect(whatWentOut(ran({ mode: 'reads' }, [['https://a.test/', 200, 'GET']]))).toBe(
    'Only GET and HEAD requests were sent: 1 request to a.test.',
  );
});

test("P25.105: a server's own 501 is a request that was sent", () => {
  expect(whatWentOut(ran({}, [['https://a.test/', 501]]))).toBe('1 request to a.test.');
  const read = ['https://a.test/', 501, 'GET'] as const;
  const held = ['https://b.test/', 501, 'POST'] as const;
  expect(whatWentOut(ran({ mode: 'reads' }, [read, held]))).toBe(
    'Only GET and HEAD requests were sent: 1 request to a.test.',
  );
});
