import { storeContract } from '../store-contract/store-contract.ts';
import { sharedStoreContract } from '../store-contract/two-nodes.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { openedPostgres, openedTwoNodes } from '../support/opened-postgres.ts';
import { startPostgres } from '../support/postgres.ts';

const postgres = await startPostgres(atEndOfSuite());

// Texts and numbers that PostgreSQL has no room for are among what it keeps (10), and so are pages and search (39).
storeContract('PostgreSQL', () => openedPostgres(postgres));

// (15, 25, 26, 33): emitters and inboxes go from one node to another, and nothing is run twice or lost.
sharedStoreContract('PostgreSQL', () => openedTwoNodes(postgres));
