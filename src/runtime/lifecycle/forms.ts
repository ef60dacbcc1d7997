/** What a form asks of a component: the options of a prop, and the props that others bring along. */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { HostConfiguration, OptionsResult } from '../../protocol/host.ts';
import type { Configured } from '../props/configured.ts';
import type { BuildOptions, Deployment } from '../components/deployment.ts';
import { withDefaults } from '../props/validation.ts';
import { type Called, callHost } from '../invocations/ask-host.ts';
import { computeProps, type Surroundings } from './compute-props.ts';
import type { FormHosts } from './form-hosts.ts';
import type { Opened } from './open-component.ts';
import { type Origin, type OriginOptions, resolveOrigin } from './origin.ts';
import { orOutsideBundle } from './outside-bundle.ts';

/** Code, and the values so far. */
export interface FormSubject {
  readonly deployment: Deployment;
  /** In the clear; a deployed source's own under what was typed. */
  readonly given: Configured;
  /** Who the component is: a deployed source's id, endpoints and db; nothing for a file. */
  readonly self: Pick<HostConfiguration, 'sourceId' | 'endpoints' | 'db' | 'stashDir'>;
  /** The props the form shows, when `additionalProps` made them. */
  readonly propSet?: readonly ConfigurableProp[] | undefined;
}

export interface OptionsQuestion {
  readonly prop: string;
  readonly page: number;
  readonly prevContext: unknown;
  readonly query?: string | undefined;
}

/** A call of user code as a form shows it: its result, or what went wrong in sentences. */
export interface FormAnswer<T> {
  readonly result: T | undefined;
  readonly errors: readonly string[];
  readonly called: Pick<Called, 'logs' | 'error'>;
}

export interface FormsOptions {
  readonly hosts: FormHosts;
  readonly origins: OriginOptions;
  readonly accountsOf: (configured: Configured) => HostConfiguration['accounts'];
}

export class Forms {
  readonly #options: FormsOptions;

  constructor(options: FormsOptions) {
    this.#options = options;
  }

  /** The code a form is about. Throws `bad_input`, `bad_component`. */
  deploymentOf(origin: Origin, build: BuildOptions): Promise<Deployment> {
    return resolveOrigin(this.#options.origins, origin, build);
  }

  /**
   * What `options()` throws, and the end of its process, are part of the answer. Throws `bad_input` for
   * a prop that does not exist, `cancelled`, and `bad_component` when the code cannot be loaded.
   */
  options(
    subjectOf: () => Promise<FormSubject>,
    { query, ...question }: OptionsQuestion,
    signal: AbortSignal,
  ): Promise<FormAnswer<OptionsResult>> {
    return this.#use(subjectOf, signal, async (opened, subject) => {
      requireProp(opened, subject, question.prop);
      const props = withDefaults(opened.definition, subject.given);
      opened.host.configure({ ...this.#surroundings(subject, props), props });
      const called = await callHost(
        opened.host,
        { call: 'options', ...question, ...(query === undefined ? {} : { query }) },
        signal,
      );
      const result =
        called.result === undefined ? undefined : (JSON.parse(called.result) as OptionsResult);
      return answer(`options() of ${question.prop}`, result, called, signal);
    });
  }

  /** The whole final set; of a component without `additionalProps` what it declares. */
  props(
    subjectOf: () => Promise<FormSubject>,
    signal: AbortSignal,
  ): Promise<FormAnswer<readonly ConfigurableProp[]>> {
    return this.#use(subjectOf, signal, async (opened, subject) => {
      const { definition, ...called } = await computeProps(
        opened.host,
        opened.definition,
        subject.given,
        (props) => this.#surroundings(subject, props),
        signal,
      );
      return answer('additionalProps()', definition.props, called, signal);
    });
  }

  #use<T>(
    subjectOf: () => Promise<FormSubject>,
    signal: AbortSignal,
    work: (opened: Opened, subject: FormSubject) => Promise<T>,
  ): Promise<T> {
    const { hosts, origins } = this.#options;
    return orOutsideBundle(origins.components, async () => {
      const subject = await subjectOf();
      return hosts.use(subject.deployment, signal, (opened) => work(opened, subject));
    });
  }

  #surroundings(subject: FormSubject, props: Configured): ReturnType<Surroundings> {
    const { self, propSet } = subject;
    const fits = propSet !== undefined && declaresAll(propSet, props);
    return { ...self, accounts: this.#options.accountsOf(props), ...(fits && { propSet }) };
  }
}

/**
 * A set that lacks a prop with a value is of an earlier state of the form: the host would drop that
 * value, so it gets no set and hands every value on.
 */
function declaresAll(propSet: readonly ConfigurableProp[], props: Configured): boolean {
  const names = new Set(propSet.map(({ name }) => name));
  return Object.keys(props).every((name) => names.has(name));
}

function requireProp({ definition }: Opened, { propSet }: FormSubject, name: string): void {
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

/** A ConfigurationError is written for the person at the form and stands alone (reference §10.2). */
function sentences(what: string, { error, loss }: Pick<Called, 'error' | 'loss'>): string[] {
  if (error === undefined) return [];
  if (error.configuration === true) return [error.message];
  const name = loss !== undefined || error.name === 'Error' ? '' : `${error.name}: `;
  return [`${what} failed: ${name}${error.message}`];
}
