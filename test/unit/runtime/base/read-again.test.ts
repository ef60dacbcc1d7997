import { expect, test } from 'vitest';
import { WeirError } from '../../../../src/protocol/errors.ts';
import { readAgain } from '../../../../src/runtime/base/read-again.ts';

const away = new WeirError('store_failed', 'The server does not answer.');
const clock = { after: (_ms: number, call: () => void) => (setImmediate(call), () => undefined) };
const waits = { store: { failure: undefined }, clock, isOver: () => false };

test('a read is tried until the store answers', async () => {
  let tries = 0;
  const read = async (): Promise<string> => {
    if (++tries < 3) throw away;
    return 'there';
  };
  expect(await readAgain(waits, read)).toBe('there');
  expect(tries).toBe(3);
});

test('what the store says no to, one that failed for good, and a read that nobody waits for are not tried again', async () => {
  const refused = new WeirError('not_found', 'It is gone.');
  let tries = 0;
  const read = (error: WeirError) => async (): Promise<string> => {
    tries += 1;
    throw error;
  };
  await expect(readAgain(waits, read(refused))).rejects.toBe(refused);
  await expect(readAgain({ ...waits, store: { failure: away } }, read(away))).rejects.toBe(away);
  await expect(readAgain({ ...waits, isOver: () => true }, read(away))).rejects.toBe(away);
  expect(tries).toBe(3);
});
