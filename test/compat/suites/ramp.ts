import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { type FakeRamp, startRamp } from '../fakes/ramp.ts';
import { type Stage, suite } from '../support/suite.ts';

export const ramp = suite({
  app: 'ramp',
  hosts: ['api.ramp.com'],
  credentials: { oauth_access_token: 'ramp' },
  start: (atEnd) => startRamp('ramp', atEnd),
  scenarios: [
    {
      component: 'ramp/sources/new-transaction-created',
      shows: 'history at deploy, page by page; events in the order of their ts, not of their emits',
      play: newTransaction,
    },
    {
      component: 'ramp/actions/upload-receipt',
      shows: 'a file under /tmp, sent byte for byte in a body made by hand',
      play: uploadReceipt,
    },
  ],
});

async function newTransaction({ world, fake, account }: Stage<FakeRamp>): Promise<void> {
  const transaction = (n: number) => ({
    id: `tx-${n}`,
    user_transaction_time: `2026-01-01T10:00:0${n}.000Z`,
  });
  fake.transactions.push(...[1, 2, 3].map(transaction));
  const source = await world.deploy('ramp/sources/new-transaction-created', { ramp: account });
  fake.transactions.push(transaction(4));
  await world.invoke(source);
  const asked = fake.received.at(-1);
  expect(asked?.query.get('start')).toBe('tx-3');
  const events = await world.events(source, 4);
  expect(events.map(({ event }) => event)).toEqual([1, 2, 3, 4].map(transaction));
}

async function uploadReceipt({ world, fake, account }: Stage<FakeRamp>): Promise<void> {
  const file = `/tmp/weir-receipt-${randomUUID()}.txt`;
  await writeFile(file, 'Zwölf Säcke');
  try {
    const props = { ramp: account, transactionId: 'tx-1', userId: 'U1', filePath: file };
    const run = await world.act('ramp/actions/upload-receipt', props);
    expect(run).toMatchObject({
      summary: 'Successfully uploaded receipt for transaction ID: tx-1',
      return_value: { id: 'receipt-1' },
    });
  } finally {
    await rm(file);
  }
  const { headers, body } = fake.received.at(-1)!;
  const [, boundary] = headers['content-type']?.split('boundary=') ?? [];
  const parts = body.split(`--${boundary}`).map((part) => part.split('\r\n').slice(1, -1));
  expect(parts).toContainEqual([
    'Content-Disposition: form-data; name="transaction_id"',
    '',
    'tx-1',
  ]);
  expect(parts.at(-2)).toEqual([
    `Content-Disposition: attachment; name="receipt"; filename="${file.slice('/tmp/'.length)}"`,
    '',
    'Zwölf Säcke',
  ]);
}
