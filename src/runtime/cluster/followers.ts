/**
 * The leader's view of its followers: which exist and answer, and that each knows of every change of the configuration
 * before that change is answered.
 */
import { messageOf } from '../../protocol/errors.ts';
import type { SharedStore } from '../store/shared.ts';
import type { OwnedByNode } from './node-calls.ts';
import { nodeProtocol } from './node-protocol.ts';
import type { Peer } from './peer.ts';
import type { Peers } from './peers.ts';
import type { BaseServices } from '../base/services.ts';

/** The nodes on the database, as this one sees them. */
export interface LeadingNode {
  readonly id: number;
  /** `HOST:PORT`. */
  readonly address: string;
  readonly leaseMs: number;
  nodes(): Promise<readonly NodeSeen[]>;
  /** From then on the other one writes nothing more. */
  fence(id: number): Promise<void>;
  /** Fences all nodes that did not renew their lease, once this node may judge that. */
  fenceLate(): Promise<void>;
}

export interface NodeSeen {
  readonly id: number;
  readonly address: string | undefined;
  /** It did not renew its lease in the database. */
  readonly isLate: boolean;
}

export interface FollowersOptions extends Pick<BaseServices, 'clock' | 'log'> {
  readonly node: LeadingNode;
  readonly peers: Peers;
  readonly shared: Pick<SharedStore, 'changes'>;
  /** Resolves when everything written so far is on disk. */
  readonly flush: () => Promise<void>;
  /** Somebody follows here what happens at any node. */
  readonly isFollowed: () => boolean;
  /** Emitters that a node owns, as far as is known here. */
  readonly ownedBy: (node: number) => readonly string[];
  /** Whether an emitter is on its way to another node. */
  readonly isMoving: (id: string) => boolean;
  /** Called with the emitters that a newly met node owns already. */
  readonly met: (node: number, owned: readonly OwnedByNode[]) => void;
  /** Called when a node may have left. */
  readonly left: () => void;
}

export interface Follower {
  readonly id: number;
  readonly address: string;
  /** It knows who leads, and what it owns is known here. */
  isMet: boolean;
  /** It was met, now or before, so that it may know a configuration that was. */
  wasMet: boolean;
  /** It is of another version, so that it cannot be met. */
  isOther: boolean;
  /** When it last answered, by `clock.elapsed`. */
  answeredAt: number;
  /** Nothing is given to it for a while: it could not run something. */
  refusedUntil: number;
  /** Emitters that it should own but does not own: they were lost in a transfer. */
  missing: readonly string[];
  /** The places that were sent to it last. */
  toldPlaces: string | undefined;
}

export const answerMs = 1000;
export const refreshMs = 5000;
const againMs = 100;
const otherVersion = 'is of another version of Weir';
/** After the last one that followed what happens, in ms. */
const followedMs = 30_000;

export class Followers {
  readonly #options: FollowersOptions;
  readonly #byId = new Map<number, Follower>();
  /** Changes that all of them know. */
  #refreshed: number;
  /** All nodes that owned something when this node became the leader have answered, or have left. */
  #hasSeenAll = false;
  #isFollowed = false;
  #followedUntil = 0;
  #following: Promise<void> = Promise.resolve();
  #isCatchingUp = false;
  #isClosed = false;

  constructor(options: FollowersOptions) {
    this.#options = options;
    this.#refreshed = options.shared.changes;
  }

  get(id: number): Follower | undefined {
    return this.#byId.get(id);
  }

  all(): Follower[] {
    return [...this.#byId.values()];
  }

  /** Whether it is known what nodes own that existed when this one began to lead. */
  get hasSeenAll(): boolean {
    return this.#hasSeenAll;
  }

  close(): void {
    this.#isClosed = true;
  }

  /**
   * Reads the list of nodes, and meets new ones. A node that was not met, or has not answered, for a lease is fenced.
   */
  async look(): Promise<void> {
    const { node, clock, log, peers } = this.#options;
    await this.#lookAtDatabase();
    await Promise.all(this.all().map((follower) => this.#meet(follower)));
    for (const follower of this.all()) {
      if (clock.elapsed() - follower.answeredAt <= node.leaseMs) continue;
      if (!follower.wasMet && !this.#owns(follower)) continue;
      const cause = follower.isOther ? otherVersion : 'does not answer';
      log('warn', `The node at ${follower.address} ${cause}: what it ran runs elsewhere.`);
      await node.fence(follower.id);
      this.#byId.delete(follower.id);
      await peers.forget(follower.address);
    }
    // A node that was never met and owns nothing accepts nothing.
    this.#hasSeenAll ||= this.all().every((one) => one.isMet || !this.#owns(one));
    await this.#endFollowing();
    this.#catchUp();
  }

  /** Resolves when all nodes know of every change of the configuration that was made before. */
  async barrier(): Promise<void> {
    const { shared, flush } = this.#options;
    while (!this.#hasSeenAll && !this.#isClosed) await this.#pause();
    const { changes } = shared;
    if (changes === this.#refreshed || this.#byId.size === 0) return;
    await flush();
    const informed = this.all().filter(({ wasMet }) => wasMet);
    await Promise.all(informed.map((follower) => this.#refresh(follower)));
    this.#refreshed = Math.max(this.#refreshed, changes);
  }

  /** Resolves when they tell all that happens; they do until nobody has followed it for a while. */
  async follow(): Promise<void> {
    const { clock } = this.#options;
    this.#followedUntil = clock.elapsed() + followedMs;
    if (this.#isFollowed) return this.#following;
    this.#isFollowed = true;
    this.#following = this.#tellWatched();
    await this.#following;
  }

  /** Sends the places of emitters to nodes that do not have them: `HOST:PORT` by id. */
  tellPlaces(places: Readonly<Record<string, string>>): void {
    const text = JSON.stringify(places);
    for (const follower of this.all()) {
      if (!follower.isMet || follower.toldPlaces === text) continue;
      follower.toldPlaces = text;
      this.#options.peers.to(follower.address).then(
        (peer) => peer.tell('places', { places }),
        () => undefined,
      );
    }
  }

  async #lookAtDatabase(): Promise<void> {
    const { node, clock } = this.#options;
    let others = (await node.nodes()).filter(({ id }) => id !== node.id);
    if (others.some(({ isLate }) => isLate)) {
      // It may answer here, and yet write nothing.
      await node.fenceLate();
      others = (await node.nodes()).filter(({ id }) => id !== node.id);
    }
    for (const { id, address } of others) {
      if (address === undefined || this.#byId.has(id)) continue;
      this.#byId.set(id, {
        id,
        address,
        isMet: false,
        wasMet: false,
        isOther: false,
        answeredAt: clock.elapsed(),
        refusedUntil: 0,
        missing: [],
        toldPlaces: undefined,
      });
    }
    const isThere = new Set(others.map(({ id }) => id));
    for (const { id } of this.all()) if (!isThere.has(id)) this.#byId.delete(id);
  }

  /** At the first time it learns which node leads; later it only has to answer. */
  async #meet(follower: Follower): Promise<void> {
    const { peers, node, clock, met, left } = this.#options;
    try {
      const peer = await peers.to(follower.address);
      if (follower.isMet) await this.#ping(follower, peer);
      else {
        const asked = {
          leader: node.address,
          isWatched: this.#isFollowed,
          protocol: nodeProtocol,
        };
        const { owned, protocol } = await peer.call('meet', asked, answerMs);
        if (protocol !== nodeProtocol) {
          this.#isOfAnother(follower);
          return;
        }
        // It may read changes from now on too early, so it is told to read again.
        follower.wasMet = true;
        await peer.call('refresh', null, refreshMs);
        met(follower.id, owned);
        follower.missing = [];
        follower.toldPlaces = undefined;
        follower.isMet = true;
        peer.onClose(() => {
          follower.isMet = false;
          left();
        });
      }
      follower.answeredAt = clock.elapsed();
    } catch {
      // Emitters that it does not confirm within a lease are taken from it.
    }
  }

  /** It is given nothing, and passes everything on to this node. */
  #isOfAnother(follower: Follower): void {
    if (follower.isOther) return;
    follower.isOther = true;
    this.#options.log(
      'warn',
      `The node at ${follower.address} ${otherVersion}: it runs nothing until both are of the same.`,
    );
  }

  async #ping(follower: Follower, peer: Peer): Promise<void> {
    const { ownedBy, isMoving } = this.#options;
    const known = ownedBy(follower.id);
    const { owned } = await peer.call('ping', null, answerMs);
    const isOwned = new Set(owned);
    follower.missing = known.filter((id) => !isOwned.has(id) && !isMoving(id));
  }

  #owns({ id }: Follower): boolean {
    return this.#options.ownedBy(id).length > 0;
  }

  async #refresh(follower: Follower): Promise<void> {
    const { peers } = this.#options;
    while (this.#byId.get(follower.id) === follower && !this.#isClosed) {
      try {
        const peer = await peers.to(follower.address);
        await peer.call('refresh', null, refreshMs);
        return;
      } catch {
        await this.#pause();
      }
    }
  }

  /** Announces changes that were made without an operation, or by one that failed. */
  #catchUp(): void {
    const { shared, log } = this.#options;
    if (this.#isCatchingUp || shared.changes === this.#refreshed) return;
    this.#isCatchingUp = true;
    this.barrier()
      .catch((error: unknown) => log('warn', `Not all nodes know of a change: ${messageOf(error)}`))
      .finally(() => {
        this.#isCatchingUp = false;
      });
  }

  async #endFollowing(): Promise<void> {
    const { clock, isFollowed } = this.#options;
    if (isFollowed()) this.#followedUntil = clock.elapsed() + followedMs;
    if (!this.#isFollowed || clock.elapsed() <= this.#followedUntil) return;
    this.#isFollowed = false;
    await this.#tellWatched();
  }

  async #tellWatched(): Promise<void> {
    const isWatched = this.#isFollowed;
    const met = this.all().filter(({ isMet }) => isMet);
    await Promise.all(
      met.map(async ({ address }) => {
        try {
          const peer = await this.#options.peers.to(address);
          await peer.call('watch', { isWatched }, answerMs);
        } catch {
          // The node learns this when it is met again.
        }
      }),
    );
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(againMs, resolve));
  }
}
