import { join } from 'node:path';
import { freePort } from '../../scripts/editor/free-port.mts';
import { installPinned } from '../../scripts/npm.mts';
import { type Program, startProgram } from '../harness/program.mts';

const folder = join(import.meta.dirname, '../workflow-peers');
const startsWithinMs = 120_000;

/** Takes events in and works them off on a PostgreSQL that it is given (bench/workflow-peers/event-server.mjs). */
export interface EventQueue {
  readonly name: string;
  start(database: string): Promise<Program>;
}

export const eventQueues: readonly EventQueue[] = [
  queue('graphile-worker', 'graphile-worker.mjs'),
  queue('DBOS', 'dbos-events.mjs'),
];

function queue(name: string, program: string): EventQueue {
  return {
    name,
    async start(database) {
      await installPinned(folder, (line) => console.error(line));
      const args = [join(folder, program), String(await freePort()), database];
      return startProgram(args, {}, startsWithinMs);
    },
  };
}
