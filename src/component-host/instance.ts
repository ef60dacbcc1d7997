import type { HostConfiguration, Trigger } from '../protocol/host.ts';
import type { AskRuntime } from './asks.ts';
import { assign, type Dictionary } from './authored.ts';
import { boundMethods } from './bound-methods.ts';
import type { Component } from './component.ts';
import { emitOf } from './emit.ts';
import type { Invocation } from './invocation.ts';
import { effectiveProps } from './props/effective.ts';
import type { Maker } from './props/maker.ts';
import { makerOf, valueMaker } from './props/values.ts';

/** What `this` is made from; computed once per configuration. */
export interface InstanceTemplate {
  readonly prototype: object;
  readonly makers: readonly (readonly [prop: string, make: Maker, hidden?: boolean])[];
  /** Sources have `$emit`; in actions it is undefined (P2.9, P2.10). */
  readonly emits: boolean;
}

export function instanceTemplate(
  component: Component,
  configuration: HostConfiguration,
  ask: AskRuntime,
): InstanceTemplate {
  const makers: [string, Maker, boolean?][] = [];
  const props = effectiveProps(component.props, configuration.propSet);
  for (const prop of props.values()) {
    const make = makerOf(prop, configuration, ask);
    if (make !== undefined) makers.push([prop.name, make, prop.type === 'dir']);
  }
  if (component.additionalProps !== null && configuration.propSet === undefined) {
    for (const [name, value] of Object.entries(configuration.props)) {
      const make = props.has(name) ? undefined : valueMaker(value);
      if (make !== undefined) makers.push([name, make]);
    }
  }
  return {
    prototype: boundMethods(withoutNames(component.methods, makers)),
    makers,
    emits: component.definition.type === 'source',
  };
}

/** Where a prop and a method have the same name, the prop wins (P2.5). */
function withoutNames(methods: Dictionary, makers: InstanceTemplate['makers']): Dictionary {
  const taken = new Set(makers.map(([name]) => name));
  return Object.fromEntries(Object.entries(methods).filter(([name]) => !taken.has(name)));
}

/**
 * `this` of one invocation (P2): its own enumerable keys are the configured props and
 * nothing else; methods and `$emit` are reachable, and `run` and the hooks are not.
 */
export function createInstance(
  template: InstanceTemplate,
  invocation: Invocation,
  trigger: Trigger | null,
): object {
  const instance = Object.create(template.prototype) as object;
  for (const [name, make, hidden] of template.makers) {
    const value = make(invocation, trigger);
    if (hidden === true) define(instance, name, value);
    else assign(instance, name, value);
  }
  if (template.emits) {
    define(instance, '$emit', emitter(invocation));
  }
  return instance;
}

/** Reachable, but off the keys that become request bodies: no one configures a `dir` (P2.16). */
function define(instance: object, name: string, value: unknown): void {
  Object.defineProperty(instance, name, { value, configurable: true, writable: true });
}

/** Collects at once and returns a settled promise: almost nobody awaits it (P10.2). */
function emitter(invocation: Invocation): (event: unknown, meta?: unknown) => Promise<void> {
  return (event, meta) => {
    if (invocation.ended) {
      invocation.warnOnce('$emit was called after the run had ended; the event was dropped.');
    } else {
      invocation.emit(emitOf(event, meta, Date.now()));
    }
    return Promise.resolve();
  };
}
