/** REST and the event streams together: everything that is asked over plain HTTP with the key. */
import type { Operations } from '../operations/operations.ts';
import type { RequestHandler } from '../server/server.ts';
import type { Signals } from '../signals.ts';
import type { Store } from '../store/store.ts';
import { createRestFace } from './rest.ts';
import { createSseFace } from './sse.ts';
import { createEventFeed, createLogFeed } from './sse-feeds.ts';

export interface ApiOptions {
  readonly operations: Operations;
  readonly store: Store;
  readonly signals: Signals;
  /** Told of every error that a caller only sees as "internal". */
  readonly report: (where: string, error: unknown) => void;
}

export interface Api extends RequestHandler {
  /** Ends the open event streams, telling their readers why; the server can then close. */
  close(reason: string): void;
}

export function createApi(options: ApiOptions): Api {
  const feeds = { events: createEventFeed(options), logs: createLogFeed(options) };
  const sse = createSseFace({ ...options, feeds });
  const rest = createRestFace({ ...options, sse });
  return Object.assign(rest, { close: (reason: string) => sse.close(reason) });
}
