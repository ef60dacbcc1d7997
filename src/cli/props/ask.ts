/** Asks for the values of props: one after the other, each checked at once. */
import type { Params } from '../../protocol/catalogue.ts';
import { type ConfigurableProp, hasOptions, isRequiredApp } from '../../protocol/definition.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import { type CodeOrigin, UsageError } from '../arguments.ts';
import type { ConnectedTools } from '../cli.ts';
import type { Prompt } from '../prompt.ts';
import { accountsFor } from './accounts.ts';
import { configuredOption, configuredOptions, OptionList, type Picked } from './option-list.ts';
import { typedValue } from './typed.ts';

export interface Asking {
  readonly tools: ConnectedTools;
  readonly prompt: Prompt;
  /** The component whose `options()` and `additionalProps()` are called. */
  readonly origin: CodeOrigin;
  /** Whether a prop is asked for, given the values so far. */
  readonly isWanted: (prop: ConfigurableProp, values: Values) => boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** How often answers that the component computes no props from are asked for before it is given up. */
const mostRounds = 5;

/**
 * @param props of the definition
 * @param dynamic the component computes further props from the values
 * @param given values that are not asked for
 * @returns those and the answers
 * @throws WeirError `component_failed` when the component computes no props from any answers
 */
export async function askProps(
  asking: Asking,
  props: readonly ConfigurableProp[],
  dynamic: boolean,
  given: Values,
): Promise<Values> {
  const { isWanted, tools } = asking;
  let known = props;
  let values = given;
  /** Props that were left out on purpose. */
  const passed = new Set<string>();
  /** Answers that change the set of props. */
  const reloading = new Set<string>();
  let problem: string | undefined;
  /** The values that the problem was about. */
  let refused: Values | undefined;
  let rounds = 0;
  const follow = async (): Promise<void> => {
    const reloaded = await reload(asking, values);
    problem = 'problem' in reloaded ? reloaded.problem : undefined;
    if ('props' in reloaded) known = reloaded.props;
    else tools.out.note(reloaded.problem);
    refused = values;
  };
  if (dynamic) {
    const reloaded = await reload(asking, values);
    // Until something is configured, it is normal that a component cannot compute its props yet.
    if ('props' in reloaded) known = reloaded.props;
    else if (Object.keys(given).length > 0) tools.out.note(reloaded.problem);
  }
  for (;;) {
    const prop = known.find((one) => !passed.has(one.name) && isWanted(one, values));
    if (prop === undefined) {
      if (problem === undefined) return values;
      if (refused !== values) {
        // Answers since then may supply what was missing.
        await follow();
        continue;
      }
      rounds += 1;
      if (rounds === mostRounds) throw cannotGoOn(problem);
      values = Object.fromEntries(Object.entries(values).filter(([name]) => !reloading.has(name)));
      continue;
    }
    if (prop.description !== undefined) tools.out.note(prop.description);
    const answer = await askOne(asking, prop, values);
    if (answer === undefined) {
      passed.add(prop.name);
      continue;
    }
    values = { ...values, [prop.name]: answer };
    if (prop.reloadProps !== true) continue;
    reloading.add(prop.name);
    await follow();
  }
}

function cannotGoOn(problem: string): WeirError {
  return new WeirError(
    'component_failed',
    `The component computes no further props from these values: ${problem.replace(/\.$/, '')}. Give all values at once, with --prop NAME=VALUE or --props FILE.json, or mend its additionalProps().`,
  );
}

/** The props as `additionalProps()` makes them of the values (P6). */
async function reload(
  { tools, origin }: Asking,
  values: Values,
): Promise<{ readonly props: readonly ConfigurableProp[] } | { readonly problem: string }> {
  try {
    const params = { ...origin, configured_props: { ...values } };
    const answer = await tools.call('components.props', params);
    const [problem] = answer.errors;
    return problem === undefined ? { props: answer.configurable_props } : { problem };
  } catch (error) {
    if (WeirError.is(error, 'cancelled')) throw error;
    return { problem: messageOf(error) };
  }
}

/** @returns undefined when it is left out */
async function askOne(asking: Asking, prop: ConfigurableProp, values: Values): Promise<unknown> {
  const { tools } = asking;
  for (;;) {
    try {
      // An account prop that the component added; the props of the definition have their accounts by now.
      if (isRequiredApp(prop)) return (await accountsFor(tools, [prop], {}))[prop.name];
      const value = hasOptions(prop)
        ? await chooseValue(asking, prop, values)
        : await typeValue(asking, prop);
      const problem = value === undefined ? undefined : await problemOf(asking, prop, value);
      if (problem === undefined) return value;
      tools.out.note(problem);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      tools.out.note(error.message);
    }
  }
}

async function typeValue({ prompt }: Asking, prop: ConfigurableProp): Promise<unknown> {
  const text = await prompt.ask(`${questionFor(prop)}: `, prop.secret === true);
  if (text.trim() !== '') return typedValue(prop, textsOf(prop, text));
  if (canBeLeftOut(prop)) return undefined;
  throw new UsageError('A value is needed; Ctrl-C gives up.');
}

const done = { is: 'done' } as const;

/** Lets the user choose one option, or several for a list. */
async function chooseValue(
  { tools, prompt, origin }: Asking,
  prop: ConfigurableProp,
  values: Values,
): Promise<unknown> {
  const component: Pick<Params<'components.configure'>, 'configured_props'> = {
    ...origin,
    configured_props: { ...values },
  };
  // The list shows itself that it is being read.
  const options = { progress: () => undefined };
  const list = new OptionList(prop, (page, signal) =>
    tools.call(
      'components.configure',
      { ...component, prop_name: prop.name, ...page },
      signal === undefined ? options : { ...options, signal },
    ),
  );
  const isList = prop.type.endsWith('[]');
  const chosen: { label: string; value: unknown }[] = [];
  for (;;) {
    const canEnd = chosen.length > 0 || canBeLeftOut(prop);
    const end = { label: chosen.length > 0 ? 'Done' : 'No value', value: done };
    const picked = await prompt.choose<Picked | typeof done>(
      questionFor(prop),
      async (typed, signal) => {
        const found = await list.find(typed, signal);
        return canEnd && typed === '' ? { ...found, choices: [end, ...found.choices] } : found;
      },
    );
    if (picked.is === 'more') {
      await list.more();
      continue;
    }
    if (picked.is === 'done') return chosen.length === 0 ? undefined : configuredOptions(chosen);
    if (picked.is === 'option') {
      if (!isList) return configuredOption(picked.option);
      chosen.push(picked.option);
      continue;
    }
    const value = typedValue({ ...prop, type: prop.type.replace(/\[\]$/, '') }, [picked.text]);
    if (!isList) return value;
    chosen.push({ label: picked.text, value });
  }
}

/** Why the runtime would refuse a typed value, in one sentence. */
async function problemOf(
  { tools }: Asking,
  { name, type, min, max }: ConfigurableProp,
  value: unknown,
): Promise<string | undefined> {
  if (type === '$.interface.timer') {
    const preview = await tools.call('timers.preview', value as Params<'timers.preview'>);
    return preview.problem ?? undefined;
  }
  if (typeof value !== 'number') return undefined;
  if (type === 'integer' && !Number.isInteger(value)) return `${name} takes a whole number.`;
  if (min !== undefined && value < min) return `${name} must be ${min} or more.`;
  if (max !== undefined && value > max) return `${name} must be ${max} or less.`;
  return undefined;
}

function canBeLeftOut(prop: ConfigurableProp): boolean {
  return prop.optional === true || prop.default !== undefined;
}

/** A list is typed with commas; JSON is left to be read as such. */
function textsOf(prop: ConfigurableProp, text: string): string[] {
  const isList = prop.type.endsWith('[]') && !text.trimStart().startsWith('[');
  return isList ? text.split(',').map((part) => part.trim()) : [text];
}

function questionFor(prop: ConfigurableProp): string {
  const label = prop.label ?? prop.name;
  const name = label === prop.name ? label : `${label} (${prop.name})`;
  if (hasOptions(prop))
    return prop.type.endsWith('[]') ? `${name}, one after the other:` : `${name}:`;
  if (prop.type === '$.interface.timer') return `${name}, such as 15m or 0 9 * * 1-5`;
  if (prop.type.endsWith('[]')) return `${name}, separated by commas`;
  return `${name}${prop.type === 'string' ? '' : `, ${prop.type}`}`;
}
