import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { Accounts } from '../../../../src/runtime/accounts/accounts.ts';
import { createSealer } from '../../../../src/runtime/accounts/seal.ts';
import type { Store } from '../../../../src/runtime/store/store.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { newStore } from '../../../support/store.ts';

let store: Store;
let made = 0;

const accounts = (fill = 1) =>
  new Accounts({
    table: store.accounts,
    sealer: createSealer({ bytes: Buffer.alloc(32, fill), origin: '/conf/key' }),
    now: () => 1000,
    newId: () => `apn_${++made}`,
  });

beforeEach(async () => {
  ({ store } = await newStore());
});

test('credentials come back only when asked for, and are not in the file in the clear', async () => {
  const credentials = { api_key: 'hunter2-hunter2', nested: { n: 1 } };
  const account = await accounts().create({ app: 'github', credentials });
  expect(account).toEqual({
    id: account.id,
    app: 'github',
    name: 'github',
    createdAt: 1000,
    updatedAt: 1000,
  });
  expect(accounts().get(account.id)).toEqual(account);
  expect(accounts().list({ limit: 10 }).rows).toEqual([account]);
  expect(accounts().credentials(account.id)).toEqual(credentials);
  const copy = join(temporaryFolder(), 'copy.db');
  await store.copyTo(copy);
  expect((await readFile(copy)).includes('hunter2')).toBe(false);
});

test('$auth of several accounts; one that is gone is left out', async () => {
  const one = await accounts().create({ app: 'a', name: 'One', credentials: { token: '1' } });
  const two = await accounts().create({ app: 'b', credentials: { token: '2' } });
  await accounts().delete(two.id);
  expect(accounts().credentialsOf([one.id, two.id, 'apn_none'])).toEqual({
    [one.id]: { token: '1' },
  });
});

test('another key is named, an unknown account too', async () => {
  const { id } = await accounts().create({ app: 'a', credentials: { token: '1' } });
  expect(() => accounts(2).credentialsOf([id])).toThrow('/conf/key');
  expect(() => accounts().get('apn_none')).toThrow('There is no account "apn_none".');
  await expect(accounts().delete('apn_none')).rejects.toMatchObject({ code: 'not_found' });
});
