import { syncBuiltinESMExports } from 'node:module';
import { redirectFetch } from './fetch.ts';
import { redirectHttp } from './http.ts';
import { redirectSockets } from './socket.ts';
import { type FindTarget, targets } from '../../../protocol/redirect-targets.ts';
import { isDirect, noProxy } from './direct.ts';

/**
 * Sends requests of component code for certain hosts to other servers, https included, without
 * changes to the component. Steps in Python, which are children of this process, get them in a variable.
 */
export function installRedirects(redirects: Readonly<Record<string, string>>): void {
  const targetOf = targets(redirects);
  const find: FindTarget = (host, port) =>
    isDirect(host, port) ? undefined : targetOf(host, port);
  redirectHttp(find);
  redirectFetch(find);
  redirectSockets(find);
  noProxy(Object.keys(redirects));
  process.env['WEIR_REDIRECTS'] = JSON.stringify(redirects);
  // Makes modules that import single names of builtins use the changed functions.
  syncBuiltinESMExports();
}
