/** The bundle that `weir mcp` loads, and the runtime when an agent comes over HTTP. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { version } from '../../package.json';
import type { Caller } from '../client/connection.ts';
import type { AgentOffer, Result } from '../protocol/catalogue.ts';
import { appOf } from '../protocol/definition.ts';
import { WeirError } from '../protocol/errors.ts';
import { hintsOf } from './actions/offered.ts';
import { createAgentLog } from './agent-log.ts';
import { createLimit } from './limit.ts';
import { createOffering, isAllowed, isOwn, type Offering } from './offering.ts';
import { createServer } from './server.ts';
import { createSession } from './session.ts';
import type { Tool } from './tool.ts';
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
  /** Less than the rules of the user allow; what they say unless given. */
  readonly perMinute?: number;
  /** Aborting ends it, as the end of stdin does. */
  readonly signal: AbortSignal;
}

/** Serves until the client disconnects. A named tool that does not exist is reported when tools are first listed. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { stdin, stdout, signal, dataFolder, ensureRuntime } = options;
  const session = createSession({
    dataFolder,
    ensureRuntime,
    onChanges: (batch) => {
      offering.changed(batch);
      changed(batch);
    },
  });
  const offering = createOffering({
    caller: session,
    cwd: options.cwd,
    ...(options.actions.length > 0 && { offers: offersOf(options), isStrict: true }),
    report: (message) => void options.stderr.write(`${message}\n`),
    onChanged: () => void server.sendToolListChanged().catch(() => undefined),
  });
  const { server, changed } = createServer({
    session,
    tools: () => toolsFor(options, offering),
    rules: async () => {
      const rules = await offering.rules();
      return { ...rules, per_minute: Math.min(rules.per_minute, options.perMinute ?? Infinity) };
    },
    documents: hasDocuments(options),
    log: createAgentLog(dataFolder),
    limit: createLimit(Date.now),
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
    offering.close();
    session.close();
  }
}

/** With `--actions`, of Weir's own tools only what reads the rest of an answer, unless others are allowed. */
async function toolsFor(
  { allowed, readOnly, actions }: McpOptions,
  offering: Offering,
): Promise<readonly Tool[]> {
  if (allowed.length > 0) requireTools(allowed, await offering.all());
  return (await offering.tools()).filter((tool) => {
    if (readOnly && tool.scope !== 'read') return false;
    if (allowed.length > 0) return isAllowed(tool.name, allowed);
    return actions.length === 0 || tool.name === readName || !isOwn(tool);
  });
}

function offersOf({ actions, accounts, live }: McpOptions): AgentOffer[] {
  const offers = actions.map((what) => ({
    what,
    accounts: Object.fromEntries(accounts),
    live: [...live],
  }));
  return offers;
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

/** The result of offers, and a sentence for each action that cannot be offered. */
export async function describeOffers(
  caller: Caller,
  offers: readonly AgentOffer[],
  cwd: string,
): Promise<Result<'agent_offers.describe'>> {
  const problems: string[] = [];
  const offering = createOffering({
    caller,
    cwd,
    offers,
    report: (message) => problems.push(message),
    onChanged: () => undefined,
  });
  try {
    const data = (await offering.actions()).map(({ what, origin, definition, rules, tool }) => ({
      name: tool.name,
      title: tool.title,
      description: definition.description ?? '',
      what,
      from: 'key' in origin ? origin.key : origin.component_path,
      live: rules.isLive,
      apps: [
        ...new Set(definition.configurable_props.filter(({ type }) => type === 'app').map(appOf)),
      ],
      destructive: hintsOf(definition, true).destructiveHint === true,
    }));
    return { data, problems };
  } finally {
    offering.close();
  }
}
