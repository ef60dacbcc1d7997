/** The bundle that `weir mcp` loads. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { version } from '../../package.json';
import { WeirError } from '../protocol/errors.ts';
import { createAgentLog } from './agent-log.ts';
import { createLimit } from './limit.ts';
import { createServer } from './server.ts';
import { createSession } from './session.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools.ts';

export interface McpOptions {
  readonly dataFolder: string;
  readonly ensureRuntime: () => Promise<void>;
  readonly stdin: Readable;
  /** Gets messages of the protocol and nothing else. */
  readonly stdout: Writable;
  readonly readOnly: boolean;
  /** Names of tools; all of them when it is empty. */
  readonly allowed: readonly string[];
  readonly perMinute: number;
  /** Aborting ends it, as the end of stdin does. */
  readonly signal: AbortSignal;
}

/** Serves until the client has gone. @throws WeirError `bad_input` for a tool that does not exist */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { stdin, stdout, signal, dataFolder, ensureRuntime } = options;
  const offered = offeredTools(options);
  const session = createSession({ dataFolder, ensureRuntime, onChanges: () => undefined });
  const server = createServer({
    session,
    tools: offered,
    log: createAgentLog(dataFolder),
    limit: createLimit(options.perMinute, Date.now),
    version,
    now: Date.now,
  });
  const gone = Promise.race([
    once(stdin, 'end', { signal }),
    once(stdin, 'close', { signal }),
  ]).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  try {
    await server.connect(new StdioServerTransport(stdin, stdout));
    await gone;
  } finally {
    await server.close();
    session.close();
  }
}

function offeredTools({ allowed, readOnly }: McpOptions): Tool[] {
  const unknown = allowed.find((name) => tools.every((tool) => tool.name !== name));
  if (unknown !== undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new WeirError('bad_input', `There is no tool "${unknown}"; there are ${names}.`);
  }
  return tools.filter(
    ({ name, annotations }) =>
      (allowed.length === 0 || allowed.includes(name)) && (!readOnly || annotations.readOnlyHint),
  );
}
