import net from 'node:net';
import { isDictionary } from '../values.ts';
import type { FindTarget } from '../../../protocol/redirect-targets.ts';

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

/**
 * Sends connections that are made by host name (database drivers, mail) to where that host was
 * redirected. What is sent over them stays the same.
 */
export function redirectSockets(find: FindTarget): void {
  const connect = Reflect.get(net.Socket.prototype, 'connect') as Connect;
  Object.assign(net.Socket.prototype, {
    connect(this: net.Socket, ...args: unknown[]): net.Socket {
      return Reflect.apply(connect, this, redirectedArguments(args, find));
    },
  });
}

/** `(options, listener?)`, `(port, host?, listener?)`, or Node's own, already normalised list. */
function redirectedArguments(args: unknown[], find: FindTarget): unknown[] {
  const [first, second] = args;
  if (Array.isArray(first)) {
    const normalised = first as unknown[];
    const options = redirectedOptions(normalised[0], find);
    if (options === undefined) return args;
    // Node marks its normalised list with a symbol.
    return [Object.assign(normalised, { 0: options })];
  }
  if (isDictionary(first)) {
    const options = redirectedOptions(first, find);
    return options === undefined ? args : [options, ...args.slice(1)];
  }
  if (typeof second !== 'string') return args;
  const options = redirectedOptions({ port: first, host: second }, find);
  return options === undefined ? args : [options, ...args.slice(2)];
}

function redirectedOptions(options: unknown, find: FindTarget): object | undefined {
  if (!isDictionary(options) || typeof options['host'] !== 'string') return undefined;
  const target = find(options['host'], Number(options['port']));
  if (target === undefined) return undefined;
  const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : target.port;
  return { ...options, host: target.hostname, port: Number(port) };
}
