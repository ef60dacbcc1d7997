import type { ComponentDefinition } from '../../../protocol/definition.ts';
import type { PrepareOptions } from '../../components/prepare.ts';
import { withOnlyAccounts } from '../../components/props/accounts.ts';
import type { Configured } from '../../components/props/configured.ts';

/**
 * The props of a step with the accounts of this machine: an account of another one is not found here, and the
 * only one of its app takes its place.
 * @throws WeirError `bad_input` where there are several
 */
export function boundProps(
  { accountsOf, accountsOfApp }: Pick<PrepareOptions, 'accountsOf' | 'accountsOfApp'>,
  definition: ComponentDefinition,
  props: Configured,
): Configured {
  const here = Object.fromEntries(
    Object.entries(props).filter(([, value]) => {
      const id = accountId(value);
      if (id === undefined || id.includes('{{')) return true;
      return Object.keys(accountsOf({ account: value })).length > 0;
    }),
  );
  return withOnlyAccounts(definition, here, accountsOfApp);
}

function accountId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const id = (value as Record<string, unknown>)['authProvisionId'];
  return typeof id === 'string' ? id : undefined;
}
