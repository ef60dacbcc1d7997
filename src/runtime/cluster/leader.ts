/**
 * The leader assigns sources and workflows to nodes. It distributes them; it takes one over if an operation needs its
 * owner; and it takes over the emitters of a node that has left, and assigns them to others later.
 */
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { kindOf } from '../../protocol/ids.ts';
import { KeyedMutex } from '../base/keyed-mutex.ts';
import type { ReleaseOptions } from './node-calls.ts';
import type { SharedStore } from '../store/shared.ts';
import {
  answerMs,
  type Follower,
  Followers,
  type FollowersOptions,
  refreshMs,
} from './followers.ts';
import { planMoves } from './plan-moves.ts';
import { StickyEmitters } from './sticky-emitters.ts';
import type { RemoteRuns } from './relayed-signals.ts';

export interface LeaderOptions extends Omit<
  FollowersOptions,
  'shared' | 'ownedBy' | 'isMoving' | 'met' | 'left'
> {
  readonly shared: Pick<SharedStore, 'changes' | 'owners'>;
  readonly runs: RemoteRuns;
  /** Sources and workflows, of all nodes. */
  readonly emitters: () => readonly string[];
  /** Emitters of these that any node may run. */
  readonly movable: () => readonly string[];
  /** Emitters that only the leader may run. */
  readonly bound: () => readonly string[];
  /** All that run here. */
  readonly here: () => readonly string[];
  readonly take: (id: string) => Promise<void>;
  /** See `HandOver.release`. */
  readonly release: (id: string, options: ReleaseOptions) => Promise<boolean>;
}

/** Between two looks at the other nodes, in ms. */
const lookMs = 500;
/** How long runs may take to end before their emitter moves here, in ms. */
const bringMs = 10_000;
/** The same for a move that only balances. */
const moved: ReleaseOptions = { withinMs: 2000, isDeleted: false };
/** How long a node that could not run an emitter is assigned nothing else, in ms. */
const refusedMs = 5000;
const againMs = 100;
/** Moves within this time, in ms, are announced together. */
const placesMs = 50;

export class Leader {
  readonly #options: LeaderOptions;
  readonly #followers: Followers;
  /** Emitters that other nodes own, and which. */
  readonly #elsewhere = new Map<string, number>();
  readonly #sticky: StickyEmitters;
  readonly #perEmitter = new KeyedMutex();
  #isLooking = false;
  #isMoving = false;
  #isTelling = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#sticky = new StickyEmitters(options.clock);
    this.#followers = new Followers({
      ...options,
      ownedBy: (node) => this.#ownedBy(node),
      isMoving: (id) => this.#perEmitter.isBusy(id),
      met: (node, owned) => {
        for (const { id, lastRun } of owned) {
          this.#elsewhere.set(id, node);
          options.runs.forget(id);
          if (lastRun !== undefined) options.runs.set(lastRun, false);
        }
      },
      left: () => this.#lookNow(),
    });
  }

  /** Resolves when it knows what other nodes own. */
  async start(): Promise<void> {
    const { shared, node } = this.#options;
    for (const { id, node: owner } of await shared.owners()) {
      if (owner !== node.id) this.#elsewhere.set(id, owner);
    }
    this.#isLooking = true;
    await this.#look();
    this.#isLooking = false;
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#followers.close();
    this.#cancel();
  }

  /** `HOST:PORT` of the node that runs it; undefined when that is this one, or nobody is known to. */
  placeOf(id: string): string | undefined {
    const node = this.#elsewhere.get(id);
    return node === undefined ? undefined : this.#followers.get(node)?.address;
  }

  /** `HOST:PORT` of all others that may run something. */
  addresses(): string[] {
    return this.#followers
      .all()
      .filter(({ id, wasMet }) => wasMet || this.#ownedBy(id).length > 0)
      .map(({ address }) => address);
  }

  /**
   * Moves an emitter here, for operations that need its owner.
   * @param isDeleted see `ReleaseOptions`
   * @returns a function that ends its use: from then on it stays for a while
   * @throws WeirError('conflict') while a run at its node does not end
   */
  async bring(id: string, isDeleted = false): Promise<() => void> {
    const { clock, node } = this.#options;
    const letGo = this.#sticky.use(id);
    try {
      const begun = clock.elapsed();
      for (;;) {
        // Also of what is here, which may be about to move.
        await this.#perEmitter.run(id, () => this.#bring(id, isDeleted));
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

  /** See `Followers`. */
  barrier(): Promise<void> {
    return this.#followers.barrier();
  }

  /** See `Followers`. */
  follow(): Promise<void> {
    return this.#followers.follow();
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

  async #look(): Promise<void> {
    await this.#followers.look();
    await this.#takeBack();
    await this.#takeLost();
    this.#tellPlaces();
    if (this.#followers.hasSeenAll) void this.#share();
  }

  #ownedBy(node: number): string[] {
    return [...this.#elsewhere].flatMap(([id, owner]) => (owner === node ? [id] : []));
  }

  /** Reclaims emitters whose node has left, and emitters their node denies owning. */
  async #takeBack(): Promise<void> {
    for (const [id, owner] of this.#elsewhere) {
      if (this.#followers.get(owner) !== undefined) continue;
      await this.#perEmitter.run(id, () => this.#takeFrom(id, owner));
    }
    for (const { id: owner, address, missing } of this.#followers.all()) {
      for (const id of missing) {
        await this.#perEmitter.run(id, async () => {
          if (this.#elsewhere.get(id) !== owner) return;
          // It may have taken the emitter, although the answer was lost.
          await this.#askBack(address, id, { withinMs: 0, isDeleted: false }).catch(
            () => undefined,
          );
          await this.#takeFrom(id, owner);
        });
      }
    }
  }

  /**
   * Takes emitters without an owner, or with an owner that is unknown here: they were released while this node became
   * the leader.
   */
  async #takeLost(): Promise<void> {
    const { emitters, here, shared, node, log } = this.#options;
    const isHere = new Set(here());
    const isLost = (id: string): boolean =>
      !isHere.has(id) && !this.#elsewhere.has(id) && !this.#perEmitter.isBusy(id);
    const lost = emitters().filter(isLost);
    if (lost.length === 0) return;
    const owners = new Map((await shared.owners()).map((one) => [one.id, one.node]));
    for (const id of lost.filter(isLost)) {
      const owner = owners.get(id);
      // An emitter of this node is being created or deleted.
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

  async #bring(id: string, isDeleted: boolean): Promise<void> {
    const owner = this.#elsewhere.get(id);
    const follower = owner === undefined ? undefined : this.#followers.get(owner);
    if (follower === undefined) return;
    let isReleased: boolean;
    try {
      isReleased = await this.#askBack(follower.address, id, { withinMs: bringMs, isDeleted });
    } catch (error) {
      // Its node has left, or is leaving: the emitter is tried again.
      if (WeirError.is(error, 'runtime_unavailable')) return;
      throw error;
    }
    if (!isReleased) {
      const [run, end] = kindOf(id) === 'workflow' ? ['An execution', 'cancel'] : ['A run', 'stop'];
      throw new WeirError(
        'conflict',
        `${run} of ${id} goes on at the node ${follower.address}: wait for its end or ${end} it, then try again.`,
      );
    }
    await this.#takeHere(id);
    this.#tellPlaces();
  }

  async #askBack(address: string, id: string, options: ReleaseOptions): Promise<boolean> {
    const peer = await this.#options.peers.to(address).catch(() => {
      throw new WeirError('runtime_unavailable', `The node at ${address} does not answer.`);
    });
    const waitMs = options.withinMs + answerMs + refreshMs;
    const answer = await peer.call('release', { id, ...options }, waitMs);
    return answer.isReleased;
  }

  /** Brings what has to be here, and balances the rest. */
  async #share(): Promise<void> {
    if (this.#isMoving || this.#isClosed || this.#followers.all().length === 0) return;
    this.#isMoving = true;
    try {
      await this.#bringBound();
      await this.#balance();
    } catch (error) {
      this.#options.log('warn', `What is shared out could not be moved: ${messageOf(error)}`);
    } finally {
      this.#isMoving = false;
    }
  }

  async #bringBound(): Promise<void> {
    for (const id of this.#options.bound()) {
      const owner = this.#elsewhere.get(id);
      if (this.#isClosed || owner === undefined || this.#sticky.has(id)) continue;
      await this.#perEmitter.run(id, () => this.#move(id, owner, this.#options.node.id));
    }
  }

  /**
   * Moves emitters one after the other; emitters that somebody edits, or whose runs do not end, stay where they are.
   */
  async #balance(): Promise<void> {
    // Each kind by itself: else the node where they are deployed would keep what came last.
    for (const kind of ['source', 'workflow'] as const) {
      for (const { id, from, to } of planMoves(this.#loads(kind))) {
        if (this.#isClosed) return;
        await this.#perEmitter.run(id, () => this.#move(id, from, to));
      }
    }
  }

  #loads(kind: 'source' | 'workflow') {
    const { node, clock, movable, here } = this.#options;
    const now = clock.elapsed();
    const all = new Set(movable().filter((id) => !this.#sticky.has(id)));
    const own = here();
    const nodes = this.#followers
      .all()
      .filter(({ isMet, refusedUntil }) => isMet && refusedUntil <= now);
    const owned = nodes.map(({ id }) => ({ id, ids: this.#ownedBy(id) }));
    return [{ id: node.id, ids: own }, ...owned].map(({ id, ids }) => {
      const ofKind = ids.filter((one) => kindOf(one) === kind);
      const moving = ofKind.filter((one) => all.has(one));
      return { node: id, movable: moving, fixed: ofKind.length - moving.length };
    });
  }

  async #move(id: string, from: number, to: number): Promise<void> {
    const { node, release } = this.#options;
    const target = this.#followers.get(to);
    // Since it was planned.
    if (this.#sticky.has(id)) return;
    if (to !== node.id && target?.isMet !== true) return;
    if ((this.#elsewhere.get(id) ?? node.id) !== from) return;
    const address = this.placeOf(id);
    const isReleased =
      address === undefined ? await release(id, moved) : await this.#askBack(address, id, moved);
    if (!isReleased) {
      this.#sticky.add(id);
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
      this.#sticky.add(id);
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
    this.#followers.tellPlaces(places);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(ms, resolve));
  }
}
