import { WeirError } from '../../protocol/errors.ts';
import type { BaseServices } from '../base/services.ts';
import type { NodeCalls } from '../cluster/node-calls.ts';
import { nodeProtocol } from '../cluster/node-protocol.ts';
import type { OwnedEmitters } from '../events/owner/owned-emitters.ts';

export interface LeaderMeetingOptions extends Pick<BaseServices, 'log'> {
  readonly emitters: Pick<OwnedEmitters, 'all'>;
}

type Meet = NodeCalls['meet'];

const otherVersion = 'This node is of another version of Weir than the one that leads';

/** A follower's knowledge of the leader: whether the two understand each other, and who watches there. */
export class LeaderMeeting {
  readonly #options: LeaderMeetingOptions;
  /** Which node has met this one, and had it read the configuration. */
  #metBy: string | undefined;
  #meetingWith: string | undefined;
  #isOther = false;
  /** Somebody follows there what happens here. */
  isWatched = false;

  constructor(options: LeaderMeetingOptions) {
    this.#options = options;
  }

  /** The node that leads is of another version: it does not say what changes. */
  get isOther(): boolean {
    return this.#isOther;
  }

  /** The configuration is known here as the node at this address has it. @param leader undefined: none leads */
  isKnown(leader: string | undefined): boolean {
    return !this.#isOther && (leader === undefined || leader === this.#metBy);
  }

  meet({ leader, isWatched, protocol }: Meet['params']): Meet['result'] {
    if (protocol !== nodeProtocol) {
      const { log } = this.#options;
      if (!this.#isOther)
        log('warn', `${otherVersion}: it runs nothing until both are of the same.`);
      this.#isOther = true;
      this.#meetingWith = undefined;
      this.#metBy = undefined;
      // A node without a version number would accept any answer as one of its own version.
      if (protocol === undefined) throw new WeirError('conflict', `${otherVersion}.`);
      return { owned: [], protocol: nodeProtocol };
    }
    this.#meetingWith = leader;
    this.isWatched = isWatched;
    const owned = this.#options.emitters.all();
    return {
      owned: owned.map(({ id, lastRun }) => ({ id, lastRun: lastRun?.record() })),
      protocol: nodeProtocol,
    };
  }

  /** The configuration was read after they met. */
  refreshed(): void {
    this.#metBy = this.#meetingWith;
    if (this.#metBy !== undefined) this.#isOther = false;
  }
}
