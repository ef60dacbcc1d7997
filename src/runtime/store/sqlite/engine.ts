import type { EmitterKeys } from './emitter-keys.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Numbers } from './numbers.ts';
import type { RowCounts } from './row-counts.ts';
import type { Connection } from './wasm/connection.ts';

/** Parts that the tables share. */
export interface Engine {
  readonly db: Connection;
  readonly groups: GroupCommit;
  readonly keys: EmitterKeys;
  readonly numbers: Numbers;
  readonly counts: RowCounts;
  /** The fencing token of everything that this opening of the store owns. */
  readonly fence: number;
  /** The last opening was closed; false after a crash. */
  readonly wasClosed: boolean;
}
