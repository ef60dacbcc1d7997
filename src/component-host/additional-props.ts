import type { AdditionalPropsResult } from '../protocol/host.ts';
import { assign, ComponentError, isDictionary, kindOf, type Dictionary } from './authored.ts';
import { own } from '../protocol/own.ts';
import { createInstance } from './instance.ts';
import type { Invocation } from './invocation.ts';
import { propData } from './props/data.ts';
import { resolveProp, type Prop } from './props/resolve.ts';
import type { Live } from './work.ts';

/** The final set of props as data. Without `additionalProps` it is what the file declares. */
export async function additionalProps(
  live: Live,
  invocation: Invocation,
): Promise<AdditionalPropsResult> {
  const { props, dynamic } = await computeProps(live, invocation);
  return { props: Array.from(props.values(), propData), dynamic };
}

/**
 * Calls `additionalProps(previousPropDefs)` and merges what it returned, and what it changed in its
 * argument, over the declared props (P6.2, P6.3). Each call starts from the declared definitions.
 */
export async function computeProps(
  live: Live,
  invocation: Invocation,
): Promise<{ props: Map<string, Prop>; dynamic: string[] }> {
  const { component } = live;
  const previous = previousDefinitions(live);
  const self = createInstance(live.template, invocation, null);
  const returned = (await component.additionalProps?.call(self, previous)) ?? {};
  if (!isDictionary(returned)) {
    throw new ComponentError(
      `additionalProps() must return an object of props, not ${kindOf(returned)}.`,
    );
  }
  const props = new Map<string, Prop>();
  for (const name of component.props.keys()) {
    const edited = own(previous, name);
    if (isDictionary(edited)) props.set(name, resolveProp(name, edited));
  }
  const names = Object.keys(returned).filter((name) => returned[name] !== undefined);
  for (const name of names) props.set(name, resolveProp(name, returned[name]));
  return { props, dynamic: names.filter((name) => !component.props.has(name)) };
}

/** A copy for the component to edit: declared definitions, then the dynamic ones of the last time. */
function previousDefinitions(live: Live): Dictionary {
  const previous = {};
  for (const prop of live.component.props.values()) assign(previous, prop.name, editable(prop));
  for (const data of live.configuration.propSet ?? []) {
    if (!live.component.props.has(data.name)) assign(previous, data.name, structuredClone(data));
  }
  return previous;
}

/** Functions and app objects by reference, plain data copied: a list may be pushed to. */
function editable(prop: Prop): Dictionary {
  const copy: Record<string, unknown> = { ...prop.definition };
  for (const key of ['options', 'default', 'static']) {
    const value = copy[key];
    if (typeof value === 'object' && value !== null) copy[key] = structuredClone(value);
  }
  return prop.propDefinition === undefined
    ? copy
    : { ...copy, propDefinition: prop.propDefinition };
}
