/**
 * Follows a list of the runtime that grows at its new end, through restarts of the runtime: whenever
 * something changed, and after each reconnection, everything newer than the last one is read.
 */
import type { ReconnectingClient } from '../../client/reconnecting.ts';
import type { Page } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Change } from '../../protocol/rpc.ts';

export interface FollowOptions<T> {
  readonly client: ReconnectingClient;
  /** The items next after the cursor, newest first. */
  readonly newer: (cursor: string) => Promise<Page<T>>;
  /** Cursor of the last item that was printed. */
  readonly cursor: string;
  readonly concerns: (change: Change) => boolean;
  /** Oldest first. */
  readonly print: (items: readonly T[]) => void;
  readonly note: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** Resolves when the signal aborts; rejects when reading fails for another reason than a lost connection. */
export async function follow<T>(options: FollowOptions<T>): Promise<void> {
  const { client, signal } = options;
  let { cursor } = options;
  let isStale = true;
  let lost = false;
  let wake: () => void = () => undefined;
  const readAgain = (): void => {
    isStale = true;
    wake();
  };
  const stops = [
    client.onChanges((batch) => {
      if (batch.some((change) => options.concerns(change))) readAgain();
    }),
    client.onState((state) => {
      if (state.is === 'connected') readAgain();
      if (state.is === 'disconnected' && !lost) options.note(`${state.reason} Waiting for it.`);
      lost = state.is === 'disconnected' || (lost && state.is !== 'connected');
    }),
  ];
  const end = (): void => wake();
  signal.addEventListener('abort', end);
  try {
    while (!signal.aborted) {
      if (!isStale || client.state.is !== 'connected') {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      isStale = false;
      cursor = await readNewer(options, cursor);
    }
  } finally {
    signal.removeEventListener('abort', end);
    for (const stop of stops) stop();
  }
}

/** Returns the cursor of the newest item there is. A runtime that ended meanwhile is not an error. */
async function readNewer<T>(options: FollowOptions<T>, from: string): Promise<string> {
  let cursor = from;
  for (;;) {
    let page: Page<T>;
    try {
      page = await options.newer(cursor);
    } catch (error) {
      // The state may say so a moment later. Once the runtime is back, the list is read again.
      const isGone = WeirError.is(error, 'runtime_unavailable');
      if (isGone || options.client.state.is !== 'connected') return cursor;
      throw error;
    }
    const newest = page.page_info.start_cursor;
    if (page.data.length === 0 || newest === null) return cursor;
    options.print(page.data.toReversed());
    cursor = newest;
  }
}
