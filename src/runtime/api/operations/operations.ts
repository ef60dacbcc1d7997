/**
 * The only way in for every interface: a table of operations with checked input. An interface turns its request into
 * `call(name, params, context)`, and the result or the WeirError into its reply.
 */
import { badInput } from '../../../protocol/schemas/bad-input.ts';
import { catalogue } from '../../../protocol/schemas/catalogue.ts';
import type { OperationName, Parsed, Result } from '../../../protocol/catalogue.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { Scope } from '../../../protocol/scopes.ts';
import type { AdHocPlaces } from '../../base/ad-hoc-places.ts';
import { adHocOf, type Caller, keyRemoved, refuseScope } from '../../server/access/caller.ts';

export interface CallContext {
  /** Whose key came with the call. */
  readonly caller: Caller;
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
  /** A short sentence per step of a long operation. */
  progress(message: string): void;
  /** Set by `call`, from its caller: places that it may name although no registry is configured for them. */
  readonly adHoc?: AdHocPlaces;
  /** Aborted when the connection the call came over closes; absent where each call has its own. */
  readonly connection?: AbortSignal;
  /** Resolves when the caller has its answer; absent where a face cannot tell. */
  readonly answered?: () => Promise<void>;
}

export type Handler<N extends OperationName> = (
  params: Parsed<N>,
  context: CallContext,
) => Promise<Result<N>> | Result<N>;

/** One handler for every operation of the catalogue: a missing handler does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<N> };

export interface Operations {
  /** Checks the params against the schema and runs the handler. Throws WeirError only. */
  call(name: string, params: unknown, context: CallContext): Promise<unknown>;
}

/** Other nodes that share the store, and run some of the sources. */
export interface OtherNodes {
  /** Before an operation: what it needs of a source is here, and stays until what this resolves with is called. */
  before(name: OperationName, params: unknown, context: CallContext): Promise<() => void>;
  /** The same for a source that an operation finds by itself. */
  bring(id: string): Promise<() => void>;
  /** After one: all of them know what it has changed. */
  after(): Promise<void>;
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(catalogue, name);
}

/**
 * @param report is told of every error that is ours, with its stack; the caller sees a plain sentence.
 * @param durable resolves when all that was written so far is on disk. Readers and writers share one
 * connection, so without it an answer could show an event that a crash then takes back.
 * @param failure why nothing can be stored any more: then nothing is begun that would write files, either
 * @param nodes where others share the store
 */
export function createOperations(
  handlers: Handlers,
  report: (name: string, error: unknown) => void,
  durable: () => Promise<void>,
  failure: () => WeirError | undefined = () => undefined,
  nodes?: OtherNodes,
): Operations {
  return {
    async call(name, params, asked) {
      const { context, unlink } = untilKeyRemoved({ ...asked, adHoc: adHocOf(asked.caller) });
      try {
        return await act(name, params, context);
      } finally {
        unlink();
      }
    },
  };

  async function act(name: string, params: unknown, context: CallContext): Promise<unknown> {
    if (!isOperation(name)) throw new WeirError('not_found', `There is no operation "${name}".`);
    const scope = catalogue[name].scope as Scope | ((input: unknown) => Scope);
    // Before the params are looked at: who may not call learns nothing of them.
    requireScope(name, context.caller, typeof scope === 'string' ? scope : 'read');
    const parsed = catalogue[name].input.safeParse(params ?? {});
    if (!parsed.success) throw badInput(parsed.error);
    const needed = typeof scope === 'string' ? scope : scope(parsed.data);
    if (typeof scope === 'function') requireScope(name, context.caller, needed);
    const isOfRuntime = name.startsWith('runtime.');
    const failed = isOfRuntime ? undefined : failure();
    if (failed !== undefined) throw failed;
    let done: (() => void) | undefined;
    try {
      const handler = handlers[name] as (params: unknown, context: CallContext) => unknown;
      if (!isOfRuntime && nodes !== undefined) {
        done = await nodes.before(name, parsed.data, context);
        requireScope(name, context.caller, needed);
      }
      const result = await handler(parsed.data, context);
      if (!isOfRuntime) {
        await durable();
        await nodes?.after();
      }
      return result;
    } catch (error) {
      if (context.caller.removed?.aborted === true) throw keyRemoved(context.caller);
      if (WeirError.is(error)) throw error;
      if (context.signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
      report(name, error);
      throw new WeirError(
        'internal',
        `${name} failed inside Weir; the runtime's log has the details.`,
      );
    } finally {
      done?.();
    }
  }
}

function requireScope(name: string, caller: Caller, scope: Scope): void {
  const refused = refuseScope(name, caller, scope);
  if (refused !== undefined) throw refused;
}

/** An operation is cancelled, too, when the key of its caller is removed. */
function untilKeyRemoved(asked: CallContext): { context: CallContext; unlink: () => void } {
  const { removed } = asked.caller;
  if (removed === undefined) return { context: asked, unlink: () => undefined };
  // `AbortSignal.any` would keep something of every call for as long as the key lives.
  const ended = new AbortController();
  const abort = (): void => ended.abort();
  if (asked.signal.aborted) abort();
  asked.signal.addEventListener('abort', abort);
  removed.addEventListener('abort', abort);
  return {
    context: { ...asked, signal: ended.signal },
    unlink: () => {
      asked.signal.removeEventListener('abort', abort);
      removed.removeEventListener('abort', abort);
    },
  };
}
