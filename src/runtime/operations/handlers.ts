/** All handlers, as one table that has to match the catalogue. */
import { accountHandlers } from './accounts.ts';
import { componentHandlers } from './components.ts';
import { debugHandlers } from './debug.ts';
import { eventHandlers } from './events.ts';
import type { Handlers } from './operations.ts';
import type { Room } from './room.ts';
import { replayHandlers } from './replay.ts';
import { runtimeHandlers } from './runtime.ts';
import { sourceHandlers } from './sources.ts';
import { webhookHandlers } from './webhooks.ts';

export function createHandlers(room: Room): Handlers {
  return {
    ...runtimeHandlers(room),
    ...componentHandlers(room),
    ...sourceHandlers(room),
    ...replayHandlers(room),
    ...debugHandlers(room),
    ...eventHandlers(room),
    ...webhookHandlers(room),
    ...accountHandlers(room),
  };
}
