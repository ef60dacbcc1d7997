import type { FindTarget } from '../../../protocol/redirect-targets.ts';

/** What every version of undici asks of its global dispatcher. */
interface Dispatcher {
  dispatch(options: DispatchOptions, handler: unknown): boolean;
}
interface DispatchOptions {
  readonly origin?: string | URL;
  readonly path: string;
  readonly headers?: unknown;
}

const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

/**
 * Sends requests of `fetch`, and of any undici that uses the global dispatcher, to where their host
 * was redirected. This happens below `fetch`, so that `response.url` and HTTP redirects are those of
 * the original host.
 */
export function redirectFetch(find: FindTarget): void {
  // Node creates its dispatcher when a global of fetch is first used.
  void globalThis.Headers;
  const holder = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
  const original = holder[globalDispatcher];
  if (original === undefined) return;
  const dispatch = (options: DispatchOptions, handler: unknown): boolean => {
    const origin = options.origin === undefined ? undefined : new URL(options.origin);
    const target = origin && find(origin.hostname, origin.port || defaultPort(origin));
    if (origin === undefined || target === undefined) return original.dispatch(options, handler);
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
  holder[globalDispatcher] = redirecting;
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}

function boundTo(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}

/** Tells the server which host and protocol were meant. undici takes headers as a flat list, as pairs or as an object. */
function withOrigin(headers: unknown, origin: Readonly<Record<string, string>>): unknown {
  if (headers === undefined || headers === null) return origin;
  if (Array.isArray(headers)) {
    const isFlat = headers.every((item) => typeof item === 'string');
    return isFlat
      ? [...headers, ...Object.entries(origin).flat()]
      : withOrigin(pairs(headers), origin);
  }
  if (typeof (headers as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function') {
    return withOrigin(pairs(headers as Iterable<unknown>), origin);
  }
  return { ...origin, ...headers };
}

function pairs(headers: Iterable<unknown>): Record<string, unknown> {
  return Object.fromEntries(headers as Iterable<[string, unknown]>);
}
