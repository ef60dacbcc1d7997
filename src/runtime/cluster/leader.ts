/**
 * The node that leads: it has the configuration and the API, and says which node runs which source. What it changes of
 * the configuration is known to all others before it is answered; a source is brought here before anything is done with
 * it that takes more than a read; and what a node owned that has gone is taken here, and given to others later.
 */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import type { Log } from '../log.ts';
import type { SharedStore } from '../store/shared.ts';
import type { Peer } from './peer.ts';
import type { Peers } from './peers.ts';
import { planMoves } from './plan-moves.ts';
import type { RunsElsewhere } from './told-signals.ts';

/** The nodes on the database, as this one sees them. */
export interface LeadingNode {
  readonly id: number;
  /** `HOST:PORT`. */
  readonly address: string;
  readonly leaseMs: number;
  nodes(): Promise<readonly NodeSeen[]>;
  /** From then on the other one writes nothing more. */
  fence(id: number): Promise<void>;
  /** The same of all that the database has not heard of for a lease, once this node may judge that. */
  fenceLate(): Promise<void>;
}

export interface NodeSeen {
  readonly id: number;
  readonly address: string | undefined;
  /** The database has not heard of it for longer than its lease. */
  readonly isLate: boolean;
}

export interface LeaderOptions {
  readonly node: LeadingNode;
  readonly peers: Peers;
  readonly shared: Pick<SharedStore, 'changes' | 'owners'>;
  /** Resolves when everything written so far is on disk. */
  readonly flush: () => Promise<void>;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly log: Log;
  readonly runs: RunsElsewhere;
  /** Somebody follows here what happens at any node. */
  readonly isFollowed: () => boolean;
  /** Of all nodes. */
  readonly sources: () => readonly string[];
  /** Those of them that any node may run. */
  readonly movable: () => readonly string[];
  /** All that run here. */
  readonly here: () => readonly string[];
  readonly take: (id: string) => Promise<void>;
  /** See `HandOver.release`. */
  readonly release: (id: string, withinMs: number) => Promise<boolean>;
}

interface Follower {
  readonly id: number;
  readonly address: string;
  /** It knows who leads, and what it owns is known here. */
  isMet: boolean;
  /** It was met, now or before, so that it may know a configuration that was. */
  wasMet: boolean;
  /** When it last answered, by `clock.elapsed`. */
  answeredAt: number;
  /** Nothing is given to it for a while: it could not run something. */
  refusedUntil: number;
  /** What it does not own, though it should: that was left on the way. */
  missing: readonly string[];
  /** The places that it was told last. */
  toldPlaces: string | undefined;
}

/** Between two looks at the other nodes, in ms. */
const lookMs = 500;
const answerMs = 1000;
const refreshMs = 5000;
/** For runs to end, so that a source can be brought here. */
const bringMs = 10_000;
/** The same where it is only for balance. */
const moveMs = 2000;
/** What somebody works with stays here for so long after that. */
const stayMs = 60_000;
/** After the last one that followed what happens, in ms. */
const followedMs = 30_000;
/** One that could not run something is given nothing else for so long. */
const refusedMs = 5000;
const againMs = 100;
/** What moves within so long is told at once. */
const placesMs = 50;

export class Leader {
  readonly #options: LeaderOptions;
  readonly #followers = new Map<number, Follower>();
  /** Emitters that other nodes own, and which. */
  readonly #elsewhere = new Map<string, number>();
  /** Until when sources stay here, by `clock.elapsed`. */
  readonly #staying = new Map<string, number>();
  /** Sources that somebody works with just now, and how many do. */
  readonly #inUse = new Map<string, number>();
  readonly #perEmitter = new KeyedMutex();
  #refreshed = 0;
  /** All that owned something when this one began to lead answer, or have gone. */
  #hasSeenAll = false;
  #isFollowed = false;
  #followedUntil = 0;
  #following: Promise<void> = Promise.resolve();
  #isLooking = false;
  #isMoving = false;
  #isTelling = false;
  #isCatchingUp = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(options: LeaderOptions) {
    this.#options = options;
  }

  /** Resolves when it knows what other nodes own. */
  async start(): Promise<void> {
    const { shared, node } = this.#options;
    for (const { id, node: owner } of await shared.owners()) {
      if (owner !== node.id) this.#elsewhere.set(id, owner);
    }
    this.#refreshed = shared.changes;
    this.#isLooking = true;
    await this.#look();
    this.#isLooking = false;
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** `HOST:PORT` of the node that runs it; undefined when that is this one, or nobody is known to. */
  placeOf(id: string): string | undefined {
    const node = this.#elsewhere.get(id);
    return node === undefined ? undefined : this.#followers.get(node)?.address;
  }

  isElsewhere(id: string): boolean {
    return this.#elsewhere.has(id);
  }

  /**
   * Brings a source here: all that a person or a program does with it is done here.
   * @returns what lets it go: from then on it stays for a while
   * @throws WeirError('conflict') while a run goes on at its node that does not end
   */
  async bring(id: string): Promise<() => void> {
    const { clock, node } = this.#options;
    const letGo = this.#keep(id);
    try {
      const begun = clock.elapsed();
      for (;;) {
        // Also of what is here, which may be about to move.
        await this.#perEmitter.run(id, () => this.#bring(id));
        if (!this.#elsewhere.has(id)) return letGo;
        if (this.#isClosed || clock.elapsed() - begun > 3 * node.leaseMs + bringMs) {
          throw new WeirError('runtime_unavailable', `The node that runs ${id} does not answer.`);
        }
        await this.#pause(againMs);
      }
    } catch (error) {
      letGo();
      throw error;
    }
  }

  #keep(id: string): () => void {
    const { clock } = this.#options;
    this.#inUse.set(id, (this.#inUse.get(id) ?? 0) + 1);
    return () => {
      const others = (this.#inUse.get(id) ?? 0) - 1;
      if (others > 0) this.#inUse.set(id, others);
      else this.#inUse.delete(id);
      this.#staying.set(id, clock.elapsed() + stayMs);
    };
  }

  #stays(id: string): boolean {
    const until = this.#staying.get(id);
    return this.#inUse.has(id) || (until !== undefined && until > this.#options.clock.elapsed());
  }

  /** Resolves when all nodes know of every change of the configuration that was made before. */
  async barrier(): Promise<void> {
    const { shared, flush } = this.#options;
    while (!this.#hasSeenAll && !this.#isClosed) await this.#pause(againMs);
    const { changes } = shared;
    if (changes === this.#refreshed || this.#followers.size === 0) return;
    await flush();
    const informed = [...this.#followers.values()].filter(({ wasMet }) => wasMet);
    await Promise.all(informed.map((follower) => this.#refresh(follower)));
    this.#refreshed = Math.max(this.#refreshed, changes);
  }

  /** Resolves when followers tell all that happens; they do until nobody has followed it for a while. */
  async follow(): Promise<void> {
    const { clock } = this.#options;
    this.#followedUntil = clock.elapsed() + followedMs;
    if (this.#isFollowed) return this.#following;
    this.#isFollowed = true;
    this.#following = this.#tellWatched();
    await this.#following;
  }

  async #tellWatched(): Promise<void> {
    const isWatched = this.#isFollowed;
    const met = [...this.#followers.values()].filter(({ isMet }) => isMet);
    await Promise.all(
      met.map(async ({ address }) => {
        try {
          const peer = await this.#options.peers.to(address);
          await peer.call('watch', { isWatched }, answerMs);
        } catch {
          // It is told when it is met anew.
        }
      }),
    );
  }

  /** Ends a run at its node. Undefined: it does not run elsewhere. */
  async stopRun(id: string, n: number): Promise<boolean | undefined> {
    const place = this.placeOf(id);
    if (place === undefined) return undefined;
    const peer = await this.#options.peers.to(place);
    return (await peer.call('stop', { id, n }, bringMs)).isStopped;
  }

  #next(): void {
    if (!this.#isClosed) this.#cancel = this.#options.clock.after(lookMs, () => this.#lookNow());
  }

  #lookNow(): void {
    this.#cancel();
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    this.#look()
      .catch((error: unknown) =>
        this.#options.log('warn', `It could not look at the other nodes: ${messageOf(error)}`),
      )
      .finally(() => {
        this.#isLooking = false;
        this.#next();
      });
  }

  #owns({ id }: Follower): boolean {
    return [...this.#elsewhere.values()].includes(id);
  }

  async #look(): Promise<void> {
    const { node, clock, log, peers } = this.#options;
    let others = (await node.nodes()).filter(({ id }) => id !== node.id);
    if (others.some(({ isLate }) => isLate)) {
      // It may answer here, and yet write nothing.
      await node.fenceLate();
      others = (await node.nodes()).filter(({ id }) => id !== node.id);
    }
    for (const { id, address } of others) {
      if (address === undefined || this.#followers.has(id)) continue;
      this.#followers.set(id, {
        id,
        address,
        isMet: false,
        wasMet: false,
        answeredAt: clock.elapsed(),
        refusedUntil: 0,
        missing: [],
        toldPlaces: undefined,
      });
    }
    const isThere = new Set(others.map(({ id }) => id));
    for (const follower of this.#followers.values()) {
      if (!isThere.has(follower.id)) this.#followers.delete(follower.id);
    }
    await Promise.all([...this.#followers.values()].map((follower) => this.#meet(follower)));
    for (const follower of this.#followers.values()) {
      if (clock.elapsed() - follower.answeredAt <= node.leaseMs) continue;
      if (!follower.wasMet && !this.#owns(follower)) continue;
      log('warn', `The node at ${follower.address} does not answer: what it ran runs elsewhere.`);
      await node.fence(follower.id);
      this.#followers.delete(follower.id);
      await peers.forget(follower.address);
    }
    if (this.#options.isFollowed()) this.#followedUntil = clock.elapsed() + followedMs;
    if (this.#isFollowed && clock.elapsed() > this.#followedUntil) {
      this.#isFollowed = false;
      await this.#tellWatched();
    }
    await this.#takeBack();
    await this.#takeLost();
    this.#tellPlaces();
    this.#catchUp();
    // One that has never been met and owns nothing takes in nothing.
    this.#hasSeenAll ||= [...this.#followers.values()].every(
      (follower) => follower.isMet || !this.#owns(follower),
    );
    if (this.#hasSeenAll) void this.#balance();
  }

  /** The first time it is told who leads; later it only has to answer. */
  async #meet(follower: Follower): Promise<void> {
    const { peers, node, clock, runs } = this.#options;
    try {
      const peer = await peers.to(follower.address);
      if (follower.isMet) await this.#ping(follower, peer);
      else {
        const { owned } = await peer.call(
          'meet',
          { leader: node.address, isWatched: this.#isFollowed },
          answerMs,
        );
        // What is changed from now on it may read too early: it is told to read again.
        follower.wasMet = true;
        await peer.call('refresh', null, refreshMs);
        for (const { id, lastRun } of owned) {
          this.#elsewhere.set(id, follower.id);
          runs.forget(id);
          if (lastRun !== undefined) runs.set(lastRun, false);
        }
        follower.missing = [];
        follower.toldPlaces = undefined;
        follower.isMet = true;
        peer.onClose(() => {
          follower.isMet = false;
          this.#lookNow();
        });
      }
      follower.answeredAt = clock.elapsed();
    } catch {
      // What it does not answer for a lease is taken from it.
    }
  }

  async #ping(follower: Follower, peer: Peer): Promise<void> {
    const known = this.#ownedBy(follower.id);
    const { owned } = await peer.call('ping', null, answerMs);
    const isOwned = new Set(owned);
    follower.missing = known.filter((id) => !isOwned.has(id) && !this.#perEmitter.isBusy(id));
  }

  #ownedBy(node: number): string[] {
    return [...this.#elsewhere].flatMap(([id, owner]) => (owner === node ? [id] : []));
  }

  async #refresh(follower: Follower): Promise<void> {
    const { peers } = this.#options;
    while (this.#followers.get(follower.id) === follower && !this.#isClosed) {
      try {
        const peer = await peers.to(follower.address);
        await peer.call('refresh', null, refreshMs);
        return;
      } catch {
        await this.#pause(againMs);
      }
    }
  }

  /** What those owned that have gone, and what others do not own, though they should. */
  async #takeBack(): Promise<void> {
    for (const [id, owner] of this.#elsewhere) {
      if (this.#followers.has(owner)) continue;
      await this.#perEmitter.run(id, () => this.#takeFrom(id, owner));
    }
    for (const { id: owner, address, missing } of this.#followers.values()) {
      for (const id of missing) {
        await this.#perEmitter.run(id, async () => {
          if (this.#elsewhere.get(id) !== owner) return;
          // It may have taken it, and not heard that it has.
          await this.#askBack(address, id, 0).catch(() => undefined);
          await this.#takeFrom(id, owner);
        });
      }
    }
  }

  /** Sources that have no owner, or one that nobody here knows of: it was given back while this node began to lead. */
  async #takeLost(): Promise<void> {
    const { sources, here, shared, node, log } = this.#options;
    const isHere = new Set(here());
    const isLost = (id: string): boolean =>
      !isHere.has(id) && !this.#elsewhere.has(id) && !this.#perEmitter.isBusy(id);
    const lost = sources().filter(isLost);
    if (lost.length === 0) return;
    const owners = new Map((await shared.owners()).map((one) => [one.id, one.node]));
    for (const id of lost.filter(isLost)) {
      const owner = owners.get(id);
      // One of this node is being made just now, or deleted.
      if (owner === node.id) continue;
      if (owner !== undefined) this.#elsewhere.set(id, owner);
      else {
        await this.#perEmitter
          .run(id, () => this.#takeHere(id))
          .catch((error: unknown) => {
            if (WeirError.is(error, 'not_found')) return;
            log('warn', `${id} could not be taken over: ${messageOf(error)}`);
          });
      }
    }
  }

  /** What was changed without an operation, or by one that failed. */
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

  async #takeFrom(id: string, owner: number): Promise<void> {
    if (this.#elsewhere.get(id) !== owner) return;
    try {
      await this.#takeHere(id);
    } catch (error) {
      // Deleted meanwhile, or tried again at the next look.
      if (WeirError.is(error, 'not_found')) this.#elsewhere.delete(id);
      else this.#options.log('warn', `${id} could not be taken over: ${messageOf(error)}`);
    }
  }

  async #takeHere(id: string): Promise<void> {
    const { take, runs } = this.#options;
    await take(id);
    runs.forget(id);
    this.#elsewhere.delete(id);
  }

  async #bring(id: string): Promise<void> {
    const owner = this.#elsewhere.get(id);
    const follower = owner === undefined ? undefined : this.#followers.get(owner);
    if (follower === undefined) return;
    let isReleased: boolean;
    try {
      isReleased = await this.#askBack(follower.address, id, bringMs);
    } catch (error) {
      // Its node has gone, or it goes: it is looked for again.
      if (WeirError.is(error, 'runtime_unavailable')) return;
      throw error;
    }
    if (!isReleased) {
      throw new WeirError(
        'conflict',
        `A run of ${id} goes on at the node ${follower.address}: wait for its end or stop it, then try again.`,
      );
    }
    await this.#takeHere(id);
    this.#tellPlaces();
  }

  async #askBack(address: string, id: string, withinMs: number): Promise<boolean> {
    const peer = await this.#options.peers.to(address).catch(() => {
      throw new WeirError('runtime_unavailable', `The node at ${address} does not answer.`);
    });
    const answer = await peer.call('release', { id, withinMs }, withinMs + answerMs + refreshMs);
    return answer.isReleased;
  }

  /** One after the other; what somebody works with, and what does not end its runs, stays where it is. */
  async #balance(): Promise<void> {
    if (this.#isMoving || this.#isClosed || this.#followers.size === 0) return;
    this.#isMoving = true;
    try {
      for (const { id, from, to } of planMoves(this.#loads())) {
        if (this.#isClosed) return;
        await this.#perEmitter.run(id, () => this.#move(id, from, to));
      }
    } catch (error) {
      this.#options.log('warn', `A source could not be moved: ${messageOf(error)}`);
    } finally {
      this.#isMoving = false;
    }
  }

  #loads() {
    const { node, clock, movable, here } = this.#options;
    const now = clock.elapsed();
    for (const [id, until] of this.#staying) if (until <= now) this.#staying.delete(id);
    const all = new Set(movable().filter((id) => !this.#stays(id)));
    const own = here();
    const nodes = [...this.#followers.values()].filter(
      ({ isMet, refusedUntil }) => isMet && refusedUntil <= now,
    );
    const owned = nodes.map(({ id }) => ({ id, ids: this.#ownedBy(id) }));
    return [{ id: node.id, ids: own }, ...owned].map(({ id, ids }) => {
      const moving = ids.filter((one) => all.has(one));
      return { node: id, movable: moving, fixed: ids.length - moving.length };
    });
  }

  async #move(id: string, from: number, to: number): Promise<void> {
    const { node, release, clock } = this.#options;
    const target = this.#followers.get(to);
    // Since it was planned.
    if (this.#stays(id)) return;
    if (to !== node.id && target?.isMet !== true) return;
    if ((this.#elsewhere.get(id) ?? node.id) !== from) return;
    const address = this.placeOf(id);
    const isReleased =
      address === undefined ? await release(id, moveMs) : await this.#askBack(address, id, moveMs);
    if (!isReleased) {
      this.#staying.set(id, clock.elapsed() + stayMs);
      return;
    }
    if (target === undefined || !(await this.#give(id, target))) await this.#takeHere(id);
    this.#tellPlaces();
  }

  /** False when it cannot run it: then it has no owner. */
  async #give(id: string, { id: to, address }: Follower): Promise<boolean> {
    const { peers, clock, log } = this.#options;
    // From now on it may be there, whatever becomes of the answer.
    this.#elsewhere.set(id, to);
    try {
      // It may be new.
      await this.barrier();
      const peer = await peers.to(address);
      await peer.call('take', { id }, refreshMs);
      return true;
    } catch (error) {
      const follower = this.#followers.get(to);
      if (follower !== undefined) follower.refusedUntil = clock.elapsed() + refusedMs;
      this.#staying.set(id, clock.elapsed() + stayMs);
      log('warn', `The node at ${address} could not take ${id}: ${messageOf(error)}`);
      return false;
    }
  }

  /** Soon, with all that moves until then. */
  #tellPlaces(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#options.clock.after(placesMs, () => {
      this.#isTelling = false;
      if (!this.#isClosed) this.#tellPlacesNow();
    });
  }

  #tellPlacesNow(): void {
    const places: Record<string, string> = {};
    for (const [id, owner] of this.#elsewhere) {
      const address = this.#followers.get(owner)?.address;
      if (address !== undefined) places[id] = address;
    }
    const text = JSON.stringify(places);
    for (const follower of this.#followers.values()) {
      if (!follower.isMet || follower.toldPlaces === text) continue;
      follower.toldPlaces = text;
      this.#options.peers.to(follower.address).then(
        (peer) => peer.tell('places', { places }),
        () => undefined,
      );
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(ms, resolve));
  }
}
