/** What `scale` sends events to, each on a fresh store. */
import type { TestPostgres } from '../../test/support/postgres.ts';
import { eventQueues, type EventQueue } from '../peers/event-queues.mts';
import { deploySources, startNodes } from '../peers/weir-nodes.mts';
import { startWeir, type WeirProgram } from '../peers/weir-program.mts';
import type { MeasureOptions } from './measure.mts';

export const sourceCount = 4;
const leaseSeconds = 5;
const pollMs = 100;

export interface Subject {
  readonly name: string;
  start(): Promise<Running>;
}

export interface Running {
  /** Connections are spread over them in turn. */
  readonly urls: readonly string[];
  /** Roots of the process trees that are measured, PostgreSQL apart. */
  readonly pids: readonly number[];
  /** Resolves when so many events are worked off. */
  readonly settled: (count: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const embedded = 'embedded store';

export function nodesOnPostgres(count: number): string {
  return `PostgreSQL, ${count} node${count === 1 ? '' : 's'}`;
}

/** @param postgres where all but the embedded store keep their events */
export function subjects(
  { dist, profile, only }: MeasureOptions,
  postgres: TestPostgres,
): readonly Subject[] {
  const queues = eventQueues.filter(
    ({ name }) => only === undefined || only.some((part) => name.toLowerCase().includes(part)),
  );
  return [
    { name: embedded, start: async () => running([await startWeir({ dist, profile })]) },
    ...[1, 2, 4].map((count) => ({
      name: nodesOnPostgres(count),
      async start() {
        const store = await postgres.newDatabase();
        const { nodes } = await startNodes({ dist, profile }, store, count, leaseSeconds);
        return running(nodes);
      },
    })),
    ...queues.map((queue) => ofQueue(queue, postgres)),
  ];
}

async function running(nodes: readonly WeirProgram[]): Promise<Running> {
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  const [first] = nodes;
  if (first === undefined) throw new Error('A runtime has a node.');
  try {
    const sources = await deploySources(first, sourceCount);
    return {
      urls: nodes.flatMap(({ url }) => sources.paths.map((path) => new URL(path, url).href)),
      pids: nodes.map(({ pid }) => pid),
      settled: sources.settled,
      stop: async () => {
        await stop();
        await sources.remove();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function ofQueue(queue: EventQueue, postgres: TestPostgres): Subject {
  return {
    name: queue.name,
    async start() {
      const program = await queue.start(await postgres.newDatabase());
      const { url, pid } = program;
      return {
        urls: [url],
        pids: [pid],
        settled: async (count) => {
          for (;;) {
            const answer = await fetch(url);
            if (Number(await answer.text()) >= count) return;
            await new Promise((resolve) => setTimeout(resolve, pollMs));
          }
        },
        stop: () => program.stop(),
      };
    },
  };
}
