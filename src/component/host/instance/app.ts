import { howToConnect } from '../../../protocol/definition.ts';
import type { HostConfiguration } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import { keepDirect } from '../redirects/direct.ts';
import type { Invocation } from '../output/invocation.ts';
import { assign, isDictionary, isMethod, type Dictionary } from '../values.ts';

/** Template of `this.<app>`; one per app prop. */
interface AppTemplate {
  readonly prop: string;
  /** Slug of the app. */
  readonly app: string;
  readonly methods: readonly (readonly [name: string, method: unknown])[];
  /** Credentials; null when no account is connected. */
  readonly auth: Dictionary | null;
}

/** The account that an app prop is configured with: `apn_…`; undefined if there is none. */
export function accountOf(configured: unknown): unknown {
  return isDictionary(configured) ? own(configured, 'authProvisionId') : undefined;
}

/**
 * @param prop name of the app prop, for messages
 * @param app object that the app file exports
 * @param configured value of the app prop
 */
export function appTemplate(
  prop: string,
  app: Dictionary,
  configured: unknown,
  accounts: HostConfiguration['accounts'],
): AppTemplate {
  const account = accountOf(configured);
  const auth = typeof account === 'string' ? (own(accounts, account) ?? null) : null;
  const signer = auth?.['oauth_signer_uri'];
  if (typeof signer === 'string' && URL.canParse(signer)) keepDirect(signer);
  const methods = isDictionary(app['methods']) ? Object.entries(app['methods']) : [];
  const slug = typeof app['app'] === 'string' ? app['app'] : prop;
  return { prop, app: slug, methods, auth };
}

/**
 * `this.<app>`: `$auth` and every method of the app file, bound to this object and not to the
 * component (P2.11). Each invocation has one of its own: app methods keep connections and caches
 * on their `this` (P2.12).
 */
export function createApp(template: AppTemplate, invocation: Invocation): object {
  const app = {};
  if (template.auth === null) missingAuth(app, template, invocation);
  else assign(app, '$auth', { ...template.auth });
  for (const [name, method] of template.methods) {
    assign(app, name, isMethod(method) ? method.bind(app) : method);
  }
  return app;
}

/** An empty `$auth`, and a line in the log when it is read (P2.14). */
function missingAuth(app: object, template: AppTemplate, invocation: Invocation): void {
  const { prop, app: slug } = template;
  const define = (value: unknown): void => {
    Object.defineProperty(app, '$auth', {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  };
  Object.defineProperty(app, '$auth', {
    enumerable: true,
    configurable: true,
    get(): object {
      invocation.warnOnce(
        `The app prop "${prop}" has no connected account of ${slug}, so its $auth is empty; ${howToConnect(slug)}.`,
      );
      const auth = {};
      define(auth);
      return auth;
    },
    set: define,
  });
}
