/** Calls of tools over the `/mcp` of a runtime; loaded at the first one, with the SDK of the protocol. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { version } from '../../../package.json';
import { readRuntimeFile } from '../../client/runtime-file.ts';
import { WeirError } from '../../protocol/errors.ts';
import { toolPrefix } from '../../protocol/agents.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';

/** One session for each connection to a runtime; it ends with the runtime. */
const sessions = new WeakMap<RuntimeClient, Promise<Client>>();

/** Nobody knows how long what a tool runs may take; its user can cancel it. */
const longestMs = 2 ** 31 - 1;

/**
 * @param connection to the runtime of the data folder
 * @param name as the editor knows the tool
 * @returns the text of the answer; rejects with an error whose message is the answer when the tool failed
 */
export async function callTool(
  dataFolder: string,
  connection: RuntimeClient,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  const tool = { name: name.slice(toolPrefix.length), arguments: { ...input } };
  const call = async () => {
    const session = sessions.get(connection) ?? open(dataFolder);
    sessions.set(connection, session);
    return (await session).callTool(tool, undefined, { signal, timeout: longestMs });
  };
  const { content, isError } = await call().catch((error: unknown) => {
    sessions.delete(connection);
    // A session that was idle longest ends for a new one. Nothing has run then.
    if (error instanceof StreamableHTTPError && error.code === 404) return call();
    throw error;
  });
  const text = textOf(content);
  if (isError === true) throw new Error(text);
  return text;
}

async function open(dataFolder: string): Promise<Client> {
  const runtime = await readRuntimeFile(dataFolder);
  if (runtime === undefined) {
    throw new WeirError('runtime_unavailable', 'The runtime has just ended; try again.');
  }
  const client = new Client({ name: 'Language models of this window', version });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', runtime.url), {
      requestInit: { headers: { authorization: `Bearer ${runtime.apiKey}` } },
    }),
  );
  return client;
}

function textOf(content: unknown): string {
  const parts = content as readonly { readonly type: string; readonly text?: string }[];
  return parts.map(({ text }) => text ?? '').join('\n');
}
