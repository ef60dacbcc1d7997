import { expect, test } from 'vitest';
import { trySteps } from '../store-contract/model/store-model.ts';
import { atEndOfSuite } from '../support/at-end.ts';
import { openedPostgres } from '../support/opened-postgres.ts';
import { startPostgres } from '../support/postgres.ts';

const postgres = await startPostgres(atEndOfSuite());

// Each script has a database of its own, and waits for a lease at each crash.
test(
  '(39) PostgreSQL shows what the model does, whatever is asked of it',
  { timeout: 3_600_000 },
  async () => {
    await expect(trySteps(() => openedPostgres(postgres), 12)).resolves.toBeUndefined();
  },
);
