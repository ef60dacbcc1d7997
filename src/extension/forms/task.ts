import type { CallOptions } from '../../client/connection.ts';
import type { Params, Result, Source } from '../../protocol/catalogue.ts';
import type { FormModel, Values } from '../../webview/prop-form/messages.ts';
import type { Folder } from '../connection/folder.ts';
import type { ResultDocuments } from '../documents/result-documents.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { ComponentProblems } from '../problems/component-problems.ts';
import type { FormSubject } from './subject.ts';

/** The task of a form: where its props come from, and what its button does. */
export interface FormTask {
  readonly subject: FormSubject;
  /** The button's action if it is not the usual one of the subject, such as Debug. */
  readonly purpose?: string;
  /** Title of the editor tab, before anything is read. */
  readonly title: string;
  /** The component file: the form is read again when it is saved. */
  readonly file: string | undefined;
  /** At the runtime that the form is about. */
  readonly folder: Folder;
  client(): Promise<RuntimeClient>;
  /** Reads what the form shows. */
  load(options: LoadOptions): Promise<LoadedForm>;
  /** The component whose `options()` and `additionalProps()` are called. */
  readonly component: Pick<Params<'components.props'>, 'id' | 'component_path' | 'component_id'>;
  /**
   * Reserves an endpoint for an HTTP interface that does not have one yet.
   * @param id one that was reserved before a reload of the window
   */
  readonly reserveEndpoint?: (id: string | undefined) => Promise<ReservedEndpoint>;
  /**
   * @param values complete, secrets in the clear
   * @param endpoints ids of the reserved ones, by prop
   */
  submit(
    values: Values,
    endpoints: Readonly<Record<string, string>>,
    options: Required<CallOptions>,
  ): Promise<void>;
}

export type ReservedEndpoint = Result<'endpoints.reserve'>;

export interface LoadOptions {
  readonly signal: AbortSignal;
  /** Gets what the runtime is doing at the moment, such as "Bundling". */
  readonly progress: (message: string) => void;
}

export interface LoadedForm extends Omit<FormModel, 'secrets'> {
  /** Names of the secrets that are stored. */
  readonly secrets: readonly string[];
}

/** The part of the window that tasks need. */
export interface TaskContext {
  readonly problems: Pick<ComponentProblems, 'during'>;
  readonly results: Pick<ResultDocuments, 'show'>;
  /** Called once a source was deployed, updated or configured. */
  readonly done: (folder: Folder, source: Source, how: string) => void;
}
