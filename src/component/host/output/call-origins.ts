/**
 * Remembers where the component called `fetch` or made a request with `node:http`. When a network error is made, the
 * component is no longer on the stack, so the error's own stack has no line of the author.
 */
import { subscribe } from 'node:diagnostics_channel';

interface Origin {
  /** As V8 makes it when it is first read. */
  readonly stack?: string;
}

const origins = new WeakMap<object, Origin>();

/** The stack of the call that an error came from; empty when it is not known. */
export function originOf(thrown: object): string {
  return origins.get(thrown)?.stack ?? '';
}

/** From now on errors of requests have an origin. */
export function rememberOrigins(): void {
  rememberFetch();
  rememberHttp();
}

function learn(thrown: unknown, origin: Origin): void {
  if (typeof thrown === 'object' && thrown !== null) origins.set(thrown, origin);
}

/** Looks and behaves as Node's, whose code is still loaded by the first call. */
function rememberFetch(): void {
  const original = globalThis.fetch;
  const remembering: typeof fetch = function fetch(...given) {
    const origin: Origin = {};
    Error.captureStackTrace(origin, remembering);
    return Reflect.apply(original, globalThis, given).then(undefined, (error: unknown) => {
      learn(error, origin);
      throw error;
    });
  };
  Object.defineProperty(remembering, 'length', { value: original.length, configurable: true });
  Object.defineProperty(globalThis, 'fetch', {
    ...Object.getOwnPropertyDescriptor(globalThis, 'fetch'),
    value: remembering,
  });
}

function rememberHttp(): void {
  const requests = new WeakMap<object, Origin>();
  const begin = (message: unknown): void => {
    const { request } = message as { readonly request: object };
    if (requests.has(request)) return;
    const origin: Origin = {};
    Error.captureStackTrace(origin, begin);
    requests.set(request, origin);
  };
  subscribe('http.client.request.created', begin);
  subscribe('http.client.request.error', (message) => {
    const { request, error } = message as { readonly request: object; readonly error: unknown };
    const origin = requests.get(request);
    if (origin !== undefined) learn(error, origin);
  });
}
