import { expect, test } from 'vitest';
import { storeModel } from '../../../../store-contract/model/store-model.ts';
import { atEndOfSuite } from '../../../../support/at-end.ts';
import { emptySqlite, openedSqlite } from '../../../../support/opened-sqlite.ts';

const empty = await emptySqlite(atEndOfSuite());

test(
  'SQLite shows what the model does, whatever is asked of it',
  { timeout: 3_600_000 },
  async () => {
    await expect(storeModel(() => openedSqlite(empty))).resolves.toBeUndefined();
  },
);
