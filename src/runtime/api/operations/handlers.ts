/** All handlers, as one table that has to match the catalogue. */
import { accountHandlers } from './accounts.ts';
import { actionHandlers } from './actions.ts';
import { agentHandlers } from './agents.ts';
import { appHandlers } from './apps.ts';
import { carryOverHandlers } from './carry-over.ts';
import { componentFileHandlers } from './component-files.ts';
import { componentHandlers } from './components.ts';
import { debugHandlers } from './debug.ts';
import { dataStoreHandlers } from './data-stores.ts';
import { deliveryHandlers } from './deliveries.ts';
import { endpointHandlers } from './endpoints.ts';
import { environmentHandlers } from './environment.ts';
import { eventHandlers } from './events.ts';
import { inspectHandlers } from './inspect.ts';
import { importHandlers } from './imports.ts';
import { packHandlers } from './pack.ts';
import { publishHandlers } from './published.ts';
import type { Handlers } from './operations.ts';
import { replayHandlers } from './replay.ts';
import { keyHandlers } from './keys.ts';
import { pinHandlers } from './pin-step.ts';
import { pinsHandlers } from './pins.ts';
import { lockedComponentHandlers } from './locked-components.ts';
import { registryHandlers } from './registries.ts';
import { runExecutionHandlers, runTest } from './run-executions.ts';
import { runtimeHandlers } from './runtime.ts';
import { serviceDbHandlers } from './service-db.ts';
import { sourceHandlers } from './sources.ts';
import { staleStepsHandlers } from './stale-steps.ts';
import { timerHandlers } from './timers.ts';
import { subscriptionHandlers } from './subscriptions.ts';
import { testHandlers } from './tests.ts';
import { uploadHandlers } from './uploads.ts';
import { webhookHandlers } from './webhooks.ts';
import { workflowHandlers } from './workflows.ts';

/** The parts that the handlers work with. */
export type HandlerParts = Parameters<typeof runtimeHandlers>[0] &
  Parameters<typeof componentHandlers>[0] &
  Parameters<typeof componentFileHandlers>[0] &
  Parameters<typeof actionHandlers>[0] &
  Parameters<typeof agentHandlers>[0] &
  Parameters<typeof packHandlers>[0] &
  Parameters<typeof publishHandlers>[0] &
  Parameters<typeof registryHandlers>[0] &
  Parameters<typeof lockedComponentHandlers>[0] &
  Parameters<typeof sourceHandlers>[0] &
  Parameters<typeof workflowHandlers>[0] &
  Parameters<typeof importHandlers>[0] &
  Parameters<typeof carryOverHandlers>[0] &
  Parameters<typeof runExecutionHandlers>[0] &
  Parameters<typeof testHandlers>[0] &
  Parameters<typeof pinHandlers>[0] &
  Parameters<typeof staleStepsHandlers>[0] &
  Parameters<typeof serviceDbHandlers>[0] &
  Parameters<typeof replayHandlers>[0] &
  Parameters<typeof debugHandlers>[0] &
  Parameters<typeof timerHandlers>[0] &
  Parameters<typeof endpointHandlers>[0] &
  Parameters<typeof eventHandlers>[0] &
  Parameters<typeof environmentHandlers>[0] &
  Parameters<typeof keyHandlers>[0] &
  Parameters<typeof uploadHandlers>[0] &
  Parameters<typeof inspectHandlers>[0] &
  Parameters<typeof webhookHandlers>[0] &
  Parameters<typeof subscriptionHandlers>[0] &
  Parameters<typeof deliveryHandlers>[0] &
  Parameters<typeof accountHandlers>[0] &
  Parameters<typeof appHandlers>[0] &
  Parameters<typeof dataStoreHandlers>[0];

export function createHandlers(parts: HandlerParts): Handlers {
  const runs = runExecutionHandlers(parts);
  return {
    ...runtimeHandlers(parts),
    ...componentHandlers(parts),
    ...componentFileHandlers(parts),
    ...actionHandlers(parts),
    ...agentHandlers(parts),
    ...packHandlers(parts),
    ...publishHandlers(parts),
    ...registryHandlers(parts),
    ...lockedComponentHandlers(parts),
    ...sourceHandlers(parts),
    ...workflowHandlers(parts),
    ...importHandlers(parts),
    ...carryOverHandlers(parts),
    ...runs,
    ...testHandlers(parts, runTest(parts)),
    ...pinHandlers(parts),
    ...pinsHandlers(parts),
    ...staleStepsHandlers(parts),
    ...serviceDbHandlers(parts),
    ...replayHandlers(parts),
    ...debugHandlers(parts),
    ...timerHandlers(parts),
    ...endpointHandlers(parts),
    ...eventHandlers(parts),
    ...environmentHandlers(parts),
    ...keyHandlers(parts),
    ...uploadHandlers(parts),
    ...inspectHandlers(parts),
    ...webhookHandlers(parts),
    ...subscriptionHandlers(parts),
    ...deliveryHandlers(parts),
    ...accountHandlers(parts),
    ...appHandlers(parts),
    ...dataStoreHandlers(parts),
  };
}
