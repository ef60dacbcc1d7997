/** Calls of component code at a follower to the leader: its data stores, and its files. */
import { readFile, stat } from 'node:fs/promises';
import { WeirError } from '../../protocol/errors.ts';
import type { DataStoreRequest, FileRequest } from '../../protocol/host.ts';
import type { Peer } from '../cluster/peer.ts';
import type { BaseServices } from '../base/services.ts';
import type { NodeNotices } from '../cluster/node-calls.ts';
import type { NodeLink } from '../cluster/node-link.ts';

/** Until another node leads. */
const leaderMs = 30_000;
/** For one try. */
const askMs = 15_000;
/** Between two tries, in ms. */
const againMs = 100;
/** Between nodes it is one message. */
const mostBytes = 32 * 1024 * 1024;

export interface LeaderConnectionOptions extends Pick<BaseServices, 'clock'> {
  readonly link: Pick<NodeLink, 'peers'>;
  /** `HOST:PORT` of the leader; undefined while there is none. */
  readonly leader: () => string | undefined;
}

/** A follower's calls and notices to the leader. */
export class LeaderConnection {
  readonly #options: LeaderConnectionOptions;

  constructor(options: LeaderConnectionOptions) {
    this.#options = options;
  }

  /** @throws WeirError('runtime_unavailable') when no node leads */
  async peer(): Promise<Peer> {
    const { link, leader } = this.#options;
    const place = leader();
    if (place === undefined) throw new WeirError('runtime_unavailable', 'No node leads.');
    return link.peers.to(place);
  }

  /** While it does not answer, nobody follows what happens here. */
  tell<N extends keyof NodeNotices>(notice: N, params: NodeNotices[N]): void {
    this.peer().then(
      (peer) => peer.tell(notice, params),
      () => undefined,
    );
  }

  /**
   * Asks until a node that leads has answered: whatever is asked can be asked again.
   * @throws what it has thrown, and WeirError('runtime_unavailable') when none answers
   */
  async ask(asked: DataStoreRequest | FileRequest): Promise<unknown> {
    const { clock } = this.#options;
    const request = asked.of === 'file' ? await withBytes(asked) : asked;
    const begun = clock.elapsed();
    for (;;) {
      try {
        return (await (await this.peer()).call('answer', { request }, askMs)).answer;
      } catch (error) {
        if (!isPassing(error) || clock.elapsed() - begun > leaderMs) throw error;
      }
      await new Promise<void>((resolve) => void clock.after(againMs, resolve));
    }
  }
}

/**
 * The leading node has another disk.
 * @throws WeirError('bad_input') for a file that is too large to hand on
 */
async function withBytes(request: FileRequest): Promise<FileRequest> {
  const { content, filename } = request;
  const size = typeof content === 'string' ? (await stat(content)).size : content.byteLength;
  if (size > mostBytes) {
    throw new WeirError(
      'bad_input',
      `${filename} has ${Math.ceil(size / 1024 / 1024)} MB: between nodes files of up to ${mostBytes / 1024 / 1024} MB are handed on.`,
    );
  }
  return typeof content === 'string' ? { ...request, content: await readFile(content) } : request;
}

/** There is no leader just now, or the called node no longer leads. */
function isPassing(error: unknown): boolean {
  return (['runtime_unavailable', 'conflict', 'store_failed'] as const).some((code) =>
    WeirError.is(error, code),
  );
}
