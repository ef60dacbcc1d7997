import type { OptionsResult, Work } from '../../../protocol/host.ts';
import { own } from '../../../protocol/own.ts';
import { appTemplate, createApp } from '../instance/app.ts';
import { createInstance, type ConfiguredComponent } from '../instance/instance.ts';
import type { ResolvedProp } from '../module/props.ts';
import type { Invocation } from '../output/invocation.ts';
import { ComponentError, isDictionary, isMethod, plainText, type Dictionary } from '../values.ts';
import { computeProps } from './additional-props.ts';

type OptionsWork = Extract<Work, { call: 'options' }>;

/** Asks a prop for one page of its options (P5). */
export async function propOptions(
  component: ConfiguredComponent,
  work: OptionsWork,
  invocation: Invocation,
): Promise<OptionsResult> {
  const prop = await findProp(component, work.prop, 'options', invocation);
  const { options } = prop.definition;
  if (!isMethod(options)) return optionsResult(options);
  const instance = createInstance(component, invocation, null);
  const self =
    prop.optionsApp === null ? instance : createAppOf(component, prop.optionsApp, invocation);
  const configured: Dictionary = { ...instance };
  const inputs = prop.inputValues.map((values) => inputValues(values, configured));
  // Always one object, `prevContext` never undefined: 763 published props read it unguarded (P5.9).
  const argument = Object.assign({}, ...inputs, {
    page: work.page,
    prevContext: work.prevContext ?? {},
    query: work.query,
  }) as Dictionary;
  return optionsResult(await options.call(self, argument));
}

/**
 * A declared prop, or one that `additionalProps` makes: its functions exist only while it runs.
 * @param key what is going to be called, when it is a function
 */
export async function findProp(
  component: ConfiguredComponent,
  name: string,
  key: 'options' | 'eventNames',
  invocation: Invocation,
): Promise<ResolvedProp> {
  const declared = component.props.get(name);
  if (declared !== undefined && isMethod(declared.definition[key])) return declared;
  const computed =
    component.additionalProps === null
      ? undefined
      : (await computeProps(component, invocation)).props.get(name);
  const prop = computed ?? declared;
  if (prop === undefined) throw new ComponentError(`The component has no prop "${name}".`);
  return prop;
}

function inputValues(values: unknown, configured: Dictionary): unknown {
  return isMethod(values) ? values(configured) : values;
}

/**
 * The app instance `options()` runs on: methods of the app that defines it, credentials of the app
 * prop that is that app, by identity or by slug (P5.4).
 */
function createAppOf(
  component: ConfiguredComponent,
  app: Dictionary,
  invocation: Invocation,
): object {
  const appProps = [...component.props.values()].filter((prop) => prop.type === 'app');
  const prop =
    appProps.find((candidate) => candidate.definition === app) ??
    appProps.find((candidate) => candidate.definition['app'] === app['app']);
  const { props, accounts } = component.configuration;
  const configured = prop && own(props, prop.name);
  const name = prop?.name ?? String(app['app']);
  return createApp(appTemplate(name, app, configured, accounts), invocation);
}

/** An array, or `{options, context}`; for anything else there are no options (P5.10, P5.11). */
function optionsResult(returned: unknown): OptionsResult {
  const list = isDictionary(returned) ? returned['options'] : returned;
  const context = isDictionary(returned) ? (returned['context'] ?? null) : null;
  const options = Array.isArray(list) ? (list as unknown[]) : [];
  return { options: options.filter(isGiven).map(optionOf), context };
}

function isGiven(option: unknown): boolean {
  return option !== undefined && option !== null;
}

function optionOf(option: unknown): { label: string; value: unknown } {
  if (!isDictionary(option)) return { label: plainText(option), value: option };
  const value = 'value' in option ? option['value'] : (option['label'] ?? option);
  return { label: plainText(option['label'] ?? value), value };
}
