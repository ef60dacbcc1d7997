/**
 * Agents over HTTP at `/mcp` (docs/agents.md). The protocol and its tools are a bundle of their own, which is
 * loaded when the first agent comes; here is what has to be so before: a method, a size, JSON.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationName, Params, Result } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { type Caller, refuseScope } from '../server/access/caller.ts';
import type { ChangeFeed } from './operations/changes.ts';
import type { Operations } from './operations/operations.ts';
import { readText } from '../server/read-body.ts';
import { errorBody, jsonType, presentable, sendError } from '../server/reply.ts';
import type { ApiHandler } from '../server/server.ts';

/** Serves agents, once it is loaded. */
export interface Agents {
  /** `body` is parsed; undefined where a request has none. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    caller: Caller,
  ): Promise<void>;
  /** Ends all sessions, or those of one key. */
  close(caller?: Caller): void;
}

export interface McpFace {
  readonly handle: ApiHandler;
  close(caller?: Caller): void;
}

const path = '/mcp';
const methods = ['POST', 'GET', 'DELETE'];

export function isForMcp(url: string): boolean {
  return url === path || url.startsWith(`${path}?`);
}

/**
 * @param load is called when the first agent connects
 * @param bodyLimit bytes; 5 MB unless given
 */
export function createMcpFace(
  load: () => Promise<Agents>,
  report: (where: string, error: unknown) => void,
  bodyLimit = 5 * 1024 * 1024,
): McpFace {
  let loading: Promise<Agents> | undefined;
  let loaded: Agents | undefined;

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
  ): Promise<void> => {
    const { method = 'GET' } = request;
    if (!methods.includes(method)) {
      const allow = methods.join(', ');
      response.setHeader('allow', allow);
      throw new WeirError('method_not_allowed', `${method} is not possible here; use ${allow}.`);
    }
    const allow = (): void => {
      const refused = refuseScope(path, caller, 'read');
      if (refused !== undefined) throw refused;
    };
    allow();
    const body = method === 'POST' ? parsed(await readText(request, bodyLimit)) : undefined;
    loading ??= load().catch((error: unknown) => {
      // The next agent tries again.
      loading = undefined;
      throw error;
    });
    loaded = await loading;
    // The body and the first load take time: the key may have been removed since.
    allow();
    await loaded.handle(request, response, body, caller);
  };

  return {
    async handle(request, response, refuse, caller) {
      try {
        await answer(request, response, caller);
      } catch (thrown) {
        if (!WeirError.is(thrown)) report(`${request.method} ${path}`, thrown);
        const error = presentable(thrown);
        if (error.code !== 'too_large') sendError(response, error);
        else refuse(response, error.status, jsonType, JSON.stringify(errorBody(error)));
      }
    },
    close: (caller) => loaded?.close(caller),
  };
}

/** Calls operations as a client over RPC does: results are JSON, and changes are announced before. */
export function agentCalls(operations: Operations, changes: ChangeFeed) {
  return async <N extends OperationName>(
    caller: Caller,
    name: N,
    params: Params<N>,
    own: { readonly signal?: AbortSignal; readonly progress?: (message: string) => void } = {},
  ): Promise<Result<N>> => {
    const { signal = new AbortController().signal, progress = () => undefined } = own;
    const result = await operations.call(name, params, { caller, signal, progress });
    await changes.told();
    return JSON.parse(JSON.stringify(result ?? null)) as Result<N>;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WeirError('bad_input', 'The body is not JSON.', undefined, error);
  }
}
