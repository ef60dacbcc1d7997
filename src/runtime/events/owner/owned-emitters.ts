/**
 * The emitters that this runtime owns, each with what its owner has to know to run it: read once when
 * it is taken (`Ownership`), and kept up by its own commits ever after. No other process changes it.
 */
import { WeirError } from '../../../protocol/errors.ts';
import { kindOf } from '../../../protocol/ids.ts';
import type { InvocationRecord } from '../../store/history/invocations.ts';
import type { TakenEmitter } from '../../store/ownership.ts';
import { DbMemory } from './db-memory.ts';
import { DedupeMemory } from './dedupe-memory.ts';
import { EventIds } from './event-ids.ts';
import { WaitingEmitsMemory } from './waiting-emits-memory.ts';

export interface OwnedEmitter {
  readonly id: string;
  /** Goes with every write (`TakenEmitter.fence`). */
  readonly fence: number;
  readonly db: DbMemory;
  readonly dedupe: DedupeMemory;
  readonly eventIds: EventIds;
  readonly waitingEmits: WaitingEmitsMemory;
  /** The newest run, ended or not. */
  lastRun: ShownRun | undefined;
}

export interface ShownRun {
  readonly n: number;
  /** Its current record. */
  record(): InvocationRecord;
}

export class OwnedEmitters {
  readonly #byId = new Map<string, OwnedEmitter>();

  add(taken: TakenEmitter): OwnedEmitter {
    const { id, fence, db, dedupe, newestEvent, lastInvocation, waitingEmits } = taken;
    const owned = {
      id,
      fence,
      db: new DbMemory(db),
      dedupe: new DedupeMemory(dedupe),
      eventIds: new EventIds(newestEvent),
      waitingEmits: new WaitingEmitsMemory(waitingEmits),
      lastRun: lastInvocation && { n: lastInvocation.n, record: () => lastInvocation },
    };
    this.#byId.set(id, owned);
    return owned;
  }

  get(id: string): OwnedEmitter | undefined {
    return this.#byId.get(id);
  }

  /** @throws WeirError('not_found') */
  require(id: string): OwnedEmitter {
    const owned = this.#byId.get(id);
    if (owned === undefined)
      throw new WeirError('not_found', `There is no ${kindOf(id) ?? 'source'} ${id}.`);
    return owned;
  }

  /** The emitters owned at this moment. */
  all(): OwnedEmitter[] {
    return [...this.#byId.values()];
  }

  /** It was deleted, or another runtime owns it now. */
  remove(id: string): void {
    this.#byId.delete(id);
  }
}
