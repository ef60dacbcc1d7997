import type { ApiServices } from './api-services.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Account, Credentials } from '../../accounts/accounts.ts';
import { isDue } from '../../accounts/oauth/freshness.ts';
import { checkToken } from '../../accounts/oauth/identity.ts';
import { accountUsers, type AccountUsersParts } from './account-users.ts';
import { accountWebhook, type AppWebhookParts } from './app-webhooks.ts';
import { findNamed } from './find-named.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentAccount, presentPage } from './present.ts';
import { presentConnection } from './present-oauth.ts';
import type { Services } from '../../events/services.ts';

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
  | 'accounts.keepFresh'
>;

export interface AccountHandlerParts
  extends
    AccountUsersParts,
    AppWebhookParts,
    Pick<Services, 'signals' | 'now'>,
    Pick<
      ApiServices,
      'signingSecrets' | 'accounts' | 'lifecycle' | 'connections' | 'keeper' | 'apps'
    > {}

export function accountHandlers(parts: AccountHandlerParts): AccountHandlers {
  const { accounts, signals, lifecycle, connections, keeper, apps, signingSecrets, now } = parts;
  const find = (idOrName: string) => findNamed('account', accounts.all(), idOrName);
  const show = (account: Account, credentials?: Credentials) =>
    presentAccount(account, { webhook: accountWebhook(parts, account), credentials }, now());
  const requireWebhook = async (app: string): Promise<void> => {
    await apps.look(app);
    if (parts.appHooks.webhookOf(app) !== undefined) return;
    throw new WeirError(
      'bad_input',
      `A signing secret is for apps that send events here, and no definition says how ${app} does: add "webhook" to weir/apps/${app}.json.`,
    );
  };
  return {
    'accounts.list': (params) => {
      const page = accounts.list({
        ...pageRequest(params),
        ...(params.app === undefined ? {} : { app: params.app }),
      });
      return presentPage(page, show);
    },
    'accounts.get': (params) => {
      const account = find(params.id);
      const shown = show(
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
    'accounts.create': async ({
      app,
      name,
      credentials,
      kept_for: kept,
      signing_secret: secret,
    }) => {
      if (typeof secret === 'string') await requireWebhook(app);
      const account = await accounts.create({ app, name, credentials, kept });
      if (typeof secret === 'string') await signingSecrets.set(account.id, secret);
      signals.emit('account', account.id);
      return show(account);
    },
    'accounts.update': async ({
      id: named,
      name,
      credentials,
      kept_for: kept,
      signing_secret: secret,
    }) => {
      const { id, app } = find(named);
      if (typeof secret === 'string') await requireWebhook(app);
      if (secret !== undefined) {
        await signingSecrets.set(id, secret);
        for (const { type, id: user } of accountUsers(parts, id))
          if (type === 'source') signals.emit('source', user);
      }
      if (kept === 'user') await keeper.keepForUser(id);
      const account = await accounts.update(id, { name, credentials });
      if (credentials !== undefined) lifecycle.accountChanged(account.id);
      signals.emit('account', account.id);
      return show(account);
    },
    'accounts.delete': async (params) => {
      const { id } = find(params.id);
      const note = await keeper.revoke(id);
      await accounts.delete(id);
      await signingSecrets.set(id, null);
      lifecycle.accountChanged(id);
      signals.emit('accountDeleted', id);
      return note === undefined ? {} : { note };
    },
    'accounts.connect': async ({ account: named, take_over: takeOver, ...request }) => {
      const account = named === undefined ? undefined : find(named).id;
      await apps.look(request.app);
      return presentConnection(
        await connections.start({
          ...request,
          account,
          kept: request.kept_for,
          takeOver: takeOver === true,
          isPasted: request.pasted === true,
          redirectUri: request.redirect_uri,
          allowCommand: request.allow_command,
          editorSession: request.editor_session,
        }),
      );
    },
    'accounts.connection': async ({ session, wait }, { signal }) =>
      presentConnection(
        wait === true ? await connections.wait(session, signal) : connections.get(session),
      ),
    'accounts.finishConnection': async ({ session, url }) =>
      presentConnection(await connections.paste(session, url)),
    'accounts.cancelConnection': ({ session }) => presentConnection(connections.cancel(session)),
    'accounts.keepFresh': async () => {
      await keeper.keepFresh();
      return {};
    },
    'accounts.check': async (params) => {
      const { id, app } = find(params.id);
      const health = accounts.health(id);
      const mayRefresh = health?.status === 'retrying' && health.canRefresh;
      if (health !== undefined && (isDue(health, now(), 0) || mayRefresh)) {
        await keeper.refresh(id);
      }
      const shown = show(accounts.get(id));
      const isToBeChecked = shown.healthy || (shown.dead === false && shown.renews === false);
      const definition = apps.find(app)?.definition;
      const proof = keeper.proofOf(id);
      if (!isToBeChecked || definition === undefined || proof === undefined) return shown;
      const wrong = await checkToken(definition, proof);
      // Every face says so from now on.
      if (wrong?.isRefusal !== false) await keeper.checked(id, wrong?.message);
      const after = show(accounts.get(id));
      return wrong === undefined ? after : { ...after, healthy: false, error: wrong.message };
    },
  };
}
