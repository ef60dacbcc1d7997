import { join } from 'node:path';
import { freePort } from '../../scripts/editor/free-port.mts';
import { installPinned } from '../../scripts/npm.mts';
import { startProgram } from '../harness/program.mts';
import { temporaryFolder } from '../harness/temporary.mts';
import type { Peer, RunningPeer } from './peers.mts';

const folder = join(import.meta.dirname, '../workflow-peers');

/** Engines that run three steps that do nothing, and answer with the result. Each is installed when it first starts. */
export const workflowEngines: readonly Peer[] = [
  engine({
    name: 'Restate',
    keeps: 'disk (log and RocksDB)',
    folder,
    program: 'restate.mjs',
    ports: 4,
    path: 'bench/run',
  }),
  engine({
    name: 'DBOS',
    keeps: 'disk (PostgreSQL)',
    folder,
    program: 'dbos.mjs',
    ports: 1,
    path: '',
  }),
  engine({
    name: 'n8n',
    keeps: 'disk (SQLite), not between steps',
    folder: join(folder, 'n8n'),
    program: 'n8n.mjs',
    ports: 1,
    path: 'webhook/bench',
  }),
];

interface Engine {
  readonly name: string;
  readonly keeps: string;
  /** Package of its own: these are large, and only one measure wants them. */
  readonly folder: string;
  readonly program: string;
  /** So many free ones the program is given; it prints the address of its first when it is ready. */
  readonly ports: number;
  /** Where the workflow is called. */
  readonly path: string;
}

function engine({ name, keeps, folder: home, program, ports, path }: Engine): Peer {
  return {
    name,
    keeps,
    async start(): Promise<RunningPeer> {
      await installPinned(home, (line) => console.error(line));
      const own = await temporaryFolder();
      const free = await Promise.all(Array.from({ length: ports }, () => freePort()));
      const args = [join(home, program), join(own.path, 'data'), ...free.map(String)];
      try {
        const running = await startProgram(args, {}, startsWithinMs);
        return {
          pid: running.pid,
          url: `${running.url}${path}`,
          async stop() {
            await running.stop();
            await own.remove();
          },
        };
      } catch (error) {
        await own.remove();
        throw error;
      }
    },
  };
}

const startsWithinMs = 120_000;
