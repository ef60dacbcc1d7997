import type { Accounts } from '../accounts/accounts.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Signals } from '../signals.ts';
import { findNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentAccount, presentPage } from './present.ts';

type AccountHandlers = Pick<
  Handlers,
  'accounts.list' | 'accounts.get' | 'accounts.create' | 'accounts.update' | 'accounts.delete'
>;

export interface AccountHandlerParts {
  readonly accounts: Accounts;
  readonly signals: Signals;
  readonly lifecycle: Pick<Lifecycle, 'accountChanged'>;
}

export function accountHandlers(parts: AccountHandlerParts): AccountHandlers {
  const { accounts, signals, lifecycle } = parts;
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
      const shown = presentAccount(
        account,
        params.include_credentials === true ? accounts.credentials(account.id) : undefined,
      );
      if (params.include_fields !== true) return shown;
      return { ...shown, fields: Object.keys(accounts.credentials(account.id)) };
    },
    'accounts.create': async ({ app, name, credentials }) => {
      const account = await accounts.create({ app, name, credentials });
      signals.emit('account', account.id);
      return presentAccount(account);
    },
    'accounts.update': async ({ id: named, name, credentials }) => {
      const account = await accounts.update(find(named).id, { name, credentials });
      if (credentials !== undefined) lifecycle.accountChanged(account.id);
      signals.emit('account', account.id);
      return presentAccount(account);
    },
    'accounts.delete': async (params) => {
      const { id } = find(params.id);
      await accounts.delete(id);
      lifecycle.accountChanged(id);
      signals.emit('accountDeleted', id);
      return {};
    },
  };
}
