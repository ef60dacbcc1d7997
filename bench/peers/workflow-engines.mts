import { join } from 'node:path';
import { freePort } from '../../scripts/editor/free-port.mts';
import { startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import type { Peer, RunningPeer } from './peers.mts';

/** Package of its own: these are large, and only one measure wants them. */
export const enginesFolder = join(import.meta.dirname, '../workflow-peers');

/** Engines that run three steps that do nothing, and answer with the result. */
export const workflowEngines: readonly Peer[] = [
  engine('Restate', 'disk (log and RocksDB)', 'restate.mjs', 4, 'bench/run'),
  engine('DBOS', 'disk (PostgreSQL)', 'dbos.mjs', 2, ''),
  engine('n8n', 'disk (SQLite), not between steps', 'n8n.mjs', 1, 'webhook/bench'),
];

/** @param ports how many free ones the program is given; it prints the address of its first when it is ready */
function engine(name: string, keeps: string, program: string, ports: number, path: string): Peer {
  return {
    name,
    keeps,
    async start(): Promise<RunningPeer> {
      const folder = await temporaryFolder();
      const free = await Promise.all(Array.from({ length: ports }, () => freePort()));
      const args = [join(enginesFolder, program), join(folder.path, 'data'), ...free.map(String)];
      try {
        const running = await startProgram(args, {}, startsWithinMs);
        return {
          pid: running.pid,
          url: `${running.url}${path}`,
          async stop() {
            await running.stop();
            await folder.remove();
          },
        };
      } catch (error) {
        await folder.remove();
        throw error;
      }
    },
  };
}

const startsWithinMs = 120_000;
