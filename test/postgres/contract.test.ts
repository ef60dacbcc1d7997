import { storeContract } from '../store-contract/store-contract.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { openedPostgres } from '../support/opened-postgres.ts';
import { startPostgres } from '../support/postgres.ts';

const postgres = await startPostgres(atEndOfSuite());

storeContract('PostgreSQL', () => openedPostgres(postgres));
