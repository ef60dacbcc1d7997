import type { Clock } from './clock.ts';
import type { Closing } from './closing.ts';
import type { IdPrefix } from './ids.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';

/** Parts that any room may get. Made once when a runtime starts; each part names those that it uses. */
export interface BaseServices {
  readonly settings: Settings;
  readonly clock: Clock;
  /** The clock's time, in epoch ms: for a part that asks for nothing else. */
  readonly now: () => number;
  readonly log: Log;
  /** Logs an error of background work, or one of which a caller sees only that something went wrong. */
  readonly report: (where: string, error: unknown) => void;
  readonly newId: (prefix: IdPrefix) => string;
  /** A part registers its own cleanup here. */
  readonly closing: Closing;
}
