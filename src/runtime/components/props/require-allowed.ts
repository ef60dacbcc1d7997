import { WeirError } from '../../../protocol/errors.ts';
import { accountIds, type Configured } from './configured.ts';

/** @throws WeirError `bad_input` for values that name an account that is not among them */
export function requireAllowed(configured: Configured, allowed: readonly string[]): void {
  for (const id of accountIds(configured)) {
    if (allowed.includes(id)) continue;
    throw new WeirError(
      'bad_input',
      `The user has not allowed the account ${id}; allowed are ${allowed.join(', ') || 'none'}.`,
    );
  }
}
