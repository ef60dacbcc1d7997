import type { CarryOver } from '../../../protocol/catalogue.ts';
import type { CarryOvers } from '../../workflows/carry-over/carry-overs.ts';
import { needsOfWorkspace, type NeedsOptions } from '../../workflows/carry-over/needs.ts';
import { planOf } from '../../workflows/carry-over/plan.ts';
import type { CarryState } from '../../workflows/carry-over/state.ts';
import type { CarryStatus } from '../../workflows/carry-over/status.ts';
import type { ApiServices } from './api-services.ts';
import type { Handlers } from './operations.ts';

type CarryOverHandlers = Pick<
  Handlers,
  'carry_over.begin' | 'carry_over.take' | 'carry_over.status' | 'carry_over.end'
>;

export interface CarryOverHandlerParts
  extends Omit<NeedsOptions, 'environment'>, Pick<ApiServices, 'environment'> {
  readonly carryOvers: CarryOvers;
}

/** Days that a step is taken. */
const usualDays = 14;

export function carryOverHandlers(parts: CarryOverHandlerParts): CarryOverHandlers {
  const { carryOvers, environment } = parts;
  const list = async (): Promise<CarryOver[]> =>
    (await carryOvers.list()).map(present).toReversed();
  return {
    'carry_over.begin': async ({ way = 'pull', days = usualDays }, { signal }) => {
      environment.refresh();
      const needs = await needsOfWorkspace(parts, signal);
      const { state, code } = await carryOvers.begin(planOf(needs), way, days);
      const made = (await carryOvers.list()).find((one) => one.state.id === state.id);
      if (made === undefined) throw new Error(`The carry-over ${state.id} is gone.`);
      return { carry_over: present(made), code };
    },
    'carry_over.take': async ({ text, source }) => {
      environment.refresh();
      const { fingerprints, refused, completed, next, ...counts } = await carryOvers.take(
        text,
        source,
      );
      return {
        ...counts,
        fingerprints: [...fingerprints],
        refused: [...refused],
        completed: [...completed],
        ...(next !== undefined && { next: next === null ? null : { ...next } }),
      };
    },
    'carry_over.status': async () => {
      environment.refresh();
      return { data: await list() };
    },
    'carry_over.end': async ({ id }) => {
      await carryOvers.end(id);
      return {};
    },
  };
}

function present({
  state,
  status,
}: {
  readonly state: CarryState;
  readonly status: CarryStatus;
}): CarryOver {
  return {
    id: state.id,
    way: state.way,
    created_at: state.createdAt,
    until: state.until,
    ended: state.privateKey === null,
    complete: status.isComplete,
    token: state.token,
    asked: {
      accounts: status.accounts.map(({ isBridge: bridge, ...one }) => ({ ...one, bridge })),
      accounts_not_asked: status.notAsked.map(({ id, usedBy }) => ({ id, used_by: usedBy })),
      variables: [...status.variables],
      data_stores: [...status.stores],
      files: status.files,
    },
    problems: [...status.problems],
    fingerprints: state.runs.map(({ fingerprint }) => fingerprint),
    cursors: state.cursors.map(([source, next]) => ({
      source,
      next: next === null ? null : { ...next },
    })),
  };
}
