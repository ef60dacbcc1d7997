/** The rows of the list below a field with options (pure). */
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import type { Option, Values } from './messages.ts';
import type { FormState, OptionList, Popup } from './state.ts';
import { baseType, isSet, labelOf, optionOf, parsed, pickedOf, textOf, valueOf } from './values.ts';

export type Choice =
  | { readonly kind: 'option'; readonly option: Option; readonly picked: boolean }
  /** The typed text itself: options are only suggestions (P4.9). */
  | { readonly kind: 'typed'; readonly option: Option }
  | { readonly kind: 'more' }
  | { readonly kind: 'anyway' }
  | { readonly kind: 'retry' };

/** The options of a boolean that declares none. */
const booleans: readonly Option[] = [true, false].map((value) => ({ label: String(value), value }));

export function staticOptions(prop: ConfigurableProp): readonly Option[] {
  if (prop.options !== undefined) return prop.options.map(optionOf);
  return baseType(prop) === 'boolean' ? booleans : [];
}

export function choicesOf(state: FormState, prop: ConfigurableProp, popup: Popup): Choice[] {
  const list = own(state.lists, prop.name);
  const options = prop.remoteOptions === true ? (list?.options ?? []) : staticOptions(prop);
  const picked = new Set(
    pickedOf(valueOf(prop, state.values)).map(({ value }) => JSON.stringify(value)),
  );
  const wanted = popup.typed ? popup.text.trim() : '';
  const shown =
    prop.useQuery === true || wanted === ''
      ? options
      : options.filter((option) => matches(option, wanted));
  const choices: Choice[] = shown.map((option) => ({
    kind: 'option',
    option,
    picked: picked.has(JSON.stringify(option.value)),
  }));
  if (wanted !== '' && !options.some((option) => isExactly(option, wanted))) {
    const value = parsed(baseType(prop), wanted);
    choices.push({ kind: 'typed', option: { label: textOf(value), value } });
  }
  if (prop.remoteOptions === true) choices.push(...furtherChoices(state, prop, list));
  return choices;
}

function furtherChoices(
  state: FormState,
  prop: ConfigurableProp,
  list: OptionList | undefined,
): Choice[] {
  if (list === undefined) return waitsFor(state, prop) === undefined ? [] : [{ kind: 'anyway' }];
  if (list.request !== null) return [];
  if (list.problem !== null) return [{ kind: 'retry' }];
  return list.more ? [{ kind: 'more' }] : [];
}

/** The label of the prop that has to be set before these options can be loaded (P5.14). */
export function waitsFor(state: FormState, prop: ConfigurableProp): string | undefined {
  const before = state.props.slice(0, state.props.indexOf(prop));
  const missing = before.find(
    (other) =>
      other.optional !== true &&
      other.hidden !== true &&
      (other.type === 'app' || other.remoteOptions === true) &&
      !isSet(valueOf(other, state.values)),
  );
  return missing === undefined ? undefined : labelOf(missing);
}

/** What a list of options depends on: all other values and the query. */
export function listKey(prop: ConfigurableProp, values: Values, query: string): string {
  const others = Object.entries(values).filter(([name]) => name !== prop.name);
  return JSON.stringify([query, others]);
}

/** The query that is sent to the component; empty where the page filters. */
export function queryOf(prop: ConfigurableProp, popup: Popup): string {
  return prop.useQuery === true && popup.typed ? popup.text.trim() : '';
}

function matches({ label, value }: Option, wanted: string): boolean {
  const needle = wanted.toLowerCase();
  return label.toLowerCase().includes(needle) || textOf(value).toLowerCase().includes(needle);
}

/** Whether a text is this option's label or value. */
export function isExactly({ label, value }: Option, wanted: string): boolean {
  return label === wanted || textOf(value) === wanted;
}
