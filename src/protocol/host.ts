/**
 * What crosses between the runtime and a component host (one child process per live component).
 * Messages travel as batches over a channel of their own (frames.ts): each side gathers the messages of
 * one turn of the event loop. The runtime takes nothing from it unchecked (runtime/hosts/messages.ts).
 *
 * A payload is text or bytes from the inbox to the delivery: the runtime never parses an emitted
 * event, the host parses a request body.
 */
import type { ConfigurableProp } from './definition.ts';
import type { BlockStart, ResumeUrls } from './host-steps.ts';

/** The trigger of a run. It is stored as received, so that it can be run again. */
export type Trigger = HttpTrigger | TimerTrigger | EventTrigger;

export interface HttpTrigger {
  readonly kind: 'http';
  /** The prop the interface was declared under. */
  readonly prop: string;
  readonly method: string;
  /** Absolute URL as the caller addressed it. */
  readonly url: string;
  /** The path after `/h/<hi_id>`, always with a leading slash, without the query. */
  readonly path: string;
  /** The query string without `?`. */
  readonly query: string;
  /** Names in lower case, values joined by ", " when repeated (P7.5, P7.6). */
  readonly headers: Readonly<Record<string, string>>;
  readonly clientIp: string;
  /** The body, byte for byte; empty when it is at `rawBodyUrl`. */
  readonly body: Uint8Array;
  /**
   * Length of the body after its content-encoding is undone; the runtime has checked that this is possible. Absent if
   * there is no encoding, or if the body is left as it is (P7.45).
   */
  readonly decodedBytes?: number;
  /** URL of a body that the caller asked to upload, valid for half an hour (P7.16). */
  readonly rawBodyUrl?: string;
  /** The caller asked that the request and what the run logs are not kept (P7.19). */
  readonly noStore?: boolean;
  /** For the delivery of an event: how many runs in a row led to this one, itself included (P19.16). */
  readonly hops?: number;
}

export interface TimerTrigger {
  readonly kind: 'timer';
  readonly prop: string;
  /** Epoch seconds (P8.1). */
  readonly timestamp: number;
  readonly intervalSeconds?: number;
  readonly cron?: string;
  readonly timezone?: string;
}

/** Run by hand or by an emitter this source is subscribed to: `run(event)` gets the JSON as it is. */
export interface EventTrigger {
  readonly kind: 'event';
  readonly json: string;
  /** For a run that an event started: how many such runs in a row led to it, itself included (P18.14). */
  readonly hops?: number;
  /** For an execution that an event started: the emitter of the event. */
  readonly emitterId?: string;
  /** For an event that an app sent to an apphook: identifies the delivery (P8.24). */
  readonly delivery?: string;
}

/** How many runs, each started by the event of the one before, led to a run by this trigger. */
export function hopsOfTrigger(trigger: Trigger | undefined): number {
  return trigger === undefined || trigger.kind === 'timer' ? 0 : (trigger.hops ?? 0);
}

/** A trigger without its large parts: the body of a request, the JSON of an event. */
export function withoutPayload(trigger: Trigger): Trigger {
  if (trigger.kind === 'http') return { ...trigger, body: new Uint8Array(0) };
  return trigger.kind === 'event' ? { ...trigger, json: '' } : trigger;
}

/** The piece of the component that is called. */
export type Work =
  | { readonly call: 'run'; readonly trigger: Trigger }
  | { readonly call: 'hook'; readonly hook: HookName }
  | {
      readonly call: 'options';
      readonly prop: string;
      readonly page: number;
      readonly prevContext: unknown;
      readonly query?: string;
    }
  | { readonly call: 'additionalProps' }
  /** Which events of its app an apphook prop asks for: a JSON list in `done.result`, null for all. */
  | { readonly call: 'eventNames'; readonly prop: string }
  | { readonly call: 'action'; readonly steps: Readonly<Record<string, unknown>> }
  | { readonly call: 'step'; readonly step: StepCall }
  /** The start of a block: which of its branches run, or over which items (`BlockChoice` in `done.result`). */
  | { readonly call: 'block'; readonly block: BlockCall }
  /** Computes the argument of `run(event)` for a request: JSON text in `done.result`. */
  | { readonly call: 'event'; readonly trigger: Trigger }
  /** Evaluates a text with expressions over the trigger of an execution: JSON text in `done.result`. */
  | {
      readonly call: 'value';
      readonly text: string;
      /** Its place, for messages. */
      readonly path: string;
      readonly trigger: Trigger;
    };

/** The values of an execution that code or an expression of a workflow can read. */
export interface ExecutionScope {
  /** Number of the execution, for data that this process keeps until it is told to forget it. */
  readonly execution: number;
  /** Given with the first call of the execution that this process gets. */
  readonly trigger?: Trigger;
  /** The results of earlier steps, by name: JSON text of an object. */
  readonly steps: Readonly<Record<string, string>>;
  /** `$.context` as JSON text. */
  readonly context: string;
}

/** A run of a step. */
export interface StepCall extends ExecutionScope {
  /** Which code and props: as `configureStep` named them. */
  readonly component: string;
  readonly path: string;
  /** The stretch between pauses, where its steps run in several processes: they share its folder. */
  readonly leg?: number;
  readonly urls: ResumeUrls;
  /** `$.context.run`: 1 for the first; the others were asked for by `$.flow.rerun`. */
  readonly run: number;
  /** JSON text that the run before gave to `$.flow.rerun`. */
  readonly rerunContext?: string;
  /** The request that resumed it. */
  readonly callback?: Trigger;
}

export interface BlockCall extends ExecutionScope {
  readonly path: string;
  readonly block: BlockStart;
}

export type HookName = 'deploy' | 'activate' | 'deactivate';

/** How a live component is set up. Sent once before work, and again when the configuration changes. */
export interface HostConfiguration {
  /** `dc_…` of a source; undefined while a file is only looked at. Visible as `process.env.PD_COMPONENT`. */
  readonly sourceId?: string;
  /** Configured values by prop name, secrets in the clear, `__lv` envelopes still on. */
  readonly props: Readonly<Record<string, unknown>>;
  /** `$auth` of every account the configured app props name, by `apn_…`. */
  readonly accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Endpoint URL of every HTTP interface prop, by prop name. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** Contents of every `$.service.db` prop: prop name → key → JSON text. */
  readonly db: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Folder for the component's files, created on first use: `STASH_DIR`, and what a `dir` prop opens. */
  readonly stashDir?: string;
  /**
   * The final prop set as `additionalProps` work returned it last. Undefined when it was never
   * computed: values that no prop declares are then handed to a component that has
   * `additionalProps` as they are.
   */
  readonly propSet?: readonly ConfigurableProp[];
  /** For a workflow's step: parent folder of its legs' folders. */
  readonly legsDir?: string;
  /** For a workflow's step: the folder of `$.files`. */
  readonly filesDir?: string;
  /** For a workflow's step: variables of `process.env` besides those that every process keeps. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * One turn's messages. `q` counts up from 1 in each direction: a host that is about to end repeats
 * over a second pipe what may not have left the process, and the runtime drops what it has seen.
 */
export interface Batch<M> {
  readonly q: number;
  readonly m: readonly M[];
}

/** A process from which nothing leaves. */
export interface DryRun {
  /** `http://127.0.0.1:…`: where HTTP requests go, whatever their host. */
  readonly url: string;
  /** GET and HEAD are sent to their hosts. */
  readonly reads: boolean;
}

/** Runtime → host. `n` is the invocation's number, unique within the runtime's life, from 1. */
export type ToHost =
  | {
      readonly t: 'load';
      /** Null for a process of a workflow: its steps are loaded when they are first called. */
      readonly bundle: string | null;
      readonly redirects: Readonly<Record<string, string>>;
      /** Nothing leaves the process; `redirects` do not count. */
      readonly dry?: DryRun;
      /** Maximum output of one run, in MB (see `itemSize`). */
      readonly outputMb: number;
      /** Opens the inspector and waits for a debugger before the bundle is imported. */
      readonly debug?: boolean;
      /** Its runs tell of their HTTP requests; those of a process of a workflow always do. */
      readonly recordsRequests?: boolean;
    }
  | { readonly t: 'configure'; readonly configuration: HostConfiguration }
  /** Code and props of a step of a workflow, under the name that calls use for it. */
  | {
      readonly t: 'configureStep';
      readonly component: string;
      readonly bundle: string;
      readonly configuration: HostConfiguration;
    }
  | { readonly t: 'forgetExecution'; readonly execution: number }
  | { readonly t: 'work'; readonly n: number; readonly work: Work }
  | { readonly t: 'inspect'; readonly on: boolean }
  /** Asks whether code waits for something outside its runs. */
  | { readonly t: 'pending' }
  /** Reply to a `request`: its value, or the reason why there is none. */
  | {
      readonly t: 'reply';
      readonly id: number;
      readonly value?: unknown;
      readonly error?: string;
    }
  | { readonly t: 'end' };

/** Host → runtime. */
export type FromHost =
  | { readonly t: 'ready' }
  /** `ComponentDefinition` as JSON text, so that it is plain data however it was made. */
  | { readonly t: 'loaded'; readonly definition: string }
  | { readonly t: 'loadFailed'; readonly error: ThrownError }
  /**
   * The output of a run so far; sent at the end of a turn, or when 64 KB have gathered. `n` is 0 for console lines
   * outside any invocation.
   */
  | ({ readonly t: 'progress'; readonly n: number } & Partial<Produced>)
  | ({
      readonly t: 'done';
      readonly n: number;
      readonly error?: ThrownError;
      readonly result?: string;
    } & Partial<Produced>)
  | { readonly t: 'respond'; readonly n: number; readonly response: HostResponse }
  /** `$.flow.refreshTimeout`: restarts the time limit. */
  | { readonly t: 'refreshTimeout'; readonly n: number }
  | { readonly t: 'inspector'; readonly url: string | null }
  /** The reply to `pending`. */
  | { readonly t: 'pending'; readonly isPending: boolean }
  /** Component code needs something of the runtime. `id` counts up within the host. */
  | { readonly t: 'request'; readonly id: number; readonly request: RuntimeRequest }
  /** The debugger that a `debug` load waited for has set its breakpoints. */
  | { readonly t: 'attached' }
  /** The last message of a process that component code ends; `n` is null when it is unknown which run did. */
  | {
      readonly t: 'ending';
      readonly n: number | null;
      readonly cause: 'exit' | 'uncaught';
      readonly message: string;
      readonly stack?: string;
    };

/** Requests of component code that the runtime replies to; a run's output needs no reply. */
export type RuntimeRequest =
  | DataStoreRequest
  | FileRequest
  | WorkflowRequest
  | RespondRequest
  | HeldBackRequest;

/** Reports to the runtime what the process of a dry run refused to send, as a sentence. */
export interface HeldBackRequest {
  readonly of: 'held_back';
  readonly message: string;
}

/** An immediate `$.respond`; the reply comes when the answer was handed to the caller's connection (P25.50). */
export interface RespondRequest {
  readonly of: 'respond';
  readonly n: number;
  readonly response: HostResponse;
}

/** Whether there is such a workflow; the reply's value is its `p_…`. */
export interface WorkflowRequest {
  readonly of: 'workflow';
  /** `p_…` or the slug of its name. */
  readonly id: string;
}

/** One call of a `data_store` prop (P14.1). The reply's value is written beside each. */
export interface DataStoreRequest {
  readonly of: 'data_store';
  /** `ds_…` or a name. */
  readonly store: string;
  readonly call:
    /** JSON text, or undefined. */
    | { readonly op: 'get'; readonly key: string }
    /** A boolean. */
    | { readonly op: 'has'; readonly key: string }
    | { readonly op: 'delete'; readonly key: string }
    | { readonly op: 'clear' }
    /** `ttl` in seconds; null keeps the value permanently. */
    | {
        readonly op: 'set';
        readonly key: string;
        readonly json: string;
        readonly ttl: number | null;
      }
    | { readonly op: 'setTtl'; readonly key: string; readonly ttl: number | null }
    /** All keys, in order; refused above 1,024. */
    | { readonly op: 'keys' }
    /** `[key, JSON text]` of all, in order of the keys; refused above 1,024. */
    | { readonly op: 'entries' }
    /** `[key, JSON text]` of the next keys after this one. */
    | { readonly op: 'page'; readonly after: string | null };
}

/** Asks for a URL at which a file can be fetched for half an hour; the reply's value is the URL. */
export interface FileRequest {
  readonly of: 'file';
  readonly filename: string;
  readonly contentType: string;
  /** The bytes of the file, or its absolute path. */
  readonly content: Uint8Array | string;
}

/** File descriptors of a host beside stdio, opened by the process that starts it. */
export const hostPipes = {
  /** Both ways: one `Batch` a frame. It keeps the process alive. */
  channel: 3,
  /** Host → runtime, written synchronously right before the process ends: one `Batch<FromHost>[]` as MessagePack. */
  finalMessages: 4,
} as const;

/** Results of `options` and `additionalProps` work, as JSON text in `done.result`. */
export interface OptionsResult {
  readonly options: readonly { readonly label: string; readonly value: unknown }[];
  /** Passed back as `prevContext` for the next page; null if there is none. */
  readonly context: unknown;
}
export interface AdditionalPropsResult {
  /** The whole final set in order, in-place edits included (P17.12). */
  readonly props: readonly ConfigurableProp[];
  /** Names of the props in the set that the file does not declare. */
  readonly dynamic: readonly string[];
}

/** How many characters each item of `Produced` counts besides its text: many small ones also cost something. */
export const itemSize = 100;

/** The output of a piece of work, in order. */
export interface Produced {
  readonly emits: readonly Emit[];
  readonly db: readonly DbWrite[];
  readonly logs: readonly ConsoleLine[];
  /** `$.export(name, value)` of an action, values as JSON text. */
  readonly exports: readonly { readonly name: string; readonly json: string }[];
  /** HTTP requests that it made, each an `OutgoingRequest` as JSON text: those of a step, at its end. */
  readonly requests: readonly { readonly json: string }[];
}

/** A `this.$emit(event, meta)`, its argument copied at the call. */
export interface Emit {
  /** The event as JSON text; `null` when nothing was given. */
  readonly event: string;
  readonly id?: string | number;
  readonly name?: string;
  readonly summary?: string;
  /** Whatever was given, as a number; left out when it cannot be one. */
  readonly ts?: number;
  readonly deliveryTs?: number;
  /** Epoch ms of the call. */
  readonly at: number;
}

export interface DbWrite {
  /** Prop name of the `$.service.db` prop. */
  readonly prop: string;
  readonly key: string;
  /** JSON text; undefined deletes the key. */
  readonly json?: string;
}

export interface ConsoleLine {
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** Anything a component threw, as data. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** ConfigurationError by name: its message is shown without a stack (P12.8). */
  readonly configuration?: boolean;
  /** An app has answered 401 (clause 22 of docs/accounts.md); for the runtime, kept nowhere. */
  readonly unauthorized?: true;
}

export interface HostResponse {
  /** 100–599, already coerced. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array | string;
  /** For `$.respond`: answers before the execution ends or pauses. */
  readonly immediate?: boolean;
}

/** A list for `set-cookie` alone: each cookie is a header of its own (RFC 9110 §5.3). */
export type ResponseHeaders = Readonly<Record<string, string | string[]>>;
