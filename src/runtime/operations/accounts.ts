import type { Accounts } from '../accounts/accounts.ts';
import { findNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentAccount, presentPage } from './present.ts';

type AccountHandlers = Pick<
  Handlers,
  'accounts.list' | 'accounts.get' | 'accounts.create' | 'accounts.delete'
>;

export function accountHandlers({ accounts }: { readonly accounts: Accounts }): AccountHandlers {
  const find = (idOrName: string) => findNamed('account', accounts.all(), idOrName);
  return {
    'accounts.list': (params) => {
      const page = accounts.list({
        ...pageRequest(params),
        ...(params.app === undefined ? {} : { app: params.app }),
      });
      return presentPage(page, (account) => presentAccount(account));
    },
    'accounts.get': (params) => {
      const account = find(params.id);
      return presentAccount(
        account,
        params.include_credentials === true ? accounts.credentials(account.id) : undefined,
      );
    },
    'accounts.create': async (params) =>
      presentAccount(
        await accounts.create({
          app: params.app,
          name: params.name,
          credentials: params.credentials,
        }),
      ),
    'accounts.delete': async (params) => {
      await accounts.delete(find(params.id).id);
      return {};
    },
  };
}
