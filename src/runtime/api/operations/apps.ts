import type { ApiServices } from './api-services.ts';
import type { Params } from '../../../protocol/catalogue.ts';
import type { KnownApp } from '../../accounts/apps/apps.ts';
import type { UsedApp } from '../../accounts/apps/used-apps.ts';
import { clientMethodOf } from '../../accounts/oauth/methods.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage } from './present.ts';
import { presentApp, presentClient, presentUsedApp } from './present-oauth.ts';
import { ResourceMemory } from '../../store/configuration/memory.ts';

type AppHandlers = Pick<
  Handlers,
  'apps.list' | 'apps.get' | 'oauthClients.list' | 'oauthClients.create' | 'oauthClients.delete'
>;

export interface AppHandlerParts extends Pick<
  ApiServices,
  'apps' | 'usedApps' | 'oauthClients' | 'allowedCommands'
> {
  readonly log: (level: 'warn', message: string) => void;
}

export function appHandlers(parts: AppHandlerParts): AppHandlers {
  const { apps, usedApps, oauthClients, allowedCommands, log } = parts;
  const present = (app: KnownApp, keys: readonly string[] = []) =>
    presentApp(app, keys, (run) => allowedCommands.has(run));
  return {
    'apps.list': async (params) => {
      await apps.look();
      const used = usedApps.all();
      const defined = apps.all(({ message }) => log('warn', message));
      const isDefined = new Set(defined.map(({ definition }) => definition.app));
      const others = [...used].filter(([slug]) => !isDefined.has(slug));
      const all = [
        ...defined.map((app) => present(app, used.get(app.definition.app)?.keys)),
        ...others.map(([slug, app]) => presentUsedApp(slug, app)),
      ].sort((a, b) => (a.name_slug < b.name_slug ? -1 : 1));
      const wanted = (params.q ?? '').toLowerCase();
      const found = all.filter(
        ({ name_slug: slug, name }) =>
          `${slug} ${name}`.toLowerCase().includes(wanted) && isUsed(used.get(slug), params),
      );
      return presentPage(new ResourceMemory(found).list(pageRequest(params)), (app) => app);
    },
    'apps.get': async ({ slug }) => {
      await apps.look(slug);
      const used = usedApps.all().get(slug);
      const known = apps.find(slug);
      if (known !== undefined) return present(known, used?.keys);
      return used === undefined ? present(apps.get(slug)) : presentUsedApp(slug, used);
    },
    'oauthClients.list': (params) => {
      const found = oauthClients
        .all()
        .filter(({ app }) => params.app === undefined || app === params.app);
      return presentPage(new ResourceMemory(found).list(pageRequest(params)), presentClient);
    },
    'oauthClients.create': async ({ app, name, client_id: id, client_secret: secret }) => {
      await apps.look(app);
      const { definition } = apps.get(app);
      const method = clientMethodOf(definition);
      return presentClient(oauthClients.add(definition, method, { name, id, secret }));
    },
    'oauthClients.delete': ({ id }) => {
      oauthClients.remove(id);
      return {};
    },
  };
}

/** Whether it is used as the parameters of a list want it. */
function isUsed(
  app: UsedApp | undefined,
  { has_components: any, has_triggers: sources, has_actions: actions }: Params<'apps.list'>,
): boolean {
  return (
    (any !== true || app !== undefined) &&
    (sources !== true || app?.isUsedBy.has('source') === true) &&
    (actions !== true || app?.isUsedBy.has('action') === true)
  );
}
