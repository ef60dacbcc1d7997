/** The kinds of emitters. Everything between a trigger and a webhook knows emitters by what this file says of them. */
import { WeirError } from '../../protocol/errors.ts';
import type { TakenEmitter, UnfinishedInvocation } from '../store/ownership.ts';
import type { InboxEntry } from './intake.ts';
import type { OwnedEmitter, ShownRun } from './owner/owned-emitters.ts';
import type { Endpoint } from './triggers/http/route.ts';

/** Runs emitters of one kind. Another kind is an implementation of this, and a line where the kinds are listed. */
export interface EmitterKind {
  /** Prefix of ids of this kind, up to the underscore: `dc` for sources. */
  readonly prefix: string;
  /** As it is shown: `source`. */
  readonly name: string;
  /** All of this kind, whichever node runs them. */
  readonly records: EmitterRecords;
  /** @param id `hi_…` @returns undefined for an endpoint that is not of this kind, or is switched off */
  endpoint(id: string): Endpoint | undefined;
  /** Whether an event may start it: it is there, at this node or another one. */
  listens(id: string): boolean;
  /** Runs an entry of the inbox when its turn comes. */
  begin(entry: InboxEntry): void;
  /** Ends an entry of the inbox that is kept and does not run. @param reason why; undefined: the caller asked for that */
  endUnstarted(entry: InboxEntry, reason: string | undefined): void;
  /** Whether a request that is refused because of its size has a row that says so (P25.5). */
  readonly keepsRefusedRequests: boolean;
  /** Takes up what the last owner left. In the turn of this call all of it has its place in the queues. */
  recover(taken: readonly RecoveredEmitter[]): void;
  /** How many runs have begun and neither ended nor paused. */
  readonly inFlight: number;
  /** Whether a run of it has begun and neither ended nor paused. */
  isRunning(run: ShownRun): boolean;
  /** Begins what may begin now and might not before. */
  startNext(): void;
  /** Something that is shown of it has changed, such as the time of its next tick. */
  changed(id: string): void;
  readonly transfer: KindTransfer;
}

/** The configuration of the emitters of one kind. */
export interface EmitterRecords {
  get(id: string): { readonly name: string } | undefined;
  all(): readonly { readonly id: string; readonly name: string }[];
}

/** The contents of an emitter's inbox that its last owner left. */
export interface RecoveredEmitter {
  readonly emitter: OwnedEmitter;
  /** The last owner ended cleanly; false after a crash. */
  readonly released: boolean;
  /** Oldest first. */
  readonly unfinished: readonly UnfinishedInvocation[];
}

/** How emitters of one kind move to this runtime from another node, and back. */
export interface KindTransfer {
  /**
   * Makes the code ready. Resolves with a call for when this runtime owns the emitter: then it can run.
   * @throws WeirError('conflict') when its code is not there
   */
  prepare(id: string): Promise<() => void>;
  /** It runs here, and what its last owner left has its place in the queues: its timers tick. */
  arrived(taken: TakenEmitter): void;
  /** It is about to be given to another owner: what waits for its turn may begin here no more. */
  beginTransfer(id: string): void;
  /** Nothing of it runs, or waits for its turn. */
  isIdle(id: string): boolean;
  /** Ends what runs of it: it is to be deleted. */
  endRuns(id: string): void;
  /** It stays after all; its timers tick again. */
  cancelTransfer(id: string): void;
  transferredOut(id: string): void;
}

/** The list of kinds, by the prefix of their ids. */
export class EmitterKinds {
  readonly #byPrefix = new Map<string, EmitterKind>();

  add(kind: EmitterKind): void {
    this.#byPrefix.set(kind.prefix, kind);
  }

  /** @throws WeirError('not_found') for an id that is no emitter's */
  of(id: string): EmitterKind {
    const kind = this.find(id);
    if (kind === undefined) throw new WeirError('not_found', `There is no source ${id}.`);
    return kind;
  }

  find(id: string): EmitterKind | undefined {
    return this.#byPrefix.get(id.slice(0, id.indexOf('_')));
  }

  all(): readonly EmitterKind[] {
    return [...this.#byPrefix.values()];
  }

  /** @param id `hi_…` */
  endpoint(id: string): Endpoint | undefined {
    for (const kind of this.#byPrefix.values()) {
      const endpoint = kind.endpoint(id);
      if (endpoint !== undefined) return endpoint;
    }
    return undefined;
  }
}
