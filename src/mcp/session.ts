/** The runtime as an MCP server needs it: started at the first use, and again when it is gone. */
import type { CallOptions, Caller } from '../client/connection.ts';
import { createReconnectingClient, type ReconnectingClient } from '../client/reconnecting.ts';
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import { WeirError } from '../protocol/errors.ts';
import { type Mask, maskOf } from '../protocol/mask.ts';
import type { Change } from '../protocol/rpc.ts';
import { credentialsOf } from './credentials.ts';

export interface SessionOptions {
  readonly dataFolder: string;
  /** Resolves when a runtime serves the data folder, and starts one when none does. */
  readonly ensureRuntime: () => Promise<void>;
  readonly onChanges: (batch: readonly Change[]) => void;
}

export interface Session extends Caller {
  /** Masks all values that no model may see. Rejects rather than leave one out. */
  mask(): Promise<Mask>;
  close(): void;
}

const connectMs = 15_000;

export function createSession(options: SessionOptions): Session {
  let client: ReconnectingClient | undefined;
  let mask: Promise<Mask> | undefined;
  let starting: Promise<void> | undefined;

  /** One start for all concurrent callers. */
  const ensureRuntime = (): Promise<void> =>
    (starting ??= options.ensureRuntime().finally(() => (starting = undefined)));

  const ready = async (signal?: AbortSignal): Promise<ReconnectingClient> => {
    if (client?.state.is === 'connected') return client;
    await ensureRuntime();
    client ??= open();
    client.retryNow();
    const inTime = AbortSignal.timeout(connectMs);
    try {
      await client.connected(signal === undefined ? inTime : AbortSignal.any([signal, inTime]));
    } catch (error) {
      const { state } = client;
      if (signal?.aborted === true || state.is !== 'disconnected') throw error;
      throw new WeirError('runtime_unavailable', state.reason, undefined, error);
    }
    return client;
  };

  function open(): ReconnectingClient {
    const opened = createReconnectingClient({ dataFolder: options.dataFolder });
    opened.onState(() => (mask = undefined));
    opened.onChanges((batch) => {
      if (batch.some(({ type }) => type === 'account')) mask = undefined;
      options.onChanges(batch);
    });
    return opened;
  }

  const call = async <N extends OperationName>(
    name: N,
    params: Params<N>,
    callOptions?: CallOptions,
  ): Promise<Result<N>> => (await ready(callOptions?.signal)).call(name, params, callOptions);

  return {
    call,
    async mask() {
      const { state } = await ready();
      const apiKey = state.is === 'connected' ? state.runtime.apiKey : '';
      const made = (mask ??= credentialsOf({ call }).then((values) =>
        maskOf({ ...values, 'API key': apiKey }),
      ));
      try {
        return await made;
      } catch (error) {
        mask = undefined;
        throw error;
      }
    },
    close: () => client?.close(),
  };
}
