/** What code of a component at a node that follows asks of the one that leads: its data stores, and its files. */
import { readFile, stat } from 'node:fs/promises';
import { WeirError } from '../../protocol/errors.ts';
import type { DataStoreRequest, FileRequest } from '../../protocol/host.ts';
import type { Peer } from '../cluster/peer.ts';
import type { Clock } from '../base/clock.ts';

/** Until another node leads. */
const leaderMs = 30_000;
/** For one try. */
const askMs = 15_000;
/** Between two tries, in ms. */
const againMs = 100;
/** Between nodes it is one message. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Asks until a node that leads has answered: whatever is asked can be asked again.
 * @throws what it has thrown, and WeirError('runtime_unavailable') when none answers
 */
export async function askLeader(
  toLeader: () => Promise<Peer>,
  clock: Pick<Clock, 'after' | 'elapsed'>,
  request: DataStoreRequest | FileRequest,
): Promise<unknown> {
  const begun = clock.elapsed();
  for (;;) {
    try {
      return (await (await toLeader()).call('answer', { request }, askMs)).answer;
    } catch (error) {
      if (!isPassing(error) || clock.elapsed() - begun > leaderMs) throw error;
    }
    await new Promise<void>((resolve) => void clock.after(againMs, resolve));
  }
}

/**
 * The leading node has another disk.
 * @throws WeirError('bad_input') for a file that is too large to hand on
 */
export async function withBytes(request: FileRequest): Promise<FileRequest> {
  const { content, filename } = request;
  const size = typeof content === 'string' ? (await stat(content)).size : content.byteLength;
  if (size > mostBytes) {
    throw new WeirError(
      'bad_input',
      `${filename} has ${Math.ceil(size / 1024 / 1024)} MB: between nodes files of up to ${mostBytes / 1024 / 1024} MB are handed on.`,
    );
  }
  return typeof content === 'string' ? { ...request, content: await readFile(content) } : request;
}

/** Nobody leads just now, or whoever was asked leads no longer. */
function isPassing(error: unknown): boolean {
  return (['runtime_unavailable', 'conflict', 'store_failed'] as const).some((code) =>
    WeirError.is(error, code),
  );
}
