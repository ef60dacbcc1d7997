import type { CallOptions } from '../../client/connection.ts';
import type { Params } from '../../protocol/catalogue.ts';
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
  /** @param values complete, secrets in the clear */
  submit(values: Values, options: Required<CallOptions>): Promise<void>;
}

export interface LoadOptions {
  readonly signal: AbortSignal;
  readonly progress: (step: string) => void;
}

export interface LoadedForm extends Omit<FormModel, 'secrets'> {
  /** Secrets that are stored. */
  readonly secrets: readonly string[];
}
