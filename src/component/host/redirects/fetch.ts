import {
  type DispatchOptions,
  fetchDispatcher,
  replaceFetchDispatcher,
  withOrigin,
} from '../../../protocol/fetch-dispatcher.ts';
import type { FindTarget } from '../../../protocol/redirect-targets.ts';
import type { Pass } from './http.ts';

/**
 * Sends requests of `fetch`, and of any undici that uses the global dispatcher, to where their host
 * was redirected. This happens below `fetch`, so that `response.url` and HTTP redirects are those of
 * the original host.
 * @param pass runs requests that are not redirected
 */
export function redirectFetch(find: FindTarget, pass: Pass = (work) => work()): void {
  const original = fetchDispatcher();
  if (original === undefined) return;
  const dispatch = (options: DispatchOptions, handler: unknown): boolean => {
    const origin = options.origin === undefined ? undefined : new URL(options.origin);
    if (origin === undefined) return original.dispatch(options, handler);
    const to = { host: origin.hostname, port: origin.port || defaultPort(origin) };
    const isUpgrade = Boolean(options.upgrade);
    const target = find(to.host, to.port, isUpgrade ? undefined : (options.method ?? 'GET'));
    if (target === undefined) return pass(() => original.dispatch(options, handler), to);
    const redirected = {
      ...options,
      origin: target.origin,
      path: `${target.pathname.replace(/\/$/, '')}${options.path}`,
      headers: withOrigin(options.headers, {
        host: origin.host,
        'x-forwarded-proto': origin.protocol.slice(0, -1),
      }),
    };
    return original.dispatch(redirected, handler);
  };
  const redirecting = new Proxy(original, {
    get: (target, name) => (name === 'dispatch' ? dispatch : boundTo(target, name)),
  });
  replaceFetchDispatcher(redirecting);
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}

function boundTo(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}
