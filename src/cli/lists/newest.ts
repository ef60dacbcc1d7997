/** `weir events` and `weir logs`: the newest items of a list, and with `-f` also later items as they arrive. */
import type { Caller } from '../../client/connection.ts';
import { createReconnectingClient } from '../../client/reconnecting.ts';
import type { Page } from '../../protocol/catalogue.ts';
import type { Change } from '../../protocol/rpc.ts';
import type { ConnectedTools } from '../cli.ts';
import { follow } from './follow.ts';
import { allPages } from '../../client/pages.ts';

export interface Newest<T> {
  readonly count: number;
  /** Keeps printing new ones until Ctrl-C, through restarts of the runtime. */
  readonly follow: boolean;
  /** A page of the list, newest first. */
  readonly list: (
    call: Caller['call'],
    window: { readonly limit: number; readonly after?: string; readonly before?: string },
  ) => Promise<Page<T>>;
  readonly textOf: (item: T) => string;
  /** Cursor of the last item shown; undefined if none was shown yet. */
  readonly cursorOf: (item: T | undefined) => string;
  /** Whether the list may be longer after this change. */
  readonly concerns: (change: Change) => boolean;
  /** Items of a change that are shown at once, although the list does not have them yet. */
  readonly early?: (change: Change) => readonly T[];
  /** Whether an item of the list was shown so before. Asked once for each, oldest first. */
  readonly wasShown?: (item: T) => boolean;
}

/** Prints oldest first. */
export async function showNewest<T>(tools: ConnectedTools, newest: Newest<T>): Promise<void> {
  const { call, out, dataFolder, interrupted } = tools;
  const { list, textOf } = newest;
  const shown = (await allPages((page) => list(call, page), newest.count)).toReversed();
  if (!newest.follow) {
    out.answer(shown, () => shown.map(textOf).join('\n'));
    return;
  }
  const show = (item: T): void => out.item(item, () => textOf(item));
  const print = (items: readonly T[]): void => {
    for (const item of items) if (newest.wasShown?.(item) !== true) show(item);
  };
  print(shown);
  const client = createReconnectingClient({ dataFolder });
  client.onChanges((batch) => {
    for (const change of batch) for (const item of newest.early?.(change) ?? []) show(item);
  });
  try {
    await follow({
      client,
      cursor: newest.cursorOf(shown.at(-1)),
      newer: (before) => list((name, params) => client.call(name, params), { before, limit: 100 }),
      concerns: newest.concerns,
      print,
      note: (sentence) => out.note(sentence),
      signal: interrupted,
    });
  } finally {
    client.close();
  }
}
