/** The view of a component host that the rest of the runtime has. */
import type { ComponentDefinition } from '../../protocol/definition.ts';
import type {
  ConsoleLine,
  DryRun,
  HostConfiguration,
  HostResponse,
  Produced,
  RespondRequest,
  RuntimeRequest,
  ThrownError,
  Work,
} from '../../protocol/host.ts';

export interface Hosts {
  /**
   * Waits for its turn, takes the spare process (or forks one), loads the bundle into it and evaluates it.
   * Rejects with `WeirError('bad_component')` when it cannot be loaded, with the place when known.
   */
  start(options: HostOptions): Promise<Host>;
  /** Forks the spare process now, so that the first start is quick. */
  warm(): void;
  /** The running hosts, for `runtime.info`. */
  list(): readonly Host[];
  /** How many starts wait for their turn, and how many are under way. */
  readonly starts: { readonly waiting: number; readonly running: number };
  /** Ends all hosts and the spare; what still runs is lost. */
  close(): Promise<void>;
}

export interface HostOptions {
  /** Absolute path of the bundle; null for a process of a workflow, which loads its steps as they are called. */
  readonly bundle: string | null;
  /** `dc_…`, or null while a file is only looked at. */
  readonly sourceId: string | null;
  readonly limits: HostLimits;
  /** Tells of the HTTP requests of its code; that of a process of a workflow always does. */
  readonly recordsRequests?: boolean;
  /** `HOST=URL`, instead of the runtime's redirects. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Nothing leaves the process; see `DryRun`. */
  readonly dry?: DryRun | undefined;
  /** Aborting ends the process and rejects. */
  readonly signal?: AbortSignal;
  /** Console lines outside any invocation: while the module loads, from timers that outlive a run. */
  readonly onLog?: (lines: readonly ConsoleLine[]) => void;
  /**
   * Answers requests of user code while it runs; rejects with a sentence for its author. A request without an answer
   * (undefined) is answered as for every host.
   */
  readonly onRequest?: (request: AskedOfRuntime) => Promise<unknown> | undefined;
  /** Loads under a debugger: there is no time limit until the inspector is closed. */
  readonly debug?: HostDebug;
  /** The process has ended, for whatever reason; null when it was asked to end. Called once. */
  readonly onEnd?: (loss: ProcessExit | null) => void;
}

/** Requests of user code, except responses: those belong to a piece of work. */
export type AskedOfRuntime = Exclude<RuntimeRequest, RespondRequest>;

/** The messages of a load under a debugger, in this order. */
export interface HostDebug {
  /** The inspector listens, and the process waits for a debugger before it imports the bundle. */
  opened(url: string): void;
  /** A debugger has set its breakpoints; the bundle is being imported. */
  attached(): void;
}

export interface HostLimits {
  /** Old-space limit of the process, in megabytes (256 on the platform, P22.3). */
  readonly memoryMb: number;
  /** Longest time one piece of work may take, in ms (300,000 on the platform). */
  readonly timeoutMs: number;
  /**
   * Maximum output of one piece of work (events, db, log lines, exports), in millions of characters. The process
   * refuses more; a process that sends twice as much is ended.
   */
  readonly outputMb: number;
}

export interface Host {
  readonly pid: number;
  readonly sourceId: string | null;
  readonly definition: ComponentDefinition;
  readonly alive: boolean;
  readonly inFlight: number;
  /** Its inspector is open: no time limit ends its work. */
  readonly inspected: boolean;
  /**
   * Opens the inspector, or closes it and whatever is attached to it. Resolves with its URL, null
   * when it is closed or the process has ended.
   */
  inspect(on: boolean): Promise<string | null>;
  /**
   * Whether its code waits for something outside its runs: a timer, a connection, a program. Resolves with true also while it
   * does not answer, with false when the process has ended.
   */
  hasPending(): Promise<boolean>;
  configure(configuration: HostConfiguration): void;
  /** For a workflow: code and props of a step, under the name that calls use for it. */
  configureStep(component: string, bundle: string, configuration: HostConfiguration): void;
  /** For a workflow: the process may forget this execution. */
  forgetExecution(execution: number): void;
  /** Sends work. The observer gets its messages until `done` or `lost`, exactly one of which is called. */
  work(n: number, work: Work, observer: WorkObserver): void;
  /** Lets work in flight finish (at most `graceMs`), then ends the process. */
  end(graceMs?: number): Promise<void>;
  /** Ends the process at once; work in flight is lost with this reason. */
  kill(reason: string): void;
  /**
   * A person ends one piece of work: only the end of the process does that. What was in flight beside it
   * is lost, too, and not at fault. False when it is not in flight here.
   */
  stop(n: number): boolean;
}

/** Observes a piece of work. */
export interface WorkObserver {
  /** More was produced; pieces come in order. */
  progress(produced: Partial<Produced>): void;
  /** @returns when it was handed on, where somebody waits for that */
  respond(response: HostResponse): Promise<void> | void;
  /** A step asks for more time (P25.23). */
  refreshTimeout?(): void;
  /** The work ended by itself. The last pieces come with it. `result` is JSON text. */
  done(end: { readonly error?: ThrownError; readonly result?: string } & Partial<Produced>): void;
  /** The process ended first. */
  lost(loss: ProcessExit): void;
}

/** Why the process of a piece of work has ended before it. */
export interface ProcessExit {
  readonly cause:
    | 'timeout'
    | 'exit'
    | 'memory'
    | 'uncaught'
    | 'signal'
    | 'killed'
    | 'stopped'
    | 'output'
    | 'protocol';
  /** One sentence a log can show: "ran longer than 300 s", "called process.exit(1)", … */
  readonly message: string;
  /**
   * True when this piece of work is known to have ended the process. Others that were in flight
   * beside it are not to blame and may run again.
   */
  readonly atFault: boolean;
  readonly stack?: string;
}
