/** REST and the event streams together: everything that is asked over plain HTTP with the key. */
import type { Operations } from './operations/operations.ts';
import type { Caller } from '../server/access/caller.ts';
import type { ApiHandler, RequestHandler } from '../server/server.ts';
import { createRestFace, type RestOptions } from './rest.ts';
import { createSseFace } from './sse.ts';
import { createPublicStreams } from './public-streams.ts';
import { createEventFeed, createLogFeed, createMessageFeed } from './sse-feeds.ts';
import type { Services } from '../events/services.ts';

export interface ApiOptions extends Pick<Services, 'store' | 'signals' | 'report'> {
  readonly operations: Operations;
  /** See `SseOptions`. */
  readonly follow?: () => Promise<void>;
  /** See `RestOptions`. */
  readonly metrics: RestOptions['metrics'];
  /** See `PublicStreamsOptions`. */
  readonly workflowAt: (address: string) => string | undefined;
}

export interface Api extends ApiHandler {
  /** How many event streams are open. */
  readonly streams: () => number;
  /** Requests below `/h/sse_…`, which need no key. */
  readonly publicStream: RequestHandler;
  /** Ends the open event streams, telling their readers why; the server can then close. */
  close(reason: string): void;
  /** The same for the streams of one key. */
  closeOf(caller: Caller, reason: string): void;
}

export function createApi(options: ApiOptions): Api {
  const feeds = {
    events: createEventFeed(options),
    logs: createLogFeed(options),
    messages: createMessageFeed(options),
  };
  const sse = createSseFace({ ...options, feeds });
  const rest = createRestFace({ ...options, sse });
  return Object.assign(rest, {
    streams: () => sse.streams,
    publicStream: createPublicStreams({ sse, workflowAt: options.workflowAt }),
    close: (reason: string) => sse.close(reason),
    closeOf: (caller: Caller, reason: string) => sse.close(reason, caller),
  });
}
