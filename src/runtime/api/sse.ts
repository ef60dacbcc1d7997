/** Server-sent events of one emitter: what it emits, what it logs, or what its steps give to `$.send.sse` (P20). */
import type { ServerResponse } from 'node:http';
import { kindOf } from '../../protocol/ids.ts';
import { type Caller, refuseScope } from '../server/access/caller.ts';
import type { Operations } from './operations/operations.ts';
import { ofChannel } from './sse-feeds.ts';
import type { Feed } from './sse-resuming.ts';
import { type EventStream, openStream, streamHeaders } from './sse-stream.ts';
import type { Services } from '../events/services.ts';

export interface SseOptions extends Pick<Services, 'signals'> {
  readonly operations: Operations;
  /**
   * Called before a stream begins, so that other nodes relay their signals here. Absent if there are no other nodes.
   */
  readonly follow?: () => Promise<void>;
  readonly feeds: { readonly events: Feed; readonly logs: Feed; readonly messages: Feed };
  /** 15 s unless given (P20.3). */
  readonly keepAliveMs?: number;
  /** Bytes that may wait for one reader. 8 MB unless given. */
  readonly maxBuffered?: number;
  /** How long a closed reader has to read the reason. 2 s unless given. */
  readonly closeGraceMs?: number;
}

export interface SseRequest {
  readonly caller: Caller;
  readonly feed: 'events' | 'logs' | 'messages';
  /** Or workflow: id or name slug. */
  readonly source: string;
  /** Channel of `messages`: all unless given. */
  readonly channel?: string;
  /** `Last-Event-ID`. */
  readonly seen: string | undefined;
  /** Only the headers of the stream are asked for. */
  readonly isHead: boolean;
}

export interface SseFace {
  /** How many streams are open. */
  readonly streams: number;
  /** Answers the request with a stream. Throws `not_found` and `bad_input` before anything is sent. */
  open(response: ServerResponse, request: SseRequest): Promise<void>;
  /** Ends all streams, or those of one caller, telling why. */
  close(reason: string, caller?: Caller): void;
}

export function createSseFace(options: SseOptions): SseFace {
  const { operations, signals, feeds } = options;
  const { keepAliveMs = 15_000, maxBuffered = 8 * 1024 * 1024, closeGraceMs = 2000 } = options;
  const open = new Map<EventStream, { readonly emitter: string; readonly caller: Caller }>();
  let heart: NodeJS.Timeout | undefined;

  signals.on('emitterDeleted', (deleted) => {
    for (const [stream, { emitter }] of open) {
      if (emitter === deleted) stream.end(`The ${kindOf(deleted) ?? 'source'} was deleted.`);
    }
  });

  const count = (): void => {
    if (open.size === 0) {
      clearInterval(heart);
      heart = undefined;
    } else {
      heart ??= setInterval(() => {
        for (const stream of open.keys()) stream.keepAlive();
      }, keepAliveMs).unref();
    }
  };

  return {
    get streams() {
      return open.size;
    },
    async open(response, { caller, feed, source, channel, seen, isHead }) {
      const context = {
        caller,
        signal: new AbortController().signal,
        progress: () => undefined,
      };
      const found = await operations.call('emitters.find', { id: source }, context);
      await options.follow?.();
      if (response.destroyed) return;
      const refused = refuseScope('The stream', caller, 'read');
      if (refused !== undefined) throw refused;
      if (isHead) {
        response.writeHead(200, streamHeaders).end();
        return;
      }
      const { id } = found as { id: string };
      const stream = openStream(response, { maxBuffered, closeGraceMs });
      const stop = feeds[feed].start(
        stream,
        channel === undefined ? id : ofChannel(id, channel),
        seen,
      );
      open.set(stream, { emitter: id, caller });
      count();
      stream.begin(() => {
        stop();
        open.delete(stream);
        count();
      });
    },
    close(reason, only) {
      for (const [stream, { caller }] of open) {
        if (only === undefined || caller === only) stream.end(reason);
      }
    },
  };
}
