import type { Change } from '../change.ts';
import type { OwnedKey } from '../emitter-keys.ts';

/** Within the write that deletes events: its newest id must not come back. */
export function saveNewestEvent(change: Change, { row, owned }: OwnedKey): void {
  change.run('UPDATE emitters SET newest_ms = $2, newest_seq = $3 WHERE row = $1', [
    row,
    owned.newestEvent?.ms,
    owned.newestEvent?.seq,
  ]);
}
