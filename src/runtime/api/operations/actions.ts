/** Actions by themselves: checked, run, and what is kept of their runs. */
import type { ApiServices } from './api-services.ts';
import { WeirError } from '../../../protocol/errors.ts';
import { actionRunNumber } from '../../../protocol/ids.ts';
import {
  checkAction,
  runAction,
  type RunActionOptions,
} from '../../sources/one-off-runs/run-action.ts';
import { accountIds } from '../../components/props/configured.ts';
import { presentProps } from '../../components/props/present.ts';
import type { UsesStore } from '../../store/store.ts';
import type { Handlers } from './operations.ts';
import { pageRequest, presentPage } from './present.ts';
import {
  presentActionRun,
  presentKeptActionRun,
  presentWholeActionRun,
} from './present-action-runs.ts';
import type { Services } from '../../events/services.ts';

type ActionHandlers = Pick<
  Handlers,
  'actions.run' | 'actions.check' | 'action_runs.list' | 'action_runs.get'
>;

export interface ActionHandlerParts
  extends
    UsesStore<'actionRuns'>,
    Pick<Services, 'signals'>,
    Pick<ApiServices, 'prepare' | 'accounts' | 'stashDir'> {
  readonly probation: RunActionOptions['probation'];
}

export function actionHandlers(parts: ActionHandlerParts): ActionHandlers {
  const { actionRuns } = parts.store;
  const options: RunActionOptions = {
    prepare: parts.prepare,
    requireAccounts: (configured) => {
      for (const id of accountIds(configured)) parts.accounts.get(id);
    },
    stashDir: parts.stashDir('actions'),
    runs: actionRuns,
    probation: parts.probation,
    changed: (record) => parts.signals.emit('actionRun', record),
  };
  return {
    'actions.run': async (params, context) =>
      presentActionRun(await runAction(options, params, context)),
    'actions.check': async (params, context) => {
      const { definition, configured } = await checkAction(options, params, context);
      return { configured_props: presentProps(definition, configured, {}) };
    },
    'action_runs.list': async (params) =>
      presentPage(await actionRuns.list(pageRequest(params)), presentKeptActionRun),
    'action_runs.get': async ({ id }) => {
      const n = actionRunNumber(id);
      const found = n === undefined ? undefined : await actionRuns.get(n);
      if (found !== undefined) return presentWholeActionRun(found);
      throw new WeirError('not_found', `There is no run ${id} of an action.`);
    },
  };
}
