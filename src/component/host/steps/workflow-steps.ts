/** The steps of a workflow in its process: their code, each evaluated once, and what they know of an execution. */
import type { ConfigurableProp } from '../../../protocol/definition.ts';
import type {
  BlockCall,
  ExecutionScope,
  HostConfiguration,
  StepCall,
  ToHost,
  Trigger,
  Work,
} from '../../../protocol/host.ts';
import type { BlockChoice } from '../../../protocol/host-steps.ts';
import { triggerEvent } from '../calls/trigger-event.ts';
import type { AskRuntime } from '../channel/requests.ts';
import {
  configureComponent,
  createInstance,
  type ConfiguredComponent,
} from '../instance/instance.ts';
import { exportJson, parseJson, toJson } from '../json.ts';
import type { LoadedComponent } from '../module/component.ts';
import { loadComponent } from '../module/load.ts';
import type { Invocation } from '../output/invocation.ts';
import { isDictionary, type Dictionary } from '../values.ts';
import { chooseBranches } from './branches.ts';
import { fileStore } from './file-store.ts';
import { LegFolders } from './leg-folders.ts';
import { hasExpressions, resolveValues } from './resolve.ts';
import { filterContinues, filterOf } from './rules.ts';
import { scopeOf, type Scope } from './scope.ts';
import { SettledProps } from './settled-props.ts';
import { StepApi } from './step-api.ts';
import { workflowTimerEvent } from './timer-event.ts';

/** A step's code with its props as the file has them. */
interface ConfiguredStep {
  readonly bundle: string;
  readonly configuration: HostConfiguration;
  readonly hasExpressions: boolean;
  /** With its props, when no expression is among them: made once. */
  ready?: ConfiguredComponent;
  readonly settled: SettledProps;
}

export class WorkflowSteps {
  readonly #askRuntime: AskRuntime;
  readonly #modules = new Map<string, Promise<LoadedComponent>>();
  readonly #steps = new Map<string, ConfiguredStep>();
  /** JSON text of what started an execution, by its number. */
  readonly #events = new Map<number, Promise<string> | string>();
  /** Variables of the steps, and what the process had in their place. */
  readonly #environment = new Map<string, string | undefined>();
  readonly #requests = new WeakMap<Invocation, StepApi>();

  readonly #legs: LegFolders<Invocation>;
  #legsDir: string | undefined;

  /** @param current the invocation that the asking code belongs to */
  constructor(askRuntime: AskRuntime, current: () => Invocation) {
    this.#askRuntime = askRuntime;
    this.#legs = new LegFolders(current);
  }

  configure({ component, bundle, configuration }: Extract<ToHost, { t: 'configureStep' }>): void {
    this.#useEnvironment(configuration.env ?? {});
    this.#legsDir = configuration.legsDir;
    const has = hasExpressions(configuration.props);
    this.#steps.set(component, {
      bundle,
      configuration,
      hasExpressions: has,
      settled: new SettledProps(),
    });
  }

  /** A deleted variable is undefined from then on, or has the value of the process itself. */
  #useEnvironment(env: Readonly<Record<string, string>>): void {
    for (const [name, before] of this.#environment) {
      if (Object.hasOwn(env, name)) continue;
      this.#environment.delete(name);
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
    for (const [name, value] of Object.entries(env)) {
      if (!this.#environment.has(name)) this.#environment.set(name, process.env[name]);
      process.env[name] = value;
    }
  }

  /** The execution has ended, or waits. */
  forget(execution: number): void {
    this.#events.delete(execution);
    this.#legs.remove(execution);
  }

  /** Resolves with the requests of the step beside its exports, which are sent as they are made. */
  async call(call: StepCall, invocation: Invocation): Promise<string | undefined> {
    const step = this.#steps.get(call.component);
    if (step === undefined) throw new Error(`The step ${call.path} was not configured.`);
    const scope = await this.#scope(call);
    const filter = filterOf(step.configuration.props);
    const context = { ...(parseJson(call.context) as object), ...(await this.#runContext(call)) };
    const { filesDir } = step.configuration;
    const files = filesDir === undefined ? undefined : fileStore(filesDir, this.#askRuntime);
    const api = new StepApi({ call, context, invocation, files, ask: this.#askRuntime });
    this.#requests.set(invocation, api);
    if (filter !== undefined) {
      const goesOn = filterContinues(filter, scope, call.path);
      const json = exportJson('The return value', goesOn);
      if (json !== undefined) invocation.export('$return_value', json);
      if (!goesOn) api.$.flow.exit('Filtered: the condition to go on did not hold.');
      return this.takeRequests(invocation);
    }
    const component = await this.#component(step, call, scope, { api, invocation });
    const self = createInstance(component, invocation, null);
    if (this.#legsDir !== undefined) {
      this.#legs.enter(invocation, this.#legsDir, call.execution, call.leg);
    }
    const returned = await component.run?.call(self, { steps: scope.steps, $: api.$ });
    const json = exportJson('The return value', returned);
    if (json !== undefined) invocation.export('$return_value', json);
    return this.takeRequests(invocation);
  }

  async choose(call: BlockCall, _invocation: Invocation): Promise<string> {
    const choice = chooseBranches(call.block, await this.#scope(call));
    const told: BlockChoice =
      choice.kind === 'items' ? { items: choice.items } : { chosen: choice.names };
    return toJson(told);
  }

  /** JSON text of what a request is to a component. */
  async event(trigger: Trigger): Promise<string> {
    return toJson(await triggerEvent(trigger, this.#askRuntime)) ?? 'null';
  }

  /** JSON text of what a text with expressions gives, before any step has run. */
  async value({ text, path, trigger }: Extract<Work, { call: 'value' }>): Promise<string> {
    const scope = scopeOf([], { event: await this.#eventOf(trigger), context: '{}' });
    return exportJson(path, resolveValues(text, scope, path)) ?? 'null';
  }

  /** JSON text of what a step has asked for until now, also of one that threw; undefined when it is nothing. */
  takeRequests(invocation: Invocation): string | undefined {
    const api = this.#requests.get(invocation);
    this.#requests.delete(invocation);
    return api?.requests();
  }

  async #scope({ execution, trigger, steps, context }: ExecutionScope): Promise<Scope> {
    if (trigger !== undefined) this.#events.set(execution, this.#eventOf(trigger));
    const event = await this.#events.get(execution);
    if (event === undefined) throw new Error(`Nothing is known of execution ${execution}.`);
    return scopeOf(Object.entries(steps), { event, context });
  }

  /** JSON text of what started an execution. */
  #eventOf(trigger: Trigger): Promise<string> | string {
    const event =
      trigger.kind === 'timer'
        ? workflowTimerEvent(trigger)
        : triggerEvent(trigger, this.#askRuntime);
    const text = (value: unknown): string => {
      const json: string | undefined = toJson(value);
      return json ?? 'null';
    };
    return event instanceof Promise ? event.then(text) : text(event);
  }

  /** `$.context` of this run: what `$.flow.rerun` gave, and the request that resumed it (P25.45). */
  async #runContext({ run, rerunContext, callback }: StepCall): Promise<object> {
    const request =
      callback === undefined ? undefined : await triggerEvent(callback, this.#askRuntime);
    return {
      run: {
        runs: run,
        ...(rerunContext !== undefined && { context: parseJson(rerunContext) }),
        ...(request !== undefined && { callback_request: request }),
      },
    };
  }

  async #component(
    step: ConfiguredStep,
    call: StepCall,
    scope: Scope,
    { api, invocation }: { readonly api: StepApi; readonly invocation: Invocation },
  ): Promise<ConfiguredComponent> {
    if (step.ready !== undefined) return step.ready;
    const { bundle, configuration } = step;
    const loading = this.#modules.get(bundle) ?? loadComponent(bundle, 'action');
    this.#modules.set(bundle, loading);
    const loaded = await loading;
    const props = step.hasExpressions
      ? resolveValues(configuration.props, scope, call.path)
      : configuration.props;
    const given = { ...configuration, props: isDictionary(props) ? props : {} };
    const isOpen = loaded.additionalProps !== null && configuration.propSet === undefined;
    const complete = isOpen
      ? await step.settled.complete(loaded, given, this.#askRuntime, invocation)
      : given;
    if (step.hasExpressions) {
      const shown = givenProps(given.props, complete.propSet ?? loaded.definition.props);
      if (shown !== undefined) api.given(shown);
    }
    const component = configureComponent(loaded, complete, this.#askRuntime);
    if (!step.hasExpressions && !isOpen) step.ready = component;
    return component;
  }
}

/** Characters of JSON: more of what a step was given is not kept. */
const largestGiven = 64 * 1024;

/** The evaluated props, as JSON text without the values of secrets; undefined if that is too much to keep. */
function givenProps(props: Dictionary, known: readonly ConfigurableProp[]): string | undefined {
  const secrets = new Set(known.filter(({ secret }) => secret === true).map(({ name }) => name));
  const shown = Object.entries(props)
    .filter(([name]) => !name.startsWith('__'))
    .map(([name, value]) => [name, secrets.has(name) ? { secret: true } : value]);
  try {
    const json = exportJson('The props', Object.fromEntries(shown));
    return json === undefined || json.length > largestGiven ? undefined : json;
  } catch {
    return undefined;
  }
}
