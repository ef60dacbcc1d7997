/** Everything the page shows, and how it changes (pure). */
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import { toJson } from './json-view.ts';
import type {
  AccountChoice,
  FormModel,
  Option,
  Problems,
  SchedulePreview,
  Values,
} from './messages.ts';
import { isKept } from './secret-value.ts';
import { problemOf } from './validate.ts';
import { isSet, keptSecret, timerOf, valueOf } from './values.ts';

export interface OptionList {
  readonly options: readonly Option[];
  readonly more: boolean;
  readonly problem: string | null;
  /** The request that is under way. */
  readonly request: number | null;
  /** What it was asked with: other values or another query make it stale. */
  readonly key: string;
}

export interface Accounts {
  readonly accounts: readonly AccountChoice[];
  readonly problem: string | null;
}

/** The list below one field with options. */
export interface Popup {
  readonly prop: string;
  readonly text: string;
  /** Whether the text was typed, or is what was there when the list opened. */
  readonly typed: boolean;
  readonly active: number;
}

/** A new account that is being written down for an app prop. */
export interface AccountDraft {
  readonly prop: string;
  readonly busy: boolean;
  readonly problem: string | null;
  /** How many rows of a key and its value there are. */
  readonly rows: number;
}

export interface FormState {
  readonly phase: 'loading' | 'unavailable' | 'editing' | 'submitting';
  /** While loading what is being done, while unavailable the reason. */
  readonly note: string;
  readonly form: FormModel | null;
  readonly props: readonly ConfigurableProp[];
  readonly values: Values;
  /** Props the person has been at: what is wrong with them is said. */
  readonly touched: ReadonlySet<string>;
  /** What the host said is wrong, until the value changes. */
  readonly told: Problems;
  /** Above the button: what the last attempt ended with. */
  readonly failure: { readonly problem: string; readonly log: readonly string[] } | null;
  /** The props are being made anew, because of this one (empty: of all). */
  readonly reload: { readonly request: number; readonly prop: string } | null;
  /** The button was pressed meanwhile. */
  readonly submitNext: boolean;
  /** While submitting: what was done, and last what is being done now. */
  readonly progress: readonly string[];
  readonly view: 'form' | 'json';
  /** The document of the JSON view, as it was typed. */
  readonly json: { readonly text: string; readonly problem: string | null };
  readonly lists: Readonly<Record<string, OptionList>>;
  readonly accounts: Readonly<Record<string, Accounts>>;
  /** URL by prop. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly schedules: Readonly<Record<string, SchedulePreview>>;
  readonly popup: Popup | null;
  readonly accountDraft: AccountDraft | null;
  /** Secrets whose field is open for another text. */
  readonly replacing: ReadonlySet<string>;
  /** Objects and lists as they are typed, by prop, where that is more than the value says. */
  readonly drafts: Readonly<Record<string, unknown>>;
  readonly optionalOpen: boolean;
  /** Said to those who do not see it. */
  readonly announced: string;
}

export const firstState: FormState = {
  phase: 'loading',
  note: '',
  form: null,
  props: [],
  values: {},
  touched: new Set(),
  told: {},
  failure: null,
  reload: null,
  submitNext: false,
  progress: [],
  view: 'form',
  json: { text: '', problem: null },
  lists: {},
  accounts: {},
  endpoints: {},
  schedules: {},
  popup: null,
  accountDraft: null,
  replacing: new Set(),
  drafts: {},
  optionalOpen: false,
  announced: '',
};

/**
 * The form as the host read it. What was typed before stays: it comes again when the file was saved,
 * when the tab was hidden, and after a reload of the window.
 * @param kept values of before, undefined for a fresh form
 */
export function withForm(state: FormState, form: FormModel, kept: Values | undefined): FormState {
  const values = withoutLostSecrets({ ...initialValues(form), ...kept }, form);
  const told = form.problems;
  const required = form.props.filter((prop) => isAsked(prop) && prop.optional !== true);
  return {
    ...state,
    phase: state.phase === 'submitting' ? 'submitting' : 'editing',
    form,
    props: form.props,
    values,
    told,
    touched: new Set([...state.touched, ...Object.keys(told)]),
    optionalOpen:
      state.optionalOpen ||
      required.length === 0 ||
      form.props.some((prop) => prop.optional === true && isSet(own(form.values, prop.name))),
  };
}

/** Timers in the one spelling that is configured. */
function initialValues({ props, values }: FormModel): Values {
  const initial: Record<string, unknown> = { ...values };
  for (const { name, type } of props) {
    if (type !== '$.interface.timer') continue;
    const timer = timerOf(own(values, name));
    if (timer !== undefined) initial[name] = timer;
  }
  return initial;
}

/** A secret that was typed before the window was reloaded is gone, and to be typed again. */
function withoutLostSecrets(values: Values, { props, secrets }: FormModel): Values {
  const lost = new Set(
    props
      .filter(({ name, secret }) => secret === true && isKept(own(values, name)))
      .map(({ name }) => name)
      .filter((name) => !secrets.includes(name)),
  );
  return Object.fromEntries(Object.entries(values).filter(([name]) => !lost.has(name)));
}

/**
 * Another set of props: a value stays where it still fits, the others go. A document nobody is
 * writing in follows.
 */
export function withProps(state: FormState, props: readonly ConfigurableProp[]): FormState {
  const values = { ...state.values };
  for (const prop of props) {
    const before = state.props.find(({ name }) => name === prop.name);
    if (before === undefined || before.type === prop.type) continue;
    const value = own(values, prop.name);
    if (isSet(value) && problemOf(prop, value) !== undefined) {
      delete values[prop.name];
    }
  }
  const next = { ...state, props, values };
  const isWritten = state.view === 'form' || state.json.text !== toJson(state.props, state.values);
  return isWritten ? next : { ...next, json: { text: toJson(props, values), problem: null } };
}

export function withValue(state: FormState, name: string, value: unknown): FormState {
  const { [name]: _, ...told } = state.told;
  // A default comes back where nothing is said, so taking a value away is said.
  const values = { ...state.values, [name]: value ?? null };
  return { ...state, values, told };
}

export function withTouched(state: FormState, name: string): FormState {
  return state.touched.has(name) ? state : { ...state, touched: new Set([...state.touched, name]) };
}

/** A secret was handed to the host; what stays here is that it is set. */
export function withSecretKept(state: FormState, name: string): FormState {
  const replacing = new Set(state.replacing);
  replacing.delete(name);
  return { ...withValue(state, name, keptSecret), replacing };
}

/** What is wrong with a prop, when it is time to say so. */
export function shownProblem(state: FormState, prop: ConfigurableProp): string | undefined {
  const told = own(state.told, prop.name);
  if (told !== undefined) return told;
  if (!state.touched.has(prop.name)) return undefined;
  return problemOf(prop, valueOf(prop, state.values));
}

/** What goes to the host: the props of this set, and only those a person fills in. */
export function submitted({ props, values }: FormState): Values {
  const names = new Set(props.filter(isAsked).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

/** Other props are on their way, because of a choice; those of the first reading come quietly. */
export function isReloading({ reload }: FormState): boolean {
  return reload !== null && reload.prop !== '';
}
