/**
 * Messages between the builder's page and its host in the extension. Types only: the host checks every message it gets
 * (src/extension/builder/page-message.ts).
 */
import type {
  HostMessage as FormHostMessage,
  PageMessage as FormPageMessage,
} from '../prop-form/messages.ts';

/** Keys and indexes from the root of `workflow.yaml`. */
export type Path = readonly (string | number)[];

export type Values = Readonly<Record<string, unknown>>;

/** Something that is wrong, at the step or trigger that it is nearest to. */
export interface Mark {
  readonly path: Path;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** From 1. */
  readonly line: number;
}

/** How a step went in the newest execution. */
export interface LastRun {
  readonly status: 'running' | 'succeeded' | 'failed' | 'retrying' | 'paused' | 'cancelled';
  /** How long it took, and what came of it. */
  readonly about: string;
}

export interface Emitter {
  readonly id: string;
  readonly name: string;
}

/** The workflow as its text is now. */
export interface Model {
  /** Version of the document: changes are made to the text that the page has seen. */
  readonly version: number;
  /** Path of its folder. */
  readonly folder: string;
  /** Null while the text cannot be read; then `problem` says why. */
  readonly values: Values | null;
  readonly isEmpty: boolean;
  readonly problem: { readonly message: string; readonly line: number } | null;
  readonly isDeployed: boolean;
  /** *Test* is a dry run. */
  readonly isDry: boolean;
  readonly mayEdit: boolean;
}

/** A component that a step may use. */
export interface Choice {
  readonly uses: string;
  readonly name: string;
  readonly description: string | null;
  readonly from: string;
}

/** A component of a registry: its description is known, and nothing of it is on this machine yet. */
export interface Offer extends Choice {
  readonly app: string | null;
}

/** A query to the registries. */
export interface RegistrySearch {
  readonly query: string;
  /** Name slug; null for all. */
  readonly app: string | null;
}

/** Host → page. */
export type HostMessage =
  | {
      readonly t: 'model';
      readonly model: Model;
      /** The edit that the page asked for left the text as it was. */
      readonly isUnchanged?: boolean;
    }
  | { readonly t: 'marks'; readonly marks: readonly Mark[] }
  /** By the path of its runs, items left out. */
  | { readonly t: 'runs'; readonly runs: Readonly<Record<string, LastRun>>; readonly about: string }
  /** The newest execution's data for the part being edited: the values that its expressions can read, and its input. */
  | {
      readonly t: 'data';
      readonly path: Path;
      readonly steps: Values;
      readonly given: Values | null;
    }
  /** The meaning of a trigger's schedule. */
  | { readonly t: 'preview'; readonly message: Extract<FormHostMessage, { t: 'schedule' }> }
  | { readonly t: 'emitters'; readonly emitters: readonly Emitter[] }
  | { readonly t: 'form'; readonly form: number; readonly message: FormHostMessage }
  | {
      readonly t: 'components';
      readonly components: readonly Choice[];
      readonly problem: string | null;
    }
  | {
      readonly t: 'offers';
      readonly search: RegistrySearch;
      readonly offers: readonly Offer[];
      /** A sentence of each registry that did not answer. */
      readonly problems: readonly string[];
    }
  /** Something that was asked for was not done. */
  | { readonly t: 'refused'; readonly problem: string }
  /** Opens a step, as after it was added. */
  | { readonly t: 'reveal'; readonly path: Path };

/** An ordinary change of the values. */
export type Change =
  /** Null is a value; what is left out is removed. */
  { readonly path: Path; readonly value?: unknown };

export type Language = 'js' | 'ts' | 'py' | 'sh';
export type Control = 'ifelse' | 'switch' | 'parallel' | 'each';

export type NewStep =
  | { readonly kind: 'code'; readonly language: Language }
  | { readonly kind: 'filter' | 'delay' | 'suspend' | 'end' }
  | { readonly kind: 'block'; readonly control: Control }
  | {
      readonly kind: 'component';
      readonly uses: string;
      /** Whether it is of a registry, and has to be fetched. */
      readonly isOffer?: boolean;
    };

/** Page → host. */
export type PageMessage =
  | { readonly t: 'ready' }
  /** Writes the first lines of an empty file. */
  | { readonly t: 'begin' }
  | { readonly t: 'change'; readonly version: number; readonly changes: readonly Change[] }
  | { readonly t: 'insert'; readonly version: number; readonly at: Path; readonly item: Values }
  | { readonly t: 'add'; readonly version: number; readonly at: Path; readonly step: NewStep }
  | { readonly t: 'move'; readonly version: number; readonly from: Path; readonly to: Path }
  | { readonly t: 'remove'; readonly version: number; readonly path: Path }
  | { readonly t: 'duplicate'; readonly version: number; readonly path: Path }
  | {
      readonly t: 'rename';
      readonly version: number;
      readonly path: Path;
      readonly name: string;
    }
  /** The unfolded part: the host sends the newest execution's data for it. Null: none. */
  | { readonly t: 'look'; readonly path: Path | null }
  /** The form of a step's own props; its messages carry the same number. */
  | { readonly t: 'openForm'; readonly form: number; readonly path: Path }
  | { readonly t: 'form'; readonly form: number; readonly message: FormPageMessage }
  | { readonly t: 'closeForm' }
  /** Asks what a schedule of a trigger means. */
  | { readonly t: 'preview'; readonly message: Extract<FormPageMessage, { t: 'schedule' }> }
  | { readonly t: 'components' }
  | { readonly t: 'search'; readonly search: RegistrySearch }
  | {
      readonly t: 'do';
      readonly what:
        | 'text'
        | 'test'
        /** Switches between tests and dry runs. */
        | 'dry'
        | 'deploy'
        | 'run'
        | 'debug'
        | 'runStep'
        | 'pin'
        | 'code'
        | 'undo'
        | 'redo';
      readonly path: Path;
    };

/** The state that the page keeps over a reload of the window. */
export interface PageState {
  /** The path of what is unfolded, as JSON. */
  readonly open: string | null;
}
