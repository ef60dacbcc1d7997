/**
 * The WebSocket face: JSON-RPC 2.0 at `ws://127.0.0.1:PORT/rpc`.
 *
 * A client sends the API key as `Authorization: Bearer …` in the upgrade request and no `Origin`.
 * Requests are the operations of the catalogue. `$/cancelRequest` cancels one; a request that takes
 * long reports `progress` under the token the client gave.
 */
import type { ErrorData } from './errors.ts';
import type {
  Account,
  DataStore,
  DebuggedProcess,
  Delivery,
  EmittedEvent,
  Execution,
  Invocation,
  KeptActionRun,
  LogLine,
  Source,
  Subscription,
  Webhook,
  Workflow,
} from './catalogue.ts';

/** Raised when a change makes old clients and new runtimes misunderstand each other. */
export const protocolVersion = 1;

export const rpcPath = '/rpc';

/** First notification on each connection. */
export const helloNotification = 'hello';
export interface Hello {
  readonly protocol: number;
  readonly version: string;
  readonly pid: number;
}

/** The changes, as one batch per turn of the runtime's loop, in order of commit. */
export const changesNotification = 'changes';
export type Change =
  | { readonly type: 'source'; readonly source: Source }
  | { readonly type: 'source.deleted'; readonly id: string }
  | { readonly type: 'invocation'; readonly invocation: Invocation }
  | { readonly type: 'workflow'; readonly workflow: Workflow }
  | { readonly type: 'workflow.deleted'; readonly id: string }
  /** Accepted, begun, one step further, paused or ended; its steps are asked for. */
  | { readonly type: 'execution'; readonly execution: Execution }
  /** An execution has failed, and a person has to be notified: once a day for each error of a workflow (P25.75). */
  | {
      readonly type: 'notification';
      readonly execution: Execution;
      /** One sentence. */
      readonly message: string;
    }
  /** Payload cut as in a listing. */
  | { readonly type: 'event'; readonly event: EmittedEvent }
  | { readonly type: 'events.deleted'; readonly source_id: string }
  | { readonly type: 'log'; readonly line: LogLine }
  /**
   * The console lines of a running run so far: a crash may still discard them. They are sent again, as `log`, when the
   * run's commit has them.
   */
  | {
      readonly type: 'console';
      readonly source_id: string;
      readonly invocation_id: string;
      /** How many lines the run sent before; 0 also if it starts again. */
      readonly from: number;
      readonly lines: readonly Pick<LogLine, 'ts' | 'level' | 'text'>[];
    }
  /** Begun or ended. */
  | { readonly type: 'action_run'; readonly action_run: KeptActionRun }
  | { readonly type: 'webhook'; readonly webhook: Webhook }
  | { readonly type: 'webhook.deleted'; readonly id: string }
  | { readonly type: 'subscription'; readonly subscription: Subscription }
  | { readonly type: 'subscription.deleted'; readonly id: string }
  | { readonly type: 'account'; readonly account: Account }
  | { readonly type: 'account.deleted'; readonly id: string }
  /** A store was made, or its values changed; the values are not sent. */
  | { readonly type: 'data_store'; readonly data_store: DataStore }
  | { readonly type: 'data_store.deleted'; readonly id: string }
  | { readonly type: 'delivery'; readonly delivery: Delivery }
  /** The offers or rules for agents have changed. */
  | { readonly type: 'agents' }
  /** A component was published under this key, or is no longer. */
  | { readonly type: 'published'; readonly key: string }
  /** A process waits for a debugger: attach to it. One more after each update. */
  | { readonly type: 'debug'; readonly process: DebuggedProcess };

/** A step of a long operation, sent to the client that asked. */
export const progressNotification = 'progress';
export interface Progress {
  /** Id the client gave as `progress_token` beside the params. */
  readonly token: string;
  readonly message: string;
}

/** How a request looks on the wire: the params of the operation, plus where to report progress. */
export interface RpcParams {
  readonly params: unknown;
  readonly progress_token?: string;
}

/** `<data>/runtime.json`. */
export interface RuntimeFile {
  readonly url: string;
  readonly pid: number;
  readonly apiKey: string;
  readonly version: string;
  readonly startedAt: string;
  /** `folderId` of the data folder: in a copy of it the file names the runtime of another one. */
  readonly folder: string;
}

/**
 * Holds the settings of a forked runtime, a JSON list of `name=value`. They may have the password of a mail server,
 * and everybody on the machine can read arguments.
 */
export const settingsVariable = 'WEIR_SETTINGS';

/** A forked runtime's message to its parent over IPC: it is ready, or why it is not. */
export type StartMessage =
  | { readonly t: 'ready'; readonly runtime: RuntimeFile }
  | { readonly t: 'failed'; readonly error: ErrorData };
