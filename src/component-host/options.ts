import type { OptionsResult, Work } from '../protocol/host.ts';
import { computeProps } from './additional-props.ts';
import { appTemplate, createApp } from './app-instance.ts';
import { ComponentError, isDictionary, isMethod, type Dictionary } from './authored.ts';
import { own } from '../protocol/own.ts';
import { createInstance } from './instance.ts';
import type { Invocation } from './invocation.ts';
import type { Prop } from './props/resolve.ts';
import { plainText } from './text.ts';
import type { Live } from './work.ts';

type OptionsWork = Extract<Work, { call: 'options' }>;

/** Asks a prop for one page of its options (P5). */
export async function propOptions(
  live: Live,
  work: OptionsWork,
  invocation: Invocation,
): Promise<OptionsResult> {
  const prop = await findProp(live, work.prop, invocation);
  const { options } = prop.definition;
  if (!isMethod(options)) return optionsResult(options);
  const component = createInstance(live.template, invocation, null);
  const self = prop.optionsApp === null ? component : appOf(live, prop.optionsApp, invocation);
  const configured: Dictionary = { ...component };
  const inputs = prop.inputValues.map((values) => inputValues(values, configured));
  // Always one object, `prevContext` never undefined: 763 published props read it unguarded (P5.9).
  const argument = Object.assign({}, ...inputs, {
    page: work.page,
    prevContext: work.prevContext ?? {},
    query: work.query,
  }) as Dictionary;
  return optionsResult(await options.call(self, argument));
}

/** A declared prop, or one that `additionalProps` makes: its functions exist only while it runs. */
async function findProp(live: Live, name: string, invocation: Invocation): Promise<Prop> {
  const declared = live.component.props.get(name);
  if (declared !== undefined && isMethod(declared.definition['options'])) return declared;
  const computed =
    live.component.additionalProps === null
      ? undefined
      : (await computeProps(live, invocation)).props.get(name);
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
function appOf(live: Live, app: Dictionary, invocation: Invocation): object {
  const appProps = [...live.component.props.values()].filter((prop) => prop.type === 'app');
  const prop =
    appProps.find((candidate) => candidate.definition === app) ??
    appProps.find((candidate) => candidate.definition['app'] === app['app']);
  const configured = prop && own(live.configuration.props, prop.name);
  const account = isDictionary(configured) ? configured['authProvisionId'] : undefined;
  const auth = typeof account === 'string' ? own(live.configuration.accounts, account) : undefined;
  const name = prop?.name ?? String(app['app']);
  return createApp(appTemplate(name, app, isDictionary(auth) ? auth : null), invocation);
}

/** An array, or `{options, context}`; anything else is no options (P5.10, P5.11). */
export function optionsResult(returned: unknown): OptionsResult {
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
