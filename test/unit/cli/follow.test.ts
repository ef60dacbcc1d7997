import { expect, test } from 'vitest';
import { follow } from '../../../src/cli/lists/follow.ts';
import type { ReconnectingClient } from '../../../src/client/reconnecting.ts';
import type { Page } from '../../../src/protocol/catalogue.ts';
import { WeirError } from '../../../src/protocol/errors.ts';
import type { Change, RuntimeFile } from '../../../src/protocol/rpc.ts';

type State = ReconnectingClient['state'];
const connected: State = { is: 'connected', runtime: {} as RuntimeFile };

/** Follows a list of numbers; `page` answers, or fails, each time it is asked. */
function following(page: (cursor: number) => number[]) {
  const states = new Set<(state: State) => void>();
  const changes = new Set<(batch: readonly Change[]) => void>();
  const printed: number[] = [];
  const notes: string[] = [];
  const stop = new AbortController();
  const client = {
    state: connected,
    onState: (listener: (state: State) => void) => {
      states.add(listener);
      return () => states.delete(listener);
    },
    onChanges: (listener: (batch: readonly Change[]) => void) => {
      changes.add(listener);
      return () => changes.delete(listener);
    },
  };
  const ended = follow<number>({
    client: client as unknown as ReconnectingClient,
    cursor: '0',
    newer: async (cursor) => {
      const data = page(Number(cursor));
      const start = data.length === 0 ? null : String(data[0]);
      const info = { total_count: 0, count: data.length, start_cursor: start, end_cursor: null };
      return { data, page_info: info } satisfies Page<number>;
    },
    concerns: () => true,
    print: (items) => void printed.push(...items),
    note: (sentence) => void notes.push(sentence),
    signal: stop.signal,
  });
  const become = (state: State): void => {
    client.state = state;
    for (const listener of states) listener(state);
  };
  return { printed, notes, ended, become, stop: () => stop.abort() };
}

test('a runtime that goes away in the middle of a call, before the client has noticed, is waited for', async () => {
  let there = false;
  const { printed, notes, ended, become, stop } = following((cursor) => {
    if (!there) throw new WeirError('runtime_unavailable', 'The connection ended.');
    return [3, 2, 1].filter((n) => n > cursor);
  });
  become({
    is: 'disconnected',
    reason: 'The runtime is gone.',
    nextRetryAt: 0,
  } as unknown as State);
  there = true;
  become(connected);
  await expect.poll(() => printed).toEqual([1, 2, 3]);
  expect(notes).toEqual(['The runtime is gone. Waiting for it.']);
  stop();
  await ended;
});

test('a call that fails for another reason ends it', async () => {
  const { ended } = following(() => {
    throw new WeirError('not_found', 'There is no source "inbox".');
  });
  await expect(ended).rejects.toThrow('There is no source');
});
