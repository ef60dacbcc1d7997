import { storeContract } from '../../../../store-contract/store-contract.ts';
import { atEndOfSuite } from '../../../../support/at-end.ts';
import { emptySqlite, openedSqlite } from '../../../../support/opened-sqlite.ts';

const empty = await emptySqlite(atEndOfSuite());

storeContract('SQLite', () => openedSqlite(empty));
