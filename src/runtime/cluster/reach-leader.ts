import type { TLSSocket } from 'node:tls';
import { connectToNode } from './channel.ts';
import type { ForwardedHandshake } from './handshake.ts';
import type { BaseServices } from '../base/services.ts';

export interface ReachLeaderOptions extends Pick<BaseServices, 'clock'> {
  readonly key: Buffer;
  /** `HOST:PORT` of the leader; undefined while there is none. */
  readonly leader: () => string | undefined;
}

/** How long a caller waits for a node to take over, in ms. */
const waitMs = 30_000;
const retryMs = 50;

/**
 * A connection to the node that leads, for one of a caller. Undefined when nobody has taken over in time.
 * @param isGone the caller has ended its connection: then nobody is looked for
 */
export async function reachLeader(
  { key, leader, clock }: ReachLeaderOptions,
  greeting: ForwardedHandshake,
  isGone: () => boolean,
): Promise<{ readonly far: TLSSocket; readonly address: string } | undefined> {
  const begun = clock.elapsed();
  while (!isGone() && clock.elapsed() - begun < waitMs) {
    const address = leader();
    const far =
      address === undefined
        ? undefined
        : await connectToNode(address, key, greeting).catch(() => undefined);
    if (far !== undefined && address !== undefined) return { far, address };
    await new Promise<void>((resolve) => void clock.after(retryMs, resolve));
  }
  return undefined;
}
