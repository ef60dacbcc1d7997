import type { GroupCommit } from './group-commit.ts';
import type { Connection } from './wasm/connection.ts';
import type { SourceKeys } from './emitter-keys.ts';
import type { Marks } from './numbers.ts';
import type { Tallies } from './row-counts.ts';

/** What the tables share. */
export interface Engine {
  readonly db: Connection;
  readonly groups: GroupCommit;
  readonly keys: SourceKeys;
  readonly marks: Marks;
  readonly tallies: Tallies;
}
