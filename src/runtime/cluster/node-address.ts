import { WeirError } from '../../protocol/errors.ts';
import { isLoopbackAddress } from '../server/loopback.ts';

/** The address at which other nodes reach this one. */
export interface NodeAddress {
  /** As they know it: a name, or an address. */
  readonly host: string;
  /** The address to listen on. */
  readonly bind: string;
  /** 0: a free one. */
  readonly port: number;
}

/**
 * `--node-address HOST:PORT`. Without it the nodes are on this machine.
 * @throws WeirError('bad_input')
 */
export function parseNodeAddress(text: string | undefined): NodeAddress {
  if (text === undefined) return { host: '127.0.0.1', bind: '127.0.0.1', port: 0 };
  const found = /^([^\s:/]+):(\d{1,5})$/u.exec(text);
  const [, host, port] = found ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new WeirError(
      'bad_input',
      `"${text}" is not an address of a node; --node-address takes HOST:PORT, as the other nodes reach this one.`,
    );
  }
  const isLocal = host === 'localhost' || isLoopbackAddress(host);
  return { host, bind: isLocal ? host : '0.0.0.0', port: Number(port) };
}
