import http from 'node:http';
import https from 'node:https';
import { isDictionary } from '../values.ts';
import type { FindTarget } from '../../../protocol/redirect-targets.ts';

type RequestFunction = typeof http.request;
/** Options about the connection to the original host. */
const connectionOptions = ['agent', 'createConnection', 'socketPath', 'servername'];

export interface Destination {
  readonly host: string;
  readonly port: number | string;
}

/**
 * Calls the function, in whatever context requests need that are not redirected.
 * @param to where alone its connections go; left out where an agent may have a proxy between
 */
export type Pass = <T>(work: () => T, to?: Destination) => T;

type Callback = (response: http.IncomingMessage) => void;

/**
 * Sends requests of `node:http` and `node:https`, and so of every client built on them, to where
 * their host was redirected. The caller's agent is left out: it may be one for the other protocol.
 * @param pass runs requests that are not redirected
 */
export function redirectHttp(find: FindTarget, pass: Pass = (work) => work()): void {
  const modules = { 'http:': http, 'https:': https };
  const originals = { 'http:': http.request, 'https:': https.request };
  for (const protocol of ['http:', 'https:'] as const) {
    const request = (...args: unknown[]): http.ClientRequest => {
      const { options, callback } = readArguments(args);
      const host = options.hostname ?? options.host ?? 'localhost';
      const name = host.replace(/^\[|\]$/g, '');
      // Clients pass `URL.port` on, which is empty for the default port.
      const port = options.port || (protocol === 'http:' ? 80 : 443);
      const isUpgrade = names(options.headers).includes('upgrade');
      const target = find(name, port, isUpgrade ? undefined : options.method || 'GET');
      if (target === undefined) {
        return pass(() => Reflect.apply(originals[protocol], undefined, args));
      }
      const redirected = redirectedOptions(options, { protocol, host: name }, target);
      const original: RequestFunction =
        originals[target.protocol === 'https:' ? 'https:' : 'http:'];
      return original(redirected, callback);
    };
    const get = (...args: unknown[]): http.ClientRequest => {
      const made = request(...args);
      made.end();
      return made;
    };
    Object.assign(modules[protocol], { request, get });
  }
}

/** `(url, options?, callback?)` or `(options, callback?)`, as in Node. */
function readArguments(args: unknown[]): {
  options: http.RequestOptions;
  callback: Callback | undefined;
} {
  const callback = args.find((arg) => typeof arg === 'function') as Callback | undefined;
  const [first, second] = args;
  const url = typeof first === 'string' ? new URL(first) : first instanceof URL ? first : undefined;
  const given = url === undefined ? first : second;
  const options = isDictionary(given) ? { ...given } : {};
  return { options: url === undefined ? options : { ...fromUrl(url), ...options }, callback };
}

function fromUrl(url: URL): http.RequestOptions {
  const auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    protocol: url.protocol,
    hostname: url.hostname,
    path: `${url.pathname}${url.search}`,
    ...(url.port === '' ? {} : { port: url.port }),
    ...(auth === ':' ? {} : { auth }),
  };
}

function redirectedOptions(
  options: http.RequestOptions,
  { protocol, host }: { readonly protocol: string; readonly host: string },
  target: URL,
): http.RequestOptions {
  const rest: Record<string, unknown> = { ...options };
  for (const name of connectionOptions) delete rest[name];
  const port = options.port ? `:${options.port}` : '';
  const isDefaultPort = port === ':80' || port === ':443';
  return {
    ...rest,
    protocol: target.protocol,
    host: target.hostname,
    hostname: target.hostname,
    port: target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : target.port,
    path: `${target.pathname.replace(/\/$/, '')}${options.path ?? '/'}`,
    headers: withOrigin(options.headers, {
      host: isDefaultPort ? host : `${host}${port}`,
      'x-forwarded-proto': protocol.slice(0, -1),
    }),
  };
}

/** Adds the original host and protocol for the server. A list of headers stays a list, and given headers stay. */
function withOrigin(
  headers: http.RequestOptions['headers'],
  origin: Readonly<Record<string, string>>,
): http.OutgoingHttpHeaders | string[] {
  const given = names(headers);
  const more = Object.entries(origin).filter(([name]) => !given.includes(name));
  if (Array.isArray(headers)) return [...(headers as string[]), ...more.flat()];
  return { ...(headers as http.OutgoingHttpHeaders | undefined), ...Object.fromEntries(more) };
}

/** Names of the headers, in lower case. */
function names(headers: http.RequestOptions['headers']): string[] {
  const given: readonly unknown[] = Array.isArray(headers)
    ? headers.filter((_, index) => index % 2 === 0)
    : Object.keys(headers ?? {});
  return given.map((name) => String(name).toLowerCase());
}
