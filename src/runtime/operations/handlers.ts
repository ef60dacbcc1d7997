/** All handlers, as one table that has to match the catalogue. */
import { accountHandlers } from './accounts.ts';
import { componentHandlers } from './components.ts';
import { debugHandlers } from './debug.ts';
import { dataStoreHandlers } from './data-stores.ts';
import { deliveryHandlers } from './deliveries.ts';
import { endpointHandlers } from './endpoints.ts';
import { eventHandlers } from './events.ts';
import { inspectHandlers } from './inspect.ts';
import { publishHandlers } from './published.ts';
import type { Handlers } from './operations.ts';
import type { Room } from './room.ts';
import { replayHandlers } from './replay.ts';
import { runtimeHandlers } from './runtime.ts';
import { sourceHandlers } from './sources.ts';
import { timerHandlers } from './timers.ts';
import { subscriptionHandlers } from './subscriptions.ts';
import { webhookHandlers } from './webhooks.ts';

export function createHandlers(room: Room): Handlers {
  return {
    ...runtimeHandlers(room),
    ...componentHandlers(room),
    ...publishHandlers(room),
    ...sourceHandlers(room),
    ...replayHandlers(room),
    ...debugHandlers(room),
    ...timerHandlers(room),
    ...endpointHandlers(room),
    ...eventHandlers(room),
    ...inspectHandlers(room),
    ...webhookHandlers(room),
    ...subscriptionHandlers(room),
    ...deliveryHandlers(room),
    ...accountHandlers(room),
    ...dataStoreHandlers(room),
  };
}
