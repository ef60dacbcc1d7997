import { kindOf } from '../../../../protocol/ids.ts';
import type { SourceTable } from '../../configuration/sources.ts';
import type { Ticks } from '../commit/commit.ts';
import type { Engine } from '../engine.ts';
import { moveTick } from './interfaces.ts';
import type { Sources } from './sources.ts';
import type { Workflows } from './workflows.ts';

/** Timers belong to sources and to workflows: their next ticks lie in one table. */
export function createTicks(
  { db, groups, keys }: Engine,
  sources: Pick<Sources, 'requireInterface' | 'tickMoved'>,
  workflows: Pick<Workflows, 'requireInterface' | 'tickMoved'>,
): Ticks & Pick<SourceTable, 'setNextTick'> {
  const tableOf = (id: string) => (kindOf(id) === 'workflow' ? workflows : sources);
  const move: Ticks['moveTick'] = (interfaceId, nextAt) => {
    const id = keys.idOf(moveTick(db, interfaceId, nextAt));
    tableOf(id).tickMoved(id, interfaceId, nextAt);
  };
  return {
    requireInterface: (id, interfaceId) => tableOf(id).requireInterface(id, interfaceId),
    moveTick: move,
    setNextTick: ({ id, fence }, interfaceId, nextAt) =>
      groups.writeAlone(() => {
        keys.owned(id, fence);
        tableOf(id).requireInterface(id, interfaceId);
        move(interfaceId, nextAt);
      }),
  };
}
