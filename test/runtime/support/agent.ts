/** An agent, over real stdio or HTTP, with the client of the protocol's own SDK. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished } from 'vitest';
import { cliFile, runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { startRuntime } from '../../support/runtime.ts';

/** An answer of a tool. */
export interface Shown<T = unknown> {
  readonly from: { readonly operation: string; readonly uri?: string; readonly untrusted: boolean };
  readonly data: T;
  readonly next?: string;
  readonly cut?: { readonly uri: string; readonly at: readonly { readonly pointer: string }[] };
}

/** The SDK gives up after a minute; on a busy machine that is no failure, and the test has a limit of its own. */
export const patient = { timeout: 600_000 };

/** `weir mcp` with these arguments, in a data folder of its own. */
export const agent = (...args: readonly string[]) => agentIn(temporaryFolder(), ...args);

/** Serves an agent from `data` in a folder, where a runtime may serve already. */
export async function agentIn(folder: string, ...args: readonly string[]) {
  const data = join(folder, 'data');
  const { WEIR_DATA: _data, WEIR_KEY: _key, NODE_OPTIONS: _options, ...env } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliFile, 'mcp', '--data', data, ...args],
    env: { ...(env as Record<string, string>), XDG_CONFIG_HOME: join(folder, 'config') },
    cwd: folder,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const weir = weirIn(folder);
  const connected = await withClient(transport, () => weir('stop'));
  return {
    ...connected,
    folder,
    data,
    weir,
    /** What it has printed on stderr. */
    said: () => said,
  };
}

/** `/mcp` of a runtime with a data folder of its own, asked with the key of `runtime.json`. */
export async function httpAgent() {
  const folder = temporaryFolder();
  const runtime = await startRuntime({ folder });
  const connected = await connectedOverHttp(runtime.url, runtime.apiKey);
  return { ...connected, folder, data: join(folder, 'data'), weir: weirIn(folder) };
}

/** An agent of a runtime that serves already. */
export async function connectedOverHttp(url: string, key: string) {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  return { transport, ...(await withClient(transport)) };
}

const weirIn =
  (folder: string) =>
  (...command: string[]) =>
    runCli([...command, '--data', join(folder, 'data')], { configFolder: join(folder, 'config') });

async function withClient(transport: Transport, atEnd?: () => Promise<unknown>) {
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  // What is no message of the protocol, such as a line of something else on stdout.
  const faults: Error[] = [];
  // The SDK knows no other way to tell.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onerror = (error) => faults.push(error);
  const wire = watched(transport);
  await client.connect(transport, patient);
  onTestFinished(async () => {
    await client.close();
    await atEnd?.();
    expect(faults).toEqual([]);
  });
  const call = async (name: string, given: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: given }, undefined, patient);
  return {
    client,
    call,
    /** The answer, which has to be one. */
    ask: async <T = unknown>(
      name: string,
      given: Record<string, unknown> = {},
    ): Promise<Shown<T>> => {
      const result = await call(name, given);
      if (result.isError === true) throw new Error(JSON.stringify(result.content));
      const shown = result.structuredContent as Shown;
      return { ...shown, data: shown.data as T };
    },
    refusal: async (name: string, given: Record<string, unknown> = {}) => {
      const { isError, content } = await call(name, given);
      expect(isError).toBe(true);
      return (content as readonly { readonly text: string }[])[0]?.text;
    },
    /** All that has come from the server, each with what it answers. */
    received: wire,
    /** All that a model could have read. */
    seen: () => JSON.stringify(wire.map(({ message }) => message)),
  };
}

export interface ReceivedMessage {
  readonly message: JSONRPCMessage;
  /** Of the request that it answers. */
  readonly method?: string;
}

/** What comes through a transport, from its beginning. */
function watched(transport: Transport): readonly ReceivedMessage[] {
  const received: ReceivedMessage[] = [];
  const asked = new Map<string | number, string>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message) asked.set(message.id, message.method);
    return send(message, options);
  };
  // The SDK calls it before its own. It knows no other way to listen.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = (message) => {
    const id = 'id' in message ? message.id : undefined;
    const method = id === undefined ? undefined : asked.get(id);
    received.push({ message, ...(method !== undefined && { method }) });
  };
  return received;
}
