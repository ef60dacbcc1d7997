import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { agentsLogFile, oldAgentsLogFile } from '../protocol/agents.ts';
import type { AgentCall } from '../protocol/catalogue.ts';

export interface AgentLog {
  /** Resolves when the line is written; lines are in the order of the calls. */
  add(call: AgentCall): Promise<void>;
}

/** Then a new file begins, and the old one is kept as `agents.1.jsonl`. */
const largestBytes = 5 * 1024 * 1024;

export function createAgentLog(dataFolder: string): AgentLog {
  const file = join(dataFolder, agentsLogFile);
  let last: Promise<void> = Promise.resolve();
  const write = async (call: AgentCall): Promise<void> => {
    await mkdir(dataFolder, { recursive: true });
    const bytes = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    if (bytes > largestBytes) await rename(file, join(dataFolder, oldAgentsLogFile));
    await appendFile(file, `${JSON.stringify(call)}\n`, { mode: 0o600 });
  };
  return {
    add(call) {
      const written = last.then(() => write(call));
      last = written.catch(() => undefined);
      return written;
    },
  };
}
