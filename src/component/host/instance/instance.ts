import type { HostConfiguration, Trigger } from '../../../protocol/host.ts';
import type { AskRuntime } from '../channel/requests.ts';
import type { LoadedComponent } from '../module/component.ts';
import { effectiveProps } from '../module/props.ts';
import { emitOf } from '../output/emit.ts';
import { warnIgnored, warnNoTime, warnReserved } from '../output/ignored.ts';
import { learnSecrets } from '../output/run-secrets.ts';
import type { Invocation } from '../output/invocation.ts';
import { assign, type Dictionary, isDictionary } from '../values.ts';
import { boundMethods } from './bound-methods.ts';
import { configuredValueFactory, propFactory, type PropFactory } from './prop-values.ts';

/** A component with its configuration, and what `this` is made from; made once per configuration. */
export interface ConfiguredComponent extends LoadedComponent {
  readonly configuration: HostConfiguration;
  readonly askRuntime: AskRuntime;
  /** The object that `this` inherits from: the methods. */
  readonly prototype: object;
  /** The props that `this` has. */
  readonly propFactories: readonly (readonly [
    prop: string,
    create: PropFactory,
    hidden?: boolean,
  ])[];
  /** Sources have `$emit`; in actions it is undefined (P2.9, P2.10). */
  readonly emits: boolean;
}

export function configureComponent(
  component: LoadedComponent,
  configuration: HostConfiguration,
  askRuntime: AskRuntime,
): ConfiguredComponent {
  const factories: [string, PropFactory, boolean?][] = [];
  const props = effectiveProps(component.props, configuration.propSet);
  learnSecrets(
    [...component.definition.props, ...(configuration.propSet ?? [])].flatMap(({ name, secret }) =>
      secret === true ? [name] : [],
    ),
    configuration,
  );
  const isAction = component.definition.type === 'action';
  for (const prop of props.values()) {
    const create = propFactory(prop, configuration, askRuntime, isAction);
    if (create !== undefined) factories.push([prop.name, create, prop.type === 'dir']);
  }
  if (component.additionalProps !== null && configuration.propSet === undefined) {
    for (const [name, configured] of Object.entries(configuration.props)) {
      const create = props.has(name) ? undefined : configuredValueFactory(configured);
      if (create !== undefined) factories.push([name, create]);
    }
  }
  return {
    ...component,
    configuration,
    askRuntime,
    prototype: boundMethods(withoutProps(component.methods, factories)),
    propFactories: factories,
    emits: component.definition.type === 'source',
  };
}

/** If a prop and a method have the same name, the prop wins (P2.5). */
function withoutProps(
  methods: Dictionary,
  factories: ConfiguredComponent['propFactories'],
): Dictionary {
  const props = new Set(factories.map(([name]) => name));
  return Object.fromEntries(Object.entries(methods).filter(([name]) => !props.has(name)));
}

/**
 * `this` of one invocation (P2): its own enumerable keys are the configured props and
 * nothing else; methods and `$emit` are reachable, and `run` and the hooks are not.
 */
export function createInstance(
  component: ConfiguredComponent,
  invocation: Invocation,
  trigger: Trigger | null,
): object {
  const instance = Object.create(component.prototype) as object;
  for (const [name, create, hidden] of component.propFactories) {
    const value = create(invocation, trigger);
    if (hidden === true) defineHidden(instance, name, value);
    else assign(instance, name, value);
  }
  if (component.emits) defineHidden(instance, '$emit', emitter(invocation));
  return instance;
}

/** Reachable, but off the keys that become request bodies: nobody configures a `dir` (P2.16). */
function defineHidden(instance: object, name: string, value: unknown): void {
  Object.defineProperty(instance, name, { value, configurable: true, writable: true });
}

function warnOfMeta(invocation: Invocation, event: unknown, meta: unknown): void {
  if (event === undefined) {
    warnIgnored(invocation, '$emit was given no event, so that null is emitted.');
  }
  if (meta === undefined || meta === null) return;
  if (!isDictionary(meta)) {
    const what = `the second argument is a ${typeof meta} and no object`;
    warnIgnored(invocation, `$emit: ${what}, so that it does nothing. Give {id, summary, ts}.`);
    return;
  }
  warnReserved(invocation, '$emit', meta['name']);
  for (const name of ['ts', 'delivery_ts']) {
    const given = meta[name];
    warnNoTime(invocation, '$emit', name, given, emitOf(null, { ts: given }, 0).ts);
  }
}

/** `$emit` queues at once and returns a settled promise: hardly any component awaits it (P10.2). */
function emitter(invocation: Invocation): (event: unknown, meta?: unknown) => Promise<void> {
  return (event, meta) => {
    if (invocation.ended) {
      invocation.warnOnce('$emit was called after the run had ended; the event was dropped.');
    } else {
      warnOfMeta(invocation, event, meta);
      invocation.emit(emitOf(event, meta, Date.now()));
    }
    return Promise.resolve();
  };
}
