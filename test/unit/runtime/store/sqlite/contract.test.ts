import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { storeContract } from '../../../../store-contract/store-contract.ts';
import { atEndOfSuite } from '../../../../support/at-end.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { open } from '../../../../support/open-store.ts';
import { openedSqlite } from '../../../../support/opened-sqlite.ts';

const empty = join(temporaryFolder(atEndOfSuite()), 'empty.db');

beforeAll(async () => {
  await (await open(empty)).close();
});

storeContract('SQLite', () => openedSqlite(empty));
