import type { Caller } from '../client/connection.ts';
import { allPages } from '../client/pages.ts';
import { WeirError } from '../protocol/errors.ts';

/** The values of all connected accounts by a name for each: what a component printed of them is masked. */
export async function credentialsOf({ call }: Caller): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const gather = (name: string, value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') values[name] = String(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) gather(`${name}.${key}`, member);
  };
  for (const { id } of await allPages((page) => call('accounts.list', page))) {
    try {
      const account = await call('accounts.get', { id, include_credentials: true });
      gather(id, account.credentials);
    } catch (error) {
      // It was deleted meanwhile.
      if (!WeirError.is(error, 'not_found')) throw error;
    }
  }
  return values;
}
