import type { Apps } from '../apps/apps.ts';
import type { OAuthClients } from '../oauth/clients.ts';
import { oauthMethodOf } from '../oauth/keeper.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage } from './present.ts';
import { presentApp, presentClient } from './present-oauth.ts';
import { ResourceMemory } from '../store/configuration/memory.ts';

type AppHandlers = Pick<
  Handlers,
  'apps.list' | 'apps.get' | 'oauthClients.list' | 'oauthClients.create' | 'oauthClients.delete'
>;

export interface AppHandlerParts {
  readonly apps: Apps;
  readonly oauthClients: OAuthClients;
  readonly log: (level: 'warn', message: string) => void;
}

export function appHandlers({ apps, oauthClients, log }: AppHandlerParts): AppHandlers {
  return {
    'apps.list': (params) => {
      const wanted = (params.q ?? '').toLowerCase();
      const found = apps
        .all(({ message }) => log('warn', message))
        .filter(({ definition: { app, name } }) => `${app} ${name}`.toLowerCase().includes(wanted))
        .map((app) => ({ ...app, id: app.definition.app }));
      return presentPage(new ResourceMemory(found).list(pageRequest(params)), presentApp);
    },
    'apps.get': ({ slug }) => presentApp(apps.get(slug)),
    'oauthClients.list': (params) => {
      const found = oauthClients
        .all()
        .filter(({ app }) => params.app === undefined || app === params.app);
      return presentPage(new ResourceMemory(found).list(pageRequest(params)), presentClient);
    },
    'oauthClients.create': ({ app, name, client_id: id, client_secret: secret }) => {
      const { definition } = apps.get(app);
      const method = oauthMethodOf(definition);
      return presentClient(oauthClients.add(definition, method, { name, id, secret }));
    },
    'oauthClients.delete': ({ id }) => {
      oauthClients.remove(id);
      return {};
    },
  };
}
