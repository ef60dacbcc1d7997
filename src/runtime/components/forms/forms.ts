/** The calls of a form to a component: the options of a prop, and the props that `additionalProps` adds. */
import { messageWithCauses } from '../../../protocol/error-causes.ts';
import type { ConfigurableProp } from '../../../protocol/definition.ts';
import { WeirError } from '../../../protocol/errors.ts';
import type { HostConfiguration, OptionsResult } from '../../../protocol/host.ts';
import { readOptions } from '../../../protocol/schemas/definition.ts';
import { computeProps } from '../additional-props.ts';
import type { BuildOptions, Deployment } from '../deployments/deployment.ts';
import { type LoadedComponent, retryWithExternal } from '../load.ts';
import { type Origin, type OriginOptions, resolveOrigin } from '../origin.ts';
import { type Called, callHost } from '../../processes/call-host.ts';
import { withAccounts } from '../props/allowed-accounts.ts';
import type { Configured } from '../props/configured.ts';
import { withDefaults } from '../props/validation.ts';
import type { FormHosts } from './form-hosts.ts';

/** The code a form is about, and the values so far. */
export interface FormSubject {
  readonly deployment: Deployment;
  /** In the clear; a deployed source's own under what was typed. */
  readonly given: Configured;
  /** A deployed source's id, endpoints and db; empty for a file. */
  readonly self: Pick<HostConfiguration, 'sourceId' | 'endpoints' | 'db' | 'stashDir'>;
  /** The props the form shows, when `additionalProps` made them. */
  readonly propSet?: readonly ConfigurableProp[] | undefined;
  /** Ids of the only accounts that the code may use; all unless given. */
  readonly accounts?: readonly string[] | undefined;
}

export interface OptionsRequest {
  readonly prop: string;
  readonly page: number;
  readonly prevContext: unknown;
  readonly query?: string | undefined;
}

/** A call of user code as a form shows it: its result, or what went wrong, in sentences. */
export interface FormAnswer<T> {
  readonly result: T | undefined;
  readonly errors: readonly string[];
  readonly called: Pick<Called, 'logs' | 'error'>;
}

export interface FormsOptions {
  readonly hosts: FormHosts;
  readonly origins: OriginOptions;
  readonly accountsOf: (configured: Configured) => HostConfiguration['accounts'];
  /** Refreshes what would run out during a call with these; never rejects. */
  readonly refreshExpiring: (configured: Configured) => Promise<void> | undefined;
}

export class Forms {
  readonly #options: FormsOptions;

  constructor(options: FormsOptions) {
    this.#options = options;
  }

  /** Builds the code a form is about. Throws what `resolveOrigin` throws. */
  deploymentOf(origin: Origin, build: BuildOptions): Promise<Deployment> {
    return resolveOrigin(this.#options.origins, origin, build);
  }

  /**
   * Calls `options()` of a prop. What it throws, and the end of its process, are part of the answer.
   * @throws WeirError `bad_input` for a prop that does not exist, `bad_component` when the code cannot be
   *   loaded, `cancelled`
   */
  options(
    subjectOf: () => Promise<FormSubject>,
    { query, ...request }: OptionsRequest,
    signal: AbortSignal,
  ): Promise<FormAnswer<OptionsResult>> {
    return this.#use(subjectOf, signal, async (component, subject) => {
      requireProp(component, subject, request.prop);
      const props = withDefaults(component.definition, subject.given);
      component.host.configure(this.#configurationOf(subject, props));
      const called = await callHost(
        component.host,
        { call: 'options', ...request, ...(query === undefined ? {} : { query }) },
        signal,
      );
      const result = called.result === undefined ? undefined : readOptions(called.result);
      return answer(`options() of ${request.prop}`, result, called, signal);
    });
  }

  /** The complete set with what `additionalProps` adds; without that function, the declared props. */
  props(
    subjectOf: () => Promise<FormSubject>,
    signal: AbortSignal,
  ): Promise<FormAnswer<readonly ConfigurableProp[]>> {
    return this.#use(subjectOf, signal, async (component, subject) => {
      const { definition, ...called } = await computeProps(
        component.host,
        component.definition,
        subject.given,
        (props) => this.#configurationOf(subject, props),
        signal,
      );
      return answer('additionalProps()', definition.props, called, signal);
    });
  }

  #use<T>(
    subjectOf: () => Promise<FormSubject>,
    signal: AbortSignal,
    work: (component: LoadedComponent, subject: FormSubject) => Promise<T>,
  ): Promise<T> {
    const { hosts, origins } = this.#options;
    return retryWithExternal(origins.components, async () => {
      const subject = await subjectOf();
      await withAccounts(this.#options, subject.accounts).refreshExpiring(subject.given);
      return hosts.use(subject.deployment, signal, (component) => work(component, subject));
    });
  }

  #configurationOf(subject: FormSubject, props: Configured): HostConfiguration {
    const { self, propSet } = subject;
    const fits = propSet !== undefined && declaresAll(propSet, props);
    const { accountsOf } = withAccounts(this.#options, subject.accounts);
    return { ...self, props, accounts: accountsOf(props), ...(fits && { propSet }) };
  }
}

/**
 * A set that lacks a prop with a value belongs to an earlier state of the form. The host would drop that
 * value; without a set it keeps every value.
 */
function declaresAll(propSet: readonly ConfigurableProp[], props: Configured): boolean {
  const names = new Set(propSet.map(({ name }) => name));
  return Object.keys(props).every((name) => names.has(name));
}

function requireProp(
  { definition }: LoadedComponent,
  { propSet }: FormSubject,
  name: string,
): void {
  const known = [...definition.props, ...(propSet ?? [])];
  if (definition.hasAdditionalProps || known.some((prop) => prop.name === name)) return;
  const names = known.map((prop) => prop.name).join(', ');
  throw new WeirError(
    'bad_input',
    `The component has no prop "${name}". It has: ${names || 'none'}.`,
  );
}

function answer<T>(
  what: string,
  result: T | undefined,
  called: Pick<Called, 'logs' | 'error' | 'loss'>,
  signal: AbortSignal,
): FormAnswer<T> {
  if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
  return { result, errors: sentences(what, called), called };
}

/** A ConfigurationError is written for the user of the form and is shown as it is (P12.8). */
function sentences(what: string, { error, loss }: Pick<Called, 'error' | 'loss'>): string[] {
  if (error === undefined) return [];
  if (error.configuration === true) return [error.message];
  const name = loss !== undefined || error.name === 'Error' ? '' : `${error.name}: `;
  return [`${what} failed: ${name}${messageWithCauses(error)}`];
}
