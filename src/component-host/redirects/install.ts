import { syncBuiltinESMExports } from 'node:module';
import { redirectFetch } from './fetch.ts';
import { redirectHttp } from './http.ts';
import { redirectSockets } from './socket.ts';
import { targets } from '../../protocol/redirect-targets.ts';

/**
 * Sends requests of component code for certain hosts to other servers, https included, without
 * changes to the component. Steps in Python, which are children of this process, get them in a variable.
 */
export function installRedirects(redirects: Readonly<Record<string, string>>): void {
  const find = targets(redirects);
  redirectHttp(find);
  redirectFetch(find);
  redirectSockets(find);
  noProxy(Object.keys(redirects));
  process.env['WEIR_REDIRECTS'] = JSON.stringify(redirects);
  // Makes modules that import single names of builtins use the changed functions.
  syncBuiltinESMExports();
}

/** Clients that use HTTP_PROXY must connect to redirected hosts directly. */
function noProxy(hosts: readonly string[]): void {
  const { env } = process;
  const before = env['no_proxy'] ?? env['NO_PROXY'];
  const all = [...(before === undefined || before === '' ? [] : [before]), ...hosts].join(',');
  Object.assign(env, { NO_PROXY: all, no_proxy: all });
}
