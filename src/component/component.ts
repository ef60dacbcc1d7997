/**
 * The types for authors of components: `import { defineSource } from 'weir/component'`. Each function returns its
 * argument; `this` inside it is inferred from the props and methods.
 */
import type {
  AppInstance,
  DedupeStrategy,
  EmitFunction,
  EventOf,
  HttpResponse,
  Values,
} from './instance.ts';
import type { AppProp, Exact, Props } from './props.ts';
import type { FileStore } from './services.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- parameters of methods are the author's
type Methods = Record<string, (...args: any[]) => unknown>;

interface Component<P, M> {
  /** Shown in lists; made a slug on deploy. */
  name: string;
  /** Unique among components, `<app>-<name>` by custom. */
  key?: string;
  /** As in `0.0.1`; publishing needs it. */
  version?: string;
  /** What the component does, as Markdown. */
  description?: string;
  props?: P & Exact<P>;
  /** Called as `this.<method>()`. */
  methods?: M;
  /** Returns further props, by what is configured so far. */
  additionalProps?(previous: Record<string, object>): unknown;
  /** Hints for machines that call the component; without effect here. */
  annotations?: Record<string, boolean>;
}

/** Emits events: run by its interfaces, by hand, or by another source it listens to. */
interface Source<P, M, Strategy> extends Component<P, M> {
  type?: 'source';
  /** Drops events whose `id` was seen: which ids are remembered is the strategy. */
  dedupe?: Strategy;
  hooks?: {
    /** Once, when the source is deployed. */
    deploy?(): unknown;
    /** When it is deployed or updated, and when it is switched on. */
    activate?(): unknown;
    /** Before it is updated or deleted, and when it is switched off. */
    deactivate?(): unknown;
  };
  run?(event: EventOf<P>): unknown;
  /** What an event looks like. */
  sampleEmit?: unknown;
}

/** Is run by a workflow or a person. */
interface Action<P, M> extends Component<P, M> {
  type: 'action';
  run(step: Step): unknown;
}

/** The argument of an action's `run`. */
export interface Step {
  $: {
    /** Named export of the step; `$summary` is the line people see. */
    export(name: string, value: unknown): void;
    /** Answers the request that started the workflow. */
    respond(response: HttpResponse): Promise<void>;
    flow: {
      /** To be returned: ends the workflow. */
      exit(reason?: string): unknown;
      /** The workflow continues after this many ms, or when the URL is called. */
      delay(ms: number): ResumeUrls;
      /** The workflow continues when the URL is called, or after this many ms (24 h). */
      suspend(timeoutMs?: number): ResumeUrls;
      /** Runs this step again later. */
      rerun(delayMs?: number, context?: object, maxRetries?: number): ResumeUrls;
      /** Restarts the time limit. */
      refreshTimeout(): string;
      /** Starts another workflow (`p_…`) at the next pause or the end. */
      trigger(workflow: string, payload?: unknown): Promise<unknown>;
    };
    /** Files that all workflows share; undefined where an action runs by itself. */
    files: FileStore;
    send: Record<'http' | 'email' | 's3' | 'emit' | 'sse', (payload: object) => void>;
  };
  /** Exports of earlier steps. */
  steps: Steps;
}

/**
 * The results of other steps, as a step reads them. Weir adds those of a workflow to this interface, beside its
 * `workflow.yaml`.
 */
export interface Steps {
  // oxlint-disable-next-line typescript/no-explicit-any -- other people's data
  [name: string]: any;
}

export interface ResumeUrls {
  readonly resume_url: string;
  readonly cancel_url: string;
}

interface App<PropDefinitions, M> {
  type: 'app';
  /** The app's slug. */
  app: string;
  propDefinitions?: PropDefinitions;
  methods?: M;
}

type SourceThis<P, M, Strategy> = Values<P> & M & { $emit: EmitFunction<Strategy> };

/** Types a source. */
export function defineSource<
  const P extends Props = {},
  M extends Methods = {},
  const Strategy extends DedupeStrategy | undefined = undefined,
>(source: Source<P, M, Strategy> & ThisType<SourceThis<P, M, Strategy>>): Source<P, M, Strategy> {
  return source;
}

/** Types an action. */
export function defineAction<const P extends Props = {}, M extends Methods = {}>(
  action: Action<P, M> & ThisType<Values<P> & M>,
): Action<P, M> {
  return action;
}

/** The code of a workflow's own step. */
interface StepComponent<P, M> extends Omit<Component<P, M>, 'name'>, Pick<Action<P, M>, 'run'> {
  name?: string;
  type?: 'action';
}

/** Types the code of a workflow's own step, where it is a global (`weir/steps` says so to TypeScript). */
export function defineComponent<const P extends Props = {}, M extends Methods = {}>(
  step: StepComponent<P, M> & ThisType<Values<P> & M>,
): StepComponent<P, M> {
  return step;
}

/** Types an app file: its methods, and the props that components reuse by `propDefinition`. */
export function defineApp<const PropDefinitions extends Props = {}, M extends Methods = {}>(
  app: App<PropDefinitions & Exact<PropDefinitions>, M> & ThisType<AppInstance<{ methods: M }>>,
): AppProp & { propDefinitions: PropDefinitions; methods: M } {
  return app as AppProp & { propDefinitions: PropDefinitions; methods: M };
}

export type {
  DataStore,
  Dir,
  DirFile,
  FileStore,
  FileStoreEntry,
  HttpRequest,
  SqlQuery,
} from './services.ts';
export type { EmitMetadata, HttpEvent, HttpResponse, TimerEvent } from './instance.ts';
