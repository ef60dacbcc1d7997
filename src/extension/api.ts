import type * as vscode from 'vscode';
import type { OperationName, Params, Result } from '../protocol/catalogue.ts';
import type { Change } from '../protocol/rpc.ts';
import type { Folders } from './connection/folders.ts';
import type { RuntimeState } from './connection/runtime-link.ts';

/** The events of {@link WeirApi}: batches of changes in commit order, and the runtime's state. */
export interface WeirEvents {
  readonly changes: readonly Change[];
  readonly state: RuntimeState;
}

/** The API that `activate()` returns, for other extensions. */
export interface WeirApi {
  readonly version: 1;
  /** The runtime of the first workspace folder. */
  readonly runtime: {
    /** `http://127.0.0.1:PORT`, undefined while no runtime is connected. */
    readonly url: string | undefined;
    /** Starts the runtime when none runs. Rejects with an error that has a `code`. */
    call<N extends OperationName>(method: N, params: Params<N>): Promise<Result<N>>;
    on<E extends keyof WeirEvents>(
      event: E,
      listener: (value: WeirEvents[E]) => void,
    ): vscode.Disposable;
  };
}

export function createApi(folders: Folders): WeirApi {
  return {
    version: 1,
    runtime: {
      get url() {
        return folders.first.link.client?.url;
      },
      async call(method, params) {
        const client = await folders.first.link.ready();
        return client.call(method, params);
      },
      on(event, listener) {
        const { link, mirror } = folders.first;
        const anyListener = listener as (value: unknown) => void;
        return event === 'changes'
          ? mirror.onChanges.on(anyListener)
          : link.onState.on(anyListener);
      },
    },
  };
}
