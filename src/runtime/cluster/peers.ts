/** The connections of a node to others, one to each that it has something to say to. */
import { connectToNode } from './channel.ts';
import { nodeProtocol } from './node-protocol.ts';
import { type NodeHandlers, Peer } from './peer.ts';
import type { BaseServices } from '../base/services.ts';

export interface PeersOptions extends Pick<BaseServices, 'clock'> {
  readonly key: Buffer;
  /** See `Peer`. */
  readonly handlers: () => Partial<NodeHandlers>;
}

export class Peers {
  readonly #options: PeersOptions;
  readonly #byAddress = new Map<string, Promise<Peer>>();

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** Rejects when it does not answer; the next one tries again. @param address `HOST:PORT` */
  to(address: string): Promise<Peer> {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const { key, clock, handlers } = this.#options;
    const forget = (): void => {
      if (this.#byAddress.get(address) === made) this.#byAddress.delete(address);
    };
    const made = connectToNode(address, key, { by: 'node', protocol: nodeProtocol }).then(
      (socket) => {
        const peer = new Peer(socket, clock, handlers);
        peer.onClose(forget);
        return peer;
      },
    );
    made.catch(forget);
    this.#byAddress.set(address, made);
    return made;
  }

  /** Ends the connection to one that does not answer. */
  async forget(address: string): Promise<void> {
    const known = this.#byAddress.get(address);
    this.#byAddress.delete(address);
    await known?.then(
      (peer) => peer.close(),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byAddress.keys()].map((address) => this.forget(address)));
  }
}
