/**
 * A workflow as its file says it (P25): what `workflow.yaml` holds once it is read and checked. What is the
 * machine's own (accounts, stores, secret endpoint ids) is not in it.
 */

import type { ConfigurableProp } from './definition.ts';

export interface WorkflowDefinition {
  readonly name: string;
  /** Deployed switched off. */
  readonly inactive: boolean;
  readonly settings: WorkflowSettings;
  readonly triggers: readonly TriggerDefinition[];
  readonly steps: readonly StepDefinition[];
}

export interface WorkflowSettings {
  readonly errorNotification: boolean;
  /** Time limit of a leg, in seconds. Undefined: the platform's limit for the trigger. */
  readonly timeoutSeconds?: number;
  /** Memory limit of the workflow's process. */
  readonly memoryMb?: number;
  readonly autoRetry: boolean;
  /** False: only counts of its executions are kept. */
  readonly dataRetention: boolean;
  /** Most executions at a time. */
  readonly workers: number;
  /** An expression: executions for which it gives the same run one after another. */
  readonly concurrencyKey?: string;
  /** At most `limit` executions start in each window of `intervalMs`; 0 holds all. */
  readonly throttle?: { readonly limit: number; readonly intervalMs: number };
  /** Most executions that wait for a worker. */
  readonly queueSize: number;
  /** A process for each step instead of one for all. */
  readonly isolateSteps: boolean;
}

/** A trigger. `id` is as the file has it, and absent if the trigger was written by hand. */
export type TriggerDefinition =
  | {
      readonly type: 'http';
      readonly id?: string;
      /** Undefined while the file does not say: `workflow` when code of its steps names `respond`, else `default`. */
      readonly response?: 'default' | 'static' | 'workflow';
      /** The file does not say how it answers: a caller without an answer gets the one of `default`. */
      readonly isOpen?: boolean;
      /** Status of a static response. */
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** A bearer token that callers must send; may be an expression of `process.env`. */
      readonly token?: string;
    }
  | {
      readonly type: 'timer';
      readonly id?: string;
      readonly cron?: string;
      readonly timezone?: string;
      readonly intervalSeconds?: number;
    }
  | { readonly type: 'email'; readonly id?: string }
  /** Listens to an emitter. */
  | {
      readonly type: 'source' | 'workflow';
      readonly id?: string;
      /** `dc_…`, `p_…`, or the name of a source. */
      readonly emitterId: string;
      /** The channel; the default one unless given. */
      readonly eventName?: string;
    }
  /** The file holds nothing but an id, and what it was is not known: it never fires until it is set up. */
  | { readonly type: 'unknown'; readonly id: string };

export type StepDefinition = ActionStep | BlockStep;

interface StepBase {
  /** Unique in its scope. */
  readonly namespace: string;
  readonly disabled: boolean;
  /** 1-based line in the file, for messages. */
  readonly line: number;
}

/** A step that runs code. */
export interface ActionStep extends StepBase {
  readonly kind: 'action';
  /** `./step/entry.ts`, a component's file by path, or `key@version`. */
  readonly uses: string;
  /** As the file says; a hint only. */
  readonly runtime?: string;
  /** As the file has them, expressions in them (`{{ … }}`), `{authProvisionId}`, `{__lv}`. */
  readonly props: Readonly<Record<string, unknown>>;
  /** The final set of props that `additionalProps` made of these values at the deploy (P6.13); not in the file. */
  readonly propSet?: readonly ConfigurableProp[];
  readonly retry?: { readonly max: number; readonly backoffMs: number };
  /** `stop` unless given; otherwise the execution continues with the next step. */
  readonly onError: 'stop' | 'continue';
}

/** Branches or a loop (P25.30). */
export interface BlockStep extends StepBase {
  readonly kind: 'block';
  readonly control: 'ifelse' | 'switch' | 'parallel' | 'each';
  /** `switch`: the value that is compared. `each`: the list. An expression or a plain value. */
  readonly on?: unknown;
  /** For `each`: one branch, named `item`, without a condition. */
  readonly branches: readonly Branch[];
  /** For `ifelse` and `switch`: runs if no branch matches. */
  readonly otherwise?: { readonly disabled: boolean; readonly steps: readonly StepDefinition[] };
  /** For `each`: how many items at a time; 1 unless given. */
  readonly concurrency: number;
}

export interface Branch {
  /** Names the branch in paths and in the result of `parallel`. */
  readonly name: string;
  /** `switch`: compared with `on` when it is not rules. */
  readonly when: Condition;
  readonly steps: readonly StepDefinition[];
}

export type Condition =
  | { readonly is: 'always' }
  | { readonly is: 'never' }
  /** An expression or a plain value: true when it is truthy; of a `switch`, when it equals `on`. */
  | { readonly is: 'value'; readonly value: unknown }
  | { readonly is: 'rules'; readonly rules: Rules };

/** Rules as the platform's files have them: operands may be expressions. */
export interface Rules {
  readonly t: 'and' | 'or';
  readonly r: readonly (Rule | Rules)[];
}

export interface Rule {
  readonly a?: unknown;
  readonly op: string;
  readonly b?: unknown;
}

/** Something to know about a place in the file. Fits where an `ErrorDetail` is wanted. */
export interface Diagnostic {
  /** `error`: the workflow cannot be deployed as it is. */
  readonly severity: 'error' | 'warning' | 'info';
  /** One sentence that says what to change. */
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based. */
  readonly column: number;
  /** The line where it ends, exclusive. */
  readonly endLine: number;
  readonly endColumn: number;
}
