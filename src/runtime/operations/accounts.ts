import type { Accounts } from '../accounts/accounts.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Signals } from '../signals.ts';
import type { Apps } from '../apps/apps.ts';
import type { Connections } from '../oauth/connections.ts';
import { isDue } from '../oauth/freshness.ts';
import { checkToken } from '../oauth/identity.ts';
import type { AccountKeeper } from '../oauth/keeper.ts';
import { accountUsers, type AccountUsersParts } from './account-users.ts';
import { findNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentAccount, presentPage } from './present.ts';
import { presentConnection } from './present-oauth.ts';

type AccountHandlers = Pick<
  Handlers,
  | 'accounts.list'
  | 'accounts.get'
  | 'accounts.create'
  | 'accounts.update'
  | 'accounts.delete'
  | 'accounts.connect'
  | 'accounts.connection'
  | 'accounts.finishConnection'
  | 'accounts.cancelConnection'
  | 'accounts.check'
>;

export interface AccountHandlerParts extends AccountUsersParts {
  readonly accounts: Accounts;
  readonly signals: Signals;
  readonly lifecycle: Pick<Lifecycle, 'accountChanged'>;
  readonly connections: Connections;
  readonly keeper: AccountKeeper;
  readonly apps: Pick<Apps, 'find'>;
  readonly now: () => number;
}

export function accountHandlers(parts: AccountHandlerParts): AccountHandlers {
  const { accounts, signals, lifecycle, connections, keeper, apps, now } = parts;
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
      return {
        ...shown,
        ...(params.include_fields === true && {
          fields: Object.keys(accounts.credentials(account.id)),
        }),
        ...(params.include_used_by === true && { used_by: accountUsers(parts, account.id) }),
      };
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
      const note = await keeper.revoke(id);
      await accounts.delete(id);
      lifecycle.accountChanged(id);
      signals.emit('accountDeleted', id);
      return note === undefined ? {} : { note };
    },
    'accounts.connect': async ({ account: named, take_over: takeOver, ...request }) => {
      const account = named === undefined ? undefined : find(named).id;
      return presentConnection(
        await connections.start({ ...request, account, takeOver: takeOver === true }),
      );
    },
    'accounts.connection': async ({ session, wait }, { signal }) =>
      presentConnection(
        wait === true ? await connections.wait(session, signal) : connections.get(session),
      ),
    'accounts.finishConnection': async ({ session, url }) =>
      presentConnection(await connections.paste(session, url)),
    'accounts.cancelConnection': ({ session }) => presentConnection(connections.cancel(session)),
    'accounts.check': async (params) => {
      const { id, app } = find(params.id);
      const health = accounts.health(id);
      if (health !== undefined && (isDue(health, now(), 0) || health.status === 'retrying')) {
        await keeper.refresh(id);
      }
      const shown = presentAccount(accounts.get(id));
      const definition = apps.find(app)?.definition;
      const { oauth_access_token: token } = accounts.credentials(id);
      if (!shown.healthy || definition === undefined || typeof token !== 'string') return shown;
      const wrong = await checkToken(definition, token);
      return wrong === undefined ? shown : { ...shown, healthy: false, error: wrong };
    },
  };
}
