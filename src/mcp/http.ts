/**
 * Agents over streamable HTTP: a server for each session, behind whoever checks hosts, origins and keys.
 *
 * Sessions, as subscriptions, lists of tools that change and answers that were cut need them. They end with
 * the runtime, and streams are not resumed: what ran is in the store, where `list_runs` finds it.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../package.json';
import type { CallOptions, Caller } from '../client/connection.ts';
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import { type Mask, maskOf } from '../protocol/mask.ts';
import type { Change } from '../protocol/rpc.ts';
import { allows, type Scope } from '../protocol/scopes.ts';
import { createAgentLog } from './agent-log.ts';
import { credentialsOf } from './credentials.ts';
import { createLimit } from './limit.ts';
import { createServer } from './server.ts';
import { createOffering, type Offering } from './offering.ts';

/** Whose key came with a request: one object per key. */
export interface KeyHolder {
  readonly name: string;
  readonly scope: Scope | undefined;
}

export interface AgentSessionsOptions {
  readonly dataFolder: string;
  /** Folder whose installed packages actions of an app are looked for in. */
  readonly workspace: string;
  /** Gets one sentence about each action that cannot be offered. */
  readonly report: (message: string) => void;
  /** Calls an operation for the holder of a key. Its changes are announced before it resolves. */
  readonly call: <N extends OperationName>(
    holder: KeyHolder,
    name: N,
    params: Params<N>,
    own?: CallOptions,
  ) => Promise<Result<N>>;
  /** May see the accounts' values, which no model is shown. */
  readonly local: KeyHolder;
  /** The key of `runtime.json`: no model is shown it, either. */
  readonly apiKey: string;
  /** Returns how to end it. */
  readonly onChanges: (listener: (batch: readonly Change[]) => void) => () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface AgentSessions {
  /**
   * Answers a request whose body was read and parsed; `body` is undefined without one.
   * @throws WeirError `not_found` for a session that is not there, `bad_input` for a request without one
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    holder: KeyHolder,
  ): Promise<void>;
  /** Ends all sessions, or those of one key, with what they are about to do. */
  close(holder?: KeyHolder): void;
}

interface OpenSession {
  readonly holder: KeyHolder;
  readonly transport: StreamableHTTPServerTransport;
  readonly changed: (batch: readonly Change[]) => void;
  /** Tells its client that there may be other tools. */
  readonly toolsChanged: () => void;
  readonly close: () => void;
  /** Requests that are not answered yet, its stream of notifications among them. */
  open: number;
}

/** Sessions per key: for one more, the session that was idle longest ends, and its client begins a new one. */
const mostSessions = 16;

export function createAgentSessions(options: AgentSessionsOptions): AgentSessions {
  const { dataFolder, workspace, local, apiKey, now, report } = options;
  const log = createAgentLog(dataFolder);
  /** The rate limit of a key, over all its sessions. */
  const limits = new WeakMap<KeyHolder, (perMinute: number) => void>();
  /** The last used one is last. */
  const sessions = new Map<string, OpenSession>();
  let mask: Promise<Mask> | undefined;
  let unsubscribe: (() => void) | undefined;
  /** Shared by all sessions: inspecting an action takes a process. */
  let offering: Offering | undefined;

  const callerOf = (holder: KeyHolder): Caller => ({
    call: (name, params, own) => options.call(holder, name, params, own),
  });
  const currentMask = async (): Promise<Mask> => {
    const made = (mask ??= credentialsOf(callerOf(local)).then((values) =>
      maskOf({ ...values, 'API key': apiKey }),
    ));
    try {
      return await made;
    } catch (error) {
      mask = undefined;
      throw error;
    }
  };
  /** A mask is kept only while changes of accounts are announced. */
  const counted = (): void => {
    if (sessions.size > 0) {
      unsubscribe ??= options.onChanges((batch) => {
        if (batch.some(({ type }) => type === 'account')) mask = undefined;
        offering?.changed(batch);
        for (const session of sessions.values()) session.changed(batch);
      });
    } else {
      unsubscribe?.();
      offering?.close();
      unsubscribe = mask = offering = undefined;
    }
  };
  const limitOf = (holder: KeyHolder) => {
    const limit = limits.get(holder) ?? createLimit(now);
    limits.set(holder, limit);
    return limit;
  };

  const offered = (): Offering =>
    (offering ??= createOffering({
      caller: callerOf(local),
      cwd: workspace,
      report,
      onChanged: () => {
        for (const session of sessions.values()) session.toolsChanged();
      },
    }));

  const begin = async (holder: KeyHolder): Promise<OpenSession> => {
    makeRoom(sessions, holder);
    const { server, changed } = createServer({
      session: { ...callerOf(holder), mask: currentMask, close: () => undefined },
      tools: async () =>
        (await offered().tools()).filter(({ scope }) => allows(holder.scope, scope)),
      rules: () => offered().rules(),
      documents: true,
      log,
      key: holder.name,
      limit: limitOf(holder),
      version,
      now,
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
        counted();
      },
    });
    // The SDK knows no other way to tell.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    server.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
      counted();
    };
    const close = (): void => void server.close().catch(() => undefined);
    const session: OpenSession = {
      holder,
      transport,
      changed,
      toolsChanged: () => void server.sendToolListChanged().catch(() => undefined),
      close,
      open: 0,
    };
    await server.connect(transport);
    return session;
  };

  const sessionOf = async (
    id: string | undefined,
    body: unknown,
    holder: KeyHolder,
  ): Promise<OpenSession> => {
    if (id === undefined) {
      if (isInitializeRequest(body)) return begin(holder);
      throw new WeirError(
        'bad_input',
        'A session begins with "initialize"; later requests name it in "mcp-session-id".',
      );
    }
    const found = sessions.get(id);
    // That another key has it is no news for this one.
    if (found?.holder !== holder) {
      throw new WeirError('not_found', 'There is no such session any more; begin a new one.');
    }
    sessions.delete(id);
    sessions.set(id, found);
    return found;
  };

  return {
    async handle(request, response, body, holder) {
      const session = await sessionOf(idOf(request), body, holder);
      session.open++;
      response.on('close', () => session.open--);
      await session.transport.handleRequest(request, response, body);
      // An invalid first request has made no session.
      if (session.transport.sessionId === undefined) session.close();
    },
    close(holder) {
      for (const session of sessions.values()) {
        if (holder === undefined || session.holder === holder) session.close();
      }
    },
  };
}

/** @throws WeirError `conflict` when none of the key's sessions is idle */
function makeRoom(sessions: ReadonlyMap<string, OpenSession>, holder: KeyHolder): void {
  const own = [...sessions.values()].filter((session) => session.holder === holder);
  if (own.length < mostSessions) return;
  const idle = own.find(({ open }) => open === 0);
  if (idle === undefined) {
    throw new WeirError(
      'conflict',
      `The key "${holder.name}" has ${mostSessions} sessions already, and all of them are in use.`,
    );
  }
  idle.close();
}

function idOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? id : undefined;
}
