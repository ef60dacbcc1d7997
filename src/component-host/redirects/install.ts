import { syncBuiltinESMExports } from 'node:module';
import { redirectFetch } from './fetch.ts';
import { redirectHttp } from './http.ts';
import { redirectSockets } from './socket.ts';
import { targets } from './targets.ts';

/**
 * Sends what component code asks third-party hosts for to local servers, https included, without
 * touching the component.
 */
export function installRedirects(redirects: Readonly<Record<string, string>>): void {
  const find = targets(redirects);
  redirectHttp(find);
  redirectFetch(find);
  redirectSockets(find);
  noProxy(Object.keys(redirects));
  // Modules that import single names of builtins see the changed functions.
  syncBuiltinESMExports();
}

/** Clients that follow HTTP_PROXY must see the redirected hosts themselves. */
function noProxy(hosts: readonly string[]): void {
  const { env } = process;
  const before = env['no_proxy'] ?? env['NO_PROXY'];
  const all = [...(before === undefined || before === '' ? [] : [before]), ...hosts].join(',');
  Object.assign(env, { NO_PROXY: all, no_proxy: all });
}
