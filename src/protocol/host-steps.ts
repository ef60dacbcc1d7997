/**
 * The requests of workflow steps, and the decisions of blocks, as messages between the runtime and a component host
 * (host.ts).
 */
import type { BlockStep, Branch } from './workflow.ts';

/** The part of a block that decides about its branches. */
export interface BlockStart extends Pick<BlockStep, 'namespace' | 'control' | 'on'> {
  readonly branches: readonly Pick<Branch, 'name' | 'when'>[];
  readonly otherwise?: { readonly disabled: boolean };
}

export type BlockChoice =
  /** Names of branches; `$else` for the one when none matches. */
  | { readonly chosen: readonly string[] }
  /** For `each`: JSON texts. */
  | { readonly items: readonly string[] };

/** The result of the calls that pause a workflow (P13.7). */
export interface ResumeUrls {
  readonly resume_url: string;
  readonly cancel_url: string;
}

/** The requests of a step beside its exports, as JSON text in `done.result`; absent if it made none. */
export interface StepRequests {
  /** `$.flow.exit`. */
  readonly exit?: { readonly reason: string | null };
  /** The last of `delay`, `suspend` and `rerun`; `ms` null is until it is resumed. */
  readonly pause?: {
    readonly kind: 'delay' | 'suspend' | 'rerun';
    readonly ms: number | null;
    /** For `rerun`: JSON text. */
    readonly context?: string;
  };
  readonly sends?: readonly StepSend[];
  /** Sent although not requested: JSON text of the evaluated props, if the file has expressions. */
  readonly props?: string;
}

/**
 * A message that is sent at the end of the leg: one `$.send.…` except `emit`, which is among the step's events, or one
 * `$.flow.trigger`.
 */
export type StepSend = OutgoingSend | StreamSend | TriggerSend;

/** Goes to others. */
export type OutgoingSend =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | {
      readonly kind: 'email';
      readonly subject: string;
      readonly text?: string;
      readonly html?: string;
      /** The recipient of the settings unless given. */
      readonly to?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly prefix: string;
      /** JSON text. */
      readonly payload: string;
    };

/** A message of the workflow's stream. */
export interface StreamSend {
  readonly kind: 'sse';
  /** One line. */
  readonly channel: string;
  /** JSON text. */
  readonly payload: string;
}

/** An execution of another workflow. */
export interface TriggerSend {
  readonly kind: 'trigger';
  /** `p_…` */
  readonly workflow: string;
  /** JSON text of its event. */
  readonly payload: string;
}
