import type { GroupCommit } from './group-commit.ts';
import type { Connection } from './sqlite/connection.ts';
import type { SourceKeys } from './source-keys.ts';
import type { Marks } from './marks.ts';
import type { Tallies } from './tallies.ts';

/** What the tables share. */
export interface Engine {
  readonly db: Connection;
  readonly groups: GroupCommit;
  readonly keys: SourceKeys;
  readonly marks: Marks;
  readonly tallies: Tallies;
}
