import { assign, isDictionary, isMethod, type Dictionary } from './authored.ts';
import type { Invocation } from './invocation.ts';

/** What `this.<app>` is made from; one per app prop. */
export interface AppTemplate {
  readonly prop: string;
  readonly methods: readonly (readonly [name: string, method: unknown])[];
  /** Credentials; null when no account is connected. */
  readonly auth: Dictionary | null;
}

export function appTemplate(prop: string, app: Dictionary, auth: Dictionary | null): AppTemplate {
  const methods = isDictionary(app['methods']) ? Object.entries(app['methods']) : [];
  return { prop, methods, auth };
}

/**
 * `this.<app>`: `$auth` and every method of the app file, bound to this object and not to the
 * component (P2.11). Made anew for each invocation: app methods keep connections and caches
 * on their `this` (P2.12).
 */
export function createApp(template: AppTemplate, invocation: Invocation): object {
  const app = {};
  if (template.auth === null) missingAuth(app, template.prop, invocation);
  else assign(app, '$auth', { ...template.auth });
  for (const [name, method] of template.methods) {
    assign(app, name, isMethod(method) ? method.bind(app) : method);
  }
  return app;
}

/** An empty `$auth`, and a line in the log when something looks for credentials in it (P2.14). */
function missingAuth(app: object, prop: string, invocation: Invocation): void {
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
      invocation.warnOnce(`The app prop "${prop}" has no connected account: its $auth is empty.`);
      const auth = {};
      define(auth);
      return auth;
    },
    set: define,
  });
}
