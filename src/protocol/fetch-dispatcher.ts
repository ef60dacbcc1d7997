/**
 * The dispatcher that Node's `fetch` sends with: the only place where a request can name another host than it connects
 * to.
 */

/** The interface that every version of undici expects of its global dispatcher. */
export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: unknown): boolean;
}
export interface DispatchOptions {
  readonly origin?: string | URL;
  readonly path: string;
  readonly method?: string;
  /** For a WebSocket: the protocol that its connection continues with. */
  readonly upgrade?: unknown;
  readonly headers?: unknown;
}

const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

/** That of `fetch` in this process, and of any undici that uses the global one. */
export function fetchDispatcher(): Dispatcher | undefined {
  // Node creates its dispatcher when a global of fetch is first used.
  void globalThis.Headers;
  return (globalThis as unknown as Record<symbol, Dispatcher | undefined>)[globalDispatcher];
}

/** Requests from now on go through this one. */
export function replaceFetchDispatcher(dispatcher: Dispatcher): void {
  Object.assign(globalThis, { [globalDispatcher]: dispatcher });
}

/**
 * Options of `fetch` for a request that goes to another server than its address names. `fetch` itself takes no `Host`.
 * @param origin `host` and `x-forwarded-proto` as they were meant
 */
export function namingOrigin(origin: Readonly<Record<string, string>>): RequestInit {
  const original = fetchDispatcher();
  if (original === undefined) return {};
  const dispatch = (options: DispatchOptions, handler: unknown): boolean =>
    original.dispatch({ ...options, headers: withOrigin(options.headers, origin) }, handler);
  const options: object = { dispatcher: { dispatch } };
  return options;
}

/**
 * Adds the original host and protocol for the server. undici accepts headers as a flat list, as pairs or as an object.
 */
export function withOrigin(headers: unknown, origin: Readonly<Record<string, string>>): unknown {
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
