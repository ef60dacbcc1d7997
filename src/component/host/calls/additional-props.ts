import type { AdditionalPropsResult } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import { createInstance, type ConfiguredComponent } from '../instance/instance.ts';
import { propData, resolveProp, type ResolvedProp } from '../module/props.ts';
import type { Invocation } from '../output/invocation.ts';
import { assign, ComponentError, isDictionary, kindOf, type Dictionary } from '../values.ts';

/** The final set of props as data. Without `additionalProps` it is what the file declares. */
export async function additionalProps(
  component: ConfiguredComponent,
  invocation: Invocation,
): Promise<AdditionalPropsResult> {
  const { props, dynamic } = await computeProps(component, invocation);
  return { props: Array.from(props.values(), propData), dynamic };
}

/**
 * Calls `additionalProps(previousPropDefs)` and merges what it returned, and what it changed in its
 * argument, over the declared props (P6.2, P6.3). Each call starts from the declared definitions.
 */
export async function computeProps(
  component: ConfiguredComponent,
  invocation: Invocation,
): Promise<{ props: Map<string, ResolvedProp>; dynamic: string[] }> {
  const previous = previousDefinitions(component);
  const self = createInstance(component, invocation, null);
  const returned = (await component.additionalProps?.call(self, previous)) ?? {};
  if (!isDictionary(returned)) {
    throw new ComponentError(
      `additionalProps() must return an object of props, not ${kindOf(returned)}.`,
    );
  }
  const props = new Map<string, ResolvedProp>();
  for (const name of component.props.keys()) {
    const edited = own(previous, name);
    if (isDictionary(edited)) props.set(name, resolveProp(name, edited));
  }
  const names = Object.keys(returned).filter((name) => returned[name] !== undefined);
  for (const name of names) props.set(name, resolveProp(name, returned[name]));
  return { props, dynamic: names.filter((name) => !component.props.has(name)) };
}

/** A copy for the component to edit: declared definitions, then the dynamic ones of the last time. */
function previousDefinitions(component: ConfiguredComponent): Dictionary {
  const previous = {};
  for (const prop of component.props.values()) assign(previous, prop.name, editable(prop));
  for (const data of component.configuration.propSet ?? []) {
    if (!component.props.has(data.name)) assign(previous, data.name, structuredClone(data));
  }
  return previous;
}

/** Functions and app objects by reference, plain data copied: a list may be pushed to. */
function editable(prop: ResolvedProp): Dictionary {
  const copy: Record<string, unknown> = { ...prop.definition };
  for (const key of ['options', 'default', 'static']) {
    const value = copy[key];
    if (typeof value === 'object' && value !== null) copy[key] = structuredClone(value);
  }
  return prop.propDefinition === undefined
    ? copy
    : { ...copy, propDefinition: prop.propDefinition };
}
