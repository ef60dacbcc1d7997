import type { CallOptions } from '../../client/connection.ts';
import type { Params, Result } from '../../protocol/catalogue.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import type { FormModel, Values } from '../../webview/prop-form/messages.ts';
import type { FormSubject } from './subject.ts';

/** What a form is for: where its props come from, and what its button does. */
export interface FormTask {
  readonly subject: FormSubject;
  /** Of the editor tab, before anything is read. */
  readonly title: string;
  /** The component file: a form follows it when it is saved. */
  readonly file: string | undefined;
  client(): Promise<RuntimeClient>;
  /** Reads what the form shows. */
  load(options: LoadOptions): Promise<LoadedForm>;
  /** What `options()` and `additionalProps()` are asked of. */
  readonly component: Pick<Params<'components.props'>, 'id' | 'component_path'>;
  /**
   * Draws an endpoint for an HTTP interface, where it does not have one yet.
   * @param id one that was drawn before a reload of the window
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
  readonly progress: (step: string) => void;
}

export interface LoadedForm extends Omit<FormModel, 'secrets'> {
  /** Secrets that are stored. */
  readonly secrets: readonly string[];
}
