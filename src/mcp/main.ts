/** The bundle that `weir mcp` loads, and the runtime when an agent comes over HTTP. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { version } from '../../package.json';
import { WeirError } from '../protocol/errors.ts';
import { type ActionSet, createActionSet } from './actions/action-set.ts';
import { createKeptRuns } from './actions/kept-runs.ts';
import { configureName } from './actions/schema.ts';
import { createAgentLog } from './agent-log.ts';
import { documentReader } from './documents.ts';
import { createLimit } from './limit.ts';
import { createServer } from './server.ts';
import { createSession } from './session.ts';
import type { Tool } from './tool.ts';
import { createTools } from './tools.ts';
import { readName } from './tools/read.ts';

export { createAgentSessions } from './http.ts';

export interface McpOptions {
  readonly dataFolder: string;
  readonly ensureRuntime: () => Promise<void>;
  readonly stdin: Readable;
  /** Gets messages of the protocol and nothing else. */
  readonly stdout: Writable;
  readonly readOnly: boolean;
  /** Gets a sentence for each action that cannot be offered. */
  readonly stderr: Writable;
  /** Files, folders, keys and apps. With one, their tools are offered instead of those of Weir. */
  readonly actions: readonly string[];
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Account that actions use, by app slug. Empty: an app's only account is used. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Names of actions that run for real; the others are only checked. */
  readonly live: readonly string[];
  /** Names of tools; all of them when it is empty. */
  readonly allowed: readonly string[];
  readonly perMinute: number;
  /** Aborting ends it, as the end of stdin does. */
  readonly signal: AbortSignal;
}

/**
 * Serves until the client has gone.
 * @throws WeirError `bad_input` for a tool that does not exist
 */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { stdin, stdout, signal, dataFolder, ensureRuntime } = options;
  const hex = (): string => randomBytes(3).toString('hex');
  const kept = createKeptRuns(dataFolder, Date.now, hex);
  const document = documentReader(kept);
  const own = createTools(document);
  const session = createSession({
    dataFolder,
    ensureRuntime,
    onChanges: (batch) => changed(batch),
  });
  const actions =
    options.actions.length === 0
      ? undefined
      : createActionSet({
          named: options.actions,
          cwd: options.cwd,
          caller: session,
          rules: { accounts: options.accounts, live: new Set(options.live), kept },
          taken: new Set([...own.map(({ name }) => name), configureName]),
          report: (message) => void options.stderr.write(`${message}\n`),
          onChanged: () => void server.sendToolListChanged().catch(() => undefined),
        });
  if (actions === undefined) requireTools(options.allowed, own);
  const { server, changed } = createServer({
    session,
    tools: () => offeredTools(options, own, actions),
    documents: hasDocuments(options) ? document : undefined,
    log: createAgentLog(dataFolder),
    limit: createLimit(
      options.perMinute,
      Date.now,
      ', or start "weir mcp" with a higher --per-minute',
    ),
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
    actions?.close();
    session.close();
  }
}

/** With actions, of Weir's own tools only what reads the rest of an answer, unless others are allowed. */
async function offeredTools(
  { allowed, readOnly }: McpOptions,
  own: readonly Tool[],
  actions: ActionSet | undefined,
): Promise<readonly Tool[]> {
  const all = [...own, ...((await actions?.tools()) ?? [])];
  if (actions !== undefined) requireTools(allowed, all);
  const isOwn = new Set<Tool>(own);
  return all.filter((tool) => {
    if (readOnly && !tool.annotations.readOnlyHint) return false;
    if (allowed.length > 0) return allowed.includes(tool.name);
    return actions === undefined || tool.name === readName || !isOwn.has(tool);
  });
}

/** They are read as the tool `read` reads them, so where it is not offered they are not, nor beside actions. */
function hasDocuments({ actions, allowed }: McpOptions): boolean {
  return actions.length === 0 && (allowed.length === 0 || allowed.includes(readName));
}

function requireTools(allowed: readonly string[], all: readonly Tool[]): void {
  const unknown = allowed.find((name) => all.every((tool) => tool.name !== name));
  if (unknown === undefined) return;
  const names = all.map(({ name }) => name).join(', ');
  throw new WeirError('bad_input', `There is no tool "${unknown}"; there are ${names}.`);
}
