/** What callers feel of several nodes: a request that is passed on, and the time without answers when a node goes. */
import { setTimeout as pause } from 'node:timers/promises';
import type { TestPostgres } from '../../test/support/postgres.ts';
import { startHelper } from '../harness/helper.mts';
import type { Phase, PhaseRequest } from '../harness/load.mts';
import { payload, payloadId } from '../harness/payload.mts';
import { deploySources, startNodes } from '../peers/weir-nodes.mts';
import type { WeirProgram } from '../peers/weir-program.mts';
import type { MeasureOptions } from './measure.mts';

const leaseSeconds = 5;
const answerMs = 20_000;
/** Before a node goes, so that there is an answer to count from. */
const calmMs = 1000;

/** Medians are for the reader to take: one value of each round. */
export interface Gaps {
  /** p50 of one caller of the node that owns the source, in ms. */
  readonly ownMs: number[];
  /** p50 of one caller of a node that passes it on, in ms. */
  readonly forwardedMs: number[];
  /** From the last answer before SIGTERM to the first one after it, in ms. */
  readonly releaseMs: number[];
  /** The same of SIGKILL. */
  readonly killMs: number[];
}

export async function measureGaps(
  { dist, seconds, rounds, note }: MeasureOptions,
  postgres: TestPostgres,
): Promise<Gaps> {
  const gaps: Gaps = { ownMs: [], forwardedMs: [], releaseMs: [], killMs: [] };
  const { nodes, start } = await startNodes(
    { dist },
    await postgres.newDatabase(),
    2,
    leaseSeconds,
  );
  let [active, standby] = nodes as [WeirProgram, WeirProgram];
  const sources = await deploySources(active, 1);
  const [path = ''] = sources.paths;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      note(`round ${round} of ${rounds}: a request that is passed on`);
      gaps.ownMs.push(await oneCaller(new URL(path, active.url).href, seconds));
      gaps.forwardedMs.push(await oneCaller(new URL(path, standby.url).href, seconds));
      for (const [signal, found] of [
        ['SIGTERM', gaps.releaseMs],
        ['SIGKILL', gaps.killMs],
      ] as const) {
        note(`round ${round} of ${rounds}: ${signal}`);
        const leaving = active;
        found.push(await gap(new URL(path, standby.url).href, () => leaving.stop(signal)));
        active = standby;
        standby = await start();
      }
    }
    return gaps;
  } finally {
    await Promise.all([active.stop(), standby.stop()]);
    await sources.remove();
  }
}

async function oneCaller(url: string, seconds: number): Promise<number> {
  const load = await startHelper('harness/load.mts', ['1', url]);
  try {
    await load.ask<Phase>({ seconds: 1 } satisfies PhaseRequest);
    return (await load.ask<Phase>({ seconds } satisfies PhaseRequest)).p50Ms;
  } finally {
    load.stop();
  }
}

/** @param leave resolves when the node has ended */
async function gap(url: string, leave: () => Promise<void>): Promise<number> {
  const seen = { isOver: false, lastAnswer: performance.now(), longest: 0, answers: 0 };
  const calling = callUntil(url, seen);
  await pause(calmMs);
  seen.longest = 0;
  await leave();
  const enough = seen.answers + 20;
  while (seen.answers < enough) await pause(20);
  seen.isOver = true;
  await calling;
  return seen.longest;
}

interface Seen {
  isOver: boolean;
  lastAnswer: number;
  /** Between two answers, in ms. */
  longest: number;
  answers: number;
}

async function callUntil(url: string, seen: Seen): Promise<void> {
  for (let n = 0; !seen.isOver; n += 1) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: payload(payloadId(0, n)),
      signal: AbortSignal.timeout(answerMs),
    }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.status !== 200) {
      await pause(5);
      continue;
    }
    const now = performance.now();
    seen.longest = Math.max(seen.longest, now - seen.lastAnswer);
    seen.lastAnswer = now;
    seen.answers += 1;
  }
}
