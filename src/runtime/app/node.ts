/**
 * A node: one of several runtimes that share a database. One leads; the others follow: they run the sources that the
 * leader assigns to them, and forward all other requests to it. When the leader has left, or did not renew its lease,
 * another one leads.
 */
import { homedir } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { messageOf } from '../../protocol/errors.ts';
import { sealedKey } from '../accounts/api-key.ts';
import { keyCheckOf } from '../accounts/key-check.ts';
import { loadKey, type SealingKey } from '../accounts/key-file.ts';
import { createSealer } from '../accounts/seal.ts';
import { systemClock as clock } from '../base/clock.ts';
import { channelKey, type ChannelListener, listenToNodes } from '../cluster/channel.ts';
import type { Handshake } from '../cluster/handshake.ts';
import { parseNodeAddress } from '../cluster/node-address.ts';
import type { NodeLink } from '../cluster/node-link.ts';
import { createHealthDoor } from '../cluster/health-door.ts';
import { nodeProtocol } from '../cluster/node-protocol.ts';
import type { NodeHandlers } from '../cluster/peer.ts';
import { Peer } from '../cluster/peer.ts';
import { TriggerForwarder } from '../cluster/trigger-forwarder.ts';
import { Peers } from '../cluster/peers.ts';
import type { NotReady } from '../server/health.ts';
import { type Follower, startFollower } from './follower.ts';
import { defaultLeaseSeconds, engineAt } from '../store/engines.ts';
import { describeError, type Log } from '../base/log.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { openStandby, type Standby } from '../cluster/standby.ts';
import type { StoreNode } from '../store/store-node.ts';

export interface NodeOptions extends Omit<RuntimeOptions, 'node'> {
  /** URL of the database. */
  readonly store: string;
  /** A node that does not renew its lease for this long may be replaced. 5 unless given. */
  readonly leaseSeconds?: number | undefined;
  /** `HOST:PORT` where other nodes reach this one. */
  readonly nodeAddress?: string | undefined;
}

export type ServedNode = Pick<Runtime, 'file' | 'outsideUrl' | 'stop' | 'ended'>;

/** How long callers may keep waiting for an answer after a stop, in ms. */
const stopGraceMs = 3000;
/** Between two looks at who leads, in ms. */
const lookMs = 200;
/** Between two tries to join again, in ms. */
const joinAgainMs = 1000;

/** Resolves when it accepts requests, whichever node runs them. Rejects with WeirError if it cannot join. */
export async function startNode(options: NodeOptions): Promise<ServedNode> {
  const key = await loadKey({ env: process.env, home: homedir() });
  // Child processes would inherit this environment.
  for (const secret of ['WEIR_KEY', 'WEIR_STORE', 'PGPASSWORD']) delete process.env[secret];
  const node = new Node(options, key);
  await node.open();
  return node;
}

class Node implements ServedNode {
  readonly ended: Promise<void>;
  readonly #options: NodeOptions;
  readonly #key: SealingKey;
  readonly #channelKey: Buffer;
  #channel: ChannelListener | undefined;
  /** Address where other nodes reach this one. */
  #address = '';
  #member: StoreNode | undefined;
  #runtime: Runtime | undefined;
  #standby: Standby | undefined;
  #follower: Follower | undefined;
  /** Earlier followers, where callers may still wait. */
  #earlierFollowers: Follower[] = [];
  readonly #peers: Peers;
  readonly #passingOn: TriggerForwarder;
  /** Other nodes that have something to say to this one. */
  readonly #callers = new Set<Peer>();
  #handlers: Partial<NodeHandlers>;
  /** Earlier standbys, whose callers may still wait. */
  readonly #earlier: Standby[] = [];
  #activeAddress: string | undefined;
  /** Why it could not see the other nodes when it last looked. */
  #lastTrouble: string | undefined;
  /** Ends the wait for the next look. */
  #lookNow: () => void = () => undefined;
  #stopping: Promise<void> | undefined;
  #going: Promise<void> = Promise.resolve();
  #hasEnded: () => void = () => undefined;

  constructor(options: NodeOptions, key: SealingKey) {
    this.#options = options;
    this.#key = key;
    this.#channelKey = channelKey(key.bytes);
    this.#peers = new Peers({ key: this.#channelKey, clock, handlers: () => this.#handlers });
    this.#passingOn = new TriggerForwarder({ peers: this.#peers, clock });
    this.#handlers = this.#handlersWith({});
    this.ended = new Promise((resolve) => {
      this.#hasEnded = resolve;
    });
  }

  get file(): ServedNode['file'] {
    const { file } = this.#runtime ?? this.#standby ?? {};
    if (file === undefined) throw new Error('The node takes no requests yet.');
    return file;
  }

  get outsideUrl(): string | undefined {
    return (this.#runtime ?? this.#standby)?.outsideUrl;
  }

  async open(): Promise<void> {
    const address = parseNodeAddress(this.#options.nodeAddress);
    this.#channel = await listenToNodes(address, this.#channelKey, (socket, greeting) =>
      this.#take(socket, greeting),
    );
    this.#address = `${address.host}:${this.#channel.port}`;
    try {
      const member = await this.#join();
      while (this.#runtime === undefined && this.#standby === undefined) {
        await this.#look(member);
        if (this.#runtime === undefined && this.#standby === undefined) await this.#nextLook();
      }
    } catch (error) {
      await this.#end();
      throw error;
    }
    this.#going = this.#goOn();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const earlier = [
      ...this.#earlierFollowers.map((follower) => follower.close(stopGraceMs)),
      ...this.#earlier.map((standby) => standby.answered(stopGraceMs)),
    ];
    await this.#runtime?.stop();
    this.#lookNow();
    await this.#going;
    // A runtime that was starting meanwhile.
    await this.#runtime?.stop();
    await this.#standby?.leavePorts();
    const follower = this.#follower;
    // The emitters are released before callers that wait there for a run of another node have gone.
    const leave = this.#endFollower().then(() => this.#leave());
    await Promise.all([
      ...earlier,
      leave,
      follower?.close(stopGraceMs),
      this.#standby?.answered(stopGraceMs),
    ]);
    await this.#end();
    this.#hasEnded();
  }

  async #end(): Promise<void> {
    await Promise.all(this.#earlierFollowers.map((follower) => follower.close(0)));
    for (const standby of [...this.#earlier, this.#standby]) await standby?.close();
    await this.#leave();
    await this.#peers.close();
    for (const peer of this.#callers) peer.close();
    await this.#channel?.close();
  }

  async #leave(): Promise<void> {
    await this.#member?.leave().catch(() => undefined);
  }

  async #endFollower(): Promise<void> {
    const follower = this.#follower;
    this.#follower = undefined;
    if (follower === undefined) return;
    const isLeft = (one: Follower): boolean => {
      if (!one.hasCallers) void one.close(0);
      return one.hasCallers;
    };
    this.#earlierFollowers = [...this.#earlierFollowers.filter(isLeft), follower];
    await follower.stop();
  }

  async #join(): Promise<StoreNode> {
    const { store: url, version, leaseSeconds } = this.#options;
    const engine = await engineAt(url);
    const key = keyCheckOf(this.#key);
    const member = await engine.join({ url, clock, version, key, leaseSeconds });
    this.#member = member;
    await member.announce(this.#address);
    await member.onLeave(() => this.#lookNow());
    return member;
  }

  /** Until it is stopped: looks at who leads, and does so itself when it can. */
  async #goOn(): Promise<void> {
    while (this.#stopping === undefined) {
      const member = this.#member;
      if (member === undefined || member.isLost) await this.#joinAgain();
      else {
        await this.#look(member).then(
          () => this.#trouble(undefined),
          (error: unknown) => this.#trouble(messageOf(error)),
        );
        await this.#nextLook();
      }
    }
  }

  /** After a while, or when a node has left. */
  #nextLook(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(lookMs, resolve);
      this.#lookNow = () => {
        cancel();
        resolve();
      };
    });
  }

  /** It was replaced: what it ran is somebody else's now. */
  async #joinAgain(): Promise<void> {
    this.#log('warn', 'Lost node membership; rejoining.');
    await this.#runtime?.stop();
    this.#runtime = undefined;
    await this.#endFollower();
    await this.#leave();
    this.#member = undefined;
    while (this.#stopping === undefined && this.#member === undefined) {
      await this.#join().catch((error: unknown) => {
        this.#log('warn', `It could not join again: ${messageOf(error)}`);
        return pause(joinAgainMs);
      });
    }
  }

  async #look(member: StoreNode): Promise<void> {
    if (this.#runtime !== undefined) return;
    const active = await member.lookAtActive();
    const isThere = active?.isThere === true;
    if ((!isThere || active.isLate || active.isMe) && (await member.lead())) {
      await this.#lead(member);
      return;
    }
    this.#activeAddress = isThere ? active.address : undefined;
    this.#endOthers();
    if (this.#standby === undefined && (await member.setting(sealedKey)) !== undefined) {
      await this.#standBy(member);
    }
    if (this.#standby !== undefined && this.#follower === undefined && !member.isPaused) {
      this.#follower = await this.#follow(member, this.#standby);
    }
  }

  async #follow(member: StoreNode, standby: Standby): Promise<Follower> {
    const { log } = standby;
    const store = await member.openStore(({ message }, fault) => {
      log('error', message);
      if (fault !== undefined) log('error', describeError(fault));
    });
    const { shared } = store;
    if (shared === undefined) throw new Error('A store of nodes is shared.');
    return startFollower({
      ...this.#options,
      data: standby.folder,
      store,
      shared,
      code: member.code,
      clock: member.clock,
      key: this.#key,
      channelKey: this.#channelKey,
      link: this.#link(member),
      url: standby.file.url,
      leader: () => this.#activeAddress,
      log,
    });
  }

  #link(member: StoreNode): NodeLink {
    return {
      id: member.id,
      address: this.#address,
      isPaused: () => member.isPaused,
      leaseMs: (this.#options.leaseSeconds ?? defaultLeaseSeconds) * 1000,
      nodes: () => member.nodes(),
      fence: (id) => member.fence(id),
      fenceLate: () => member.fenceLate(),
      peers: this.#peers,
      passingOn: this.#passingOn,
      serve: (handlers) => {
        this.#handlers = this.#handlersWith(handlers ?? {});
      },
    };
  }

  async #standBy(member: StoreNode): Promise<void> {
    const health = createHealthDoor(() => this.#notReady());
    this.#standby = await openStandby({
      ...this.#options,
      channelKey: this.#channelKey,
      sealer: createSealer(this.#key),
      setting: (name) => member.setting(name),
      active: () => this.#activeAddress,
      serve: (socket, by, target) =>
        health.take(socket, target) || this.#follower?.take(socket, by, target) === true,
    });
    this.#standby.log('info', 'Follows: another node leads');
  }

  /** Why requests are better sent to other nodes, while this one follows. */
  #notReady(): NotReady | undefined {
    if (this.#stopping !== undefined) return 'stopping';
    const member = this.#member;
    if (member === undefined || member.isLost || member.isPaused) return 'store_failed';
    if (this.#follower?.isHeld === true) return 'store_failed';
    return this.#follower === undefined || this.#activeAddress === undefined
      ? 'starting'
      : undefined;
  }

  async #lead(member: StoreNode): Promise<void> {
    const {
      store: _store,
      leaseSeconds: _lease,
      nodeAddress: _address,
      ...options
    } = this.#options;
    const standby = this.#standby;
    standby?.log('info', 'Takes over');
    this.#activeAddress = undefined;
    await this.#endFollower();
    await standby?.leaveFolder();
    const runtime = await this.#start(member, standby, options).catch(async (error: unknown) => {
      standby?.log('error', `It could not take over: ${messageOf(error)}`);
      // Its store is closed, and with it its place among the nodes.
      await standby?.close();
      this.#standby = undefined;
      await member.leave().catch(() => undefined);
      this.#member = undefined;
      throw error;
    });
    this.#runtime = runtime;
    this.#activeAddress = this.#address;
    if (standby !== undefined) this.#earlier.push(standby);
    this.#standby = undefined;
    this.#endOthers();
    // A client may ask it to stop.
    void runtime.ended.then(() => {
      if (this.#runtime === runtime && !member.isLost) void this.stop();
    });
  }

  /** Nobody answers any more what was passed on to a node before this one; a connection may not tell. */
  #endOthers(): void {
    const address = this.#activeAddress;
    if (address === undefined) return;
    for (const standby of [...this.#earlier, this.#standby]) standby?.endOthers(address);
  }

  #start(
    member: StoreNode,
    standby: Standby | undefined,
    options: Omit<RuntimeOptions, 'node'>,
  ): Promise<Runtime> {
    return startRuntime({
      ...options,
      node: {
        clock: member.clock,
        openStore: async (onFailure) => {
          const store = await member.openStore(onFailure);
          // The configuration that it read as a follower may be old.
          await store.shared?.refresh();
          return store;
        },
        code: member.code,
        key: this.#key,
        link: this.#link(member),
        beforeListening: async () => await standby?.leavePorts(),
      },
    });
  }

  /** A caller that waits here for a run of another node learns of its end, whatever this node does. */
  #handlersWith(others: Partial<NodeHandlers>): Partial<NodeHandlers> {
    return { ...others, answered: (notice) => this.#passingOn.answered(notice) };
  }

  #take(socket: TLSSocket, greeting: Handshake): void {
    if (greeting.by === 'node') {
      const { protocol } = greeting;
      const peer = new Peer(socket, clock, () => understood(protocol, this.#handlers));
      this.#callers.add(peer);
      peer.onClose(() => this.#callers.delete(peer));
      return;
    }
    const { by, isEncrypted, remoteAddress, localAddress } = greeting;
    // Code that reads the remote address means the caller, not the node in between.
    Object.defineProperties(socket, {
      remoteAddress: { value: remoteAddress },
      localAddress: { value: localAddress },
      encrypted: { value: isEncrypted },
    });
    if (this.#runtime?.take(socket, by) !== true) socket.destroy();
  }

  /** Said once, however often it is tried, and once when it is over. */
  #trouble(why: string | undefined): void {
    if (why === this.#lastTrouble) return;
    if (why === undefined) this.#log('info', 'It sees the other nodes again.');
    else this.#log('warn', `It cannot see the other nodes: ${why}`);
    this.#lastTrouble = why;
  }

  #log(...entry: Parameters<Log>): void {
    this.#standby?.log(...entry);
  }
}

/** The answer to a node of another version: the version of this one. */
function understood(
  protocol: number | undefined,
  handlers: Partial<NodeHandlers>,
): Partial<NodeHandlers> {
  if (protocol === nodeProtocol) return handlers;
  const { meet } = handlers;
  return meet === undefined ? {} : { meet };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, () => resolve()));
}
