import type { BaseServices } from '../base/services.ts';
import type { Store } from '../store/store.ts';
import type { EmitterKinds } from './emitter-kind.ts';
import type { OwnedEmitters } from './owner/owned-emitters.ts';
import type { Signals } from './signals.ts';
import type { IdleProcesses } from '../processes/idle-processes.ts';
import type { WorkHold } from './work-hold.ts';

/**
 * Parts that everything above the store gets: one object for a runtime, made when it starts, whether it leads or
 * follows. A part extends `Pick<Services, …>` with its partners.
 */
export interface Services extends BaseServices {
  readonly store: Store;
  readonly signals: Signals;
  readonly emitters: OwnedEmitters;
  readonly kinds: EmitterKinds;
  /** Whether work may begin. */
  readonly hold: WorkHold;
  readonly idleProcesses: IdleProcesses;
}
