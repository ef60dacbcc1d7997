import type { Client, Pool } from 'pg';
import { WeirError } from '../../../protocol/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { answeredWithin, connect, endClient } from './connection.ts';

/** Values of `nodes.slot`: at most this many runtimes share a database. */
const slots = 64;
/** So far the clock of a machine may be from that of the database before that one counts. */
const tolerableMs = 1000;
const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now';
/** How many beats a lease has. */
const beatsOfALease = 5;
/** A busy machine is given so long for a beat, however short the lease is, in ms. */
const quickestMs = 1500;

/**
 * This runtime among those on the database. It beats; who was not heard of for a lease may be fenced by any other, and
 * then writes nothing more. Only the clock of the database judges, and only who has itself been connected for a whole
 * lease: after a restart of PostgreSQL all leases have run out, and nobody is to blame.
 */
export class Membership {
  readonly id: number;
  readonly slot: number;
  /** Called once, when another node has fenced this one. */
  onLost: () => void = () => undefined;
  /** Called when a beat was not answered: other connections of that time may be dead as well. */
  onSilent: () => void = () => undefined;
  session = 1;
  isIn = true;
  /** Another node has fenced this one. */
  isLost = false;
  /** Correction of this machine's clock, in ms; 0 while it is about right. */
  clockOffMs = 0;
  readonly #url: string;
  readonly leaseMs: number;
  readonly #clock: Clock;
  #client: Client | undefined;
  #beating: Promise<void> | undefined;
  #cancel: () => void = () => undefined;
  /** Since when no beat was missed. */
  #unbrokenSince: number | undefined;
  #lastBeat: number;

  private constructor(
    url: string,
    leaseMs: number,
    clock: Clock,
    node: { readonly id: number; readonly slot: number },
  ) {
    this.#url = url;
    this.leaseMs = leaseMs;
    this.#clock = clock;
    this.id = node.id;
    this.slot = node.slot;
    this.#lastBeat = clock.elapsed();
  }

  /** @param client that is free; it is not kept */
  static async join(
    client: Client,
    url: string,
    leaseMs: number,
    clock: Clock,
    version: string,
  ): Promise<Membership> {
    const asked = clock.elapsed();
    const { rows } = await client.query<{ id: number; slot: number; now: number }>(
      `WITH free AS (
         SELECT s AS slot FROM generate_series(0, ${slots - 1}) s
         WHERE s NOT IN (SELECT slot FROM nodes WHERE fenced_at IS NULL) ORDER BY s LIMIT 1)
       INSERT INTO nodes (slot, version, expires_at)
       SELECT slot, $1, clock_timestamp() + $2 * interval '1 ms' FROM free RETURNING id, slot, ${nowMs}`,
      [version, leaseMs],
    );
    const [node] = rows;
    if (node === undefined) {
      throw new WeirError(
        'store_failed',
        `${slots} runtimes share this database already: stop one of them.`,
      );
    }
    const membership = new Membership(url, leaseMs, clock, node);
    membership.#compare(node.now, asked);
    membership.#next();
    return membership;
  }

  /** Heard of no later than a beat before its lease runs out: what it starts now, it may still finish. */
  get isPaused(): boolean {
    const beat = this.leaseMs / beatsOfALease;
    return this.#clock.elapsed() - this.#lastBeat > this.leaseMs - beat;
  }

  /** Whether it may fence others. */
  get mayJudge(): boolean {
    const since = this.#unbrokenSince;
    return since !== undefined && this.#clock.elapsed() - since >= this.leaseMs;
  }

  /** False when this node was fenced. */
  async nextSession(client: Client): Promise<boolean> {
    const { rows } = await answeredWithin(client, this.leaseMs, this.#clock, () =>
      client.query<{ session: number }>(
        'UPDATE nodes SET session = session + 1 WHERE id = $1 AND fenced_at IS NULL RETURNING session',
        [this.id],
      ),
    );
    const [row] = rows;
    if (row === undefined) this.lose();
    else this.session = row.session;
    return row !== undefined;
  }

  /** Fences those whose lease has run out, once this node may. Waits for their commits under way. */
  async fenceOthers(client: Pick<Pool, 'query'>): Promise<void> {
    if (!this.mayJudge) return;
    await client.query(
      `UPDATE nodes SET fenced_at = clock_timestamp()
       WHERE expires_at < clock_timestamp() AND fenced_at IS NULL AND id <> $1`,
      [this.id],
    );
  }

  lose(): void {
    if (!this.isIn) return;
    this.isLost = true;
    this.leave();
    this.onLost();
  }

  /** Beats no more. */
  leave(): void {
    this.isIn = false;
    this.#cancel();
    if (this.#client !== undefined) void endClient(this.#client, this.#clock);
    this.#client = undefined;
  }

  /** Before the connections end: resolves when no beat is under way. */
  async idle(): Promise<void> {
    await this.#beating;
  }

  /** @param asked when, by `clock.elapsed`: the server read its clock at some time since */
  #compare(now: number, asked: number): void {
    const tookMs = this.#clock.elapsed() - asked;
    const off = now - (this.#clock.now() - tookMs / 2);
    // A late answer may be half of that wrong: it tells only what is so anyway.
    if (Math.abs(off) > tolerableMs + tookMs / 2) this.clockOffMs = Math.round(off);
    else if (Math.abs(off) <= tolerableMs - tookMs / 2) this.clockOffMs = 0;
  }

  #next(ms = this.leaseMs / beatsOfALease): void {
    if (!this.isIn) return;
    this.#cancel = this.#clock.after(ms, () => {
      this.#beating = this.#beat().then((wasHeard) =>
        this.#next(wasHeard ? undefined : this.leaseMs / beatsOfALease / 4),
      );
    });
  }

  /** @returns false when the server has not answered */
  async #beat(): Promise<boolean> {
    const begun = this.#clock.elapsed();
    try {
      this.#client ??= await connect(this.#url, 'beat');
      const client = this.#client;
      // A new connection still has time for another beat before the lease runs out.
      const { rows } = await answeredWithin(
        client,
        Math.max((this.leaseMs / beatsOfALease) * 2, quickestMs),
        this.#clock,
        () =>
          client.query<{ now: number }>(
            `UPDATE nodes SET expires_at = clock_timestamp() + $2 * interval '1 ms'
         WHERE id = $1 AND fenced_at IS NULL RETURNING ${nowMs}`,
            [this.id, this.leaseMs],
          ),
      );
      const [row] = rows;
      if (row === undefined) {
        this.lose();
        return true;
      }
      this.#compare(row.now, begun);
      // Before that, the lease began when the server stored it, not when this node got the answer.
      if (begun - this.#lastBeat > this.leaseMs) this.#unbrokenSince = begun;
      this.#unbrokenSince ??= begun;
      this.#lastBeat = begun;
      await client.query(
        'DELETE FROM groups WHERE node = $1 AND number < (SELECT max(number) FROM groups WHERE node = $1)',
        [this.id],
      );
      return true;
    } catch {
      this.onSilent();
      this.#unbrokenSince = undefined;
      if (this.#client !== undefined) void endClient(this.#client, this.#clock);
      this.#client = undefined;
      return false;
    }
  }
}
