/** The changes of a commit in the memory of its emitter before the store has accepted it. */
import type { Unsettled } from '../../base/ahead-of-store.ts';
import type { InvocationCommit } from '../../store/commit.ts';
import type { OwnedEmitter } from './owned-emitters.ts';

/**
 * Puts the commit's db writes into memory, where the planner has put what dedupe remembers and what waits. The next
 * run sees all of it at once; a refused commit takes it back, and what later commits have changed stays.
 */
export function commitAhead(
  emitter: Pick<OwnedEmitter, 'db' | 'dedupe' | 'waitingEmits'>,
  commit: Pick<InvocationCommit, 'db' | 'dedupe' | 'scheduled'>,
): Unsettled {
  const { dedupe, scheduled = [] } = commit;
  const written = emitter.db.apply(commit.db);
  return {
    stored() {
      written.stored();
      if (dedupe !== undefined) emitter.dedupe.stored(dedupe);
    },
    refused() {
      written.refused();
      if (dedupe !== undefined) emitter.dedupe.refused(dedupe);
      const bytes = scheduled.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
      emitter.waitingEmits.remove({ count: scheduled.length, bytes });
    },
  };
}
