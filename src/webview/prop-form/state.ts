/** Everything the page shows, and how it changes (pure). */
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import type { KeyForm } from '../../protocol/key-forms.ts';
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
import { isKept } from './values.ts';
import { problemOf } from './validate.ts';
import { holdsExpression, isSet, keptSecret, timerOf, valueOf } from './values.ts';

export interface OptionList {
  readonly options: readonly Option[];
  readonly more: boolean;
  readonly problem: string | null;
  /** Number of the request that is under way. */
  readonly request: number | null;
  /** The values and the query it was loaded with; others make it stale. */
  readonly key: string;
}

export interface Accounts {
  readonly accounts: readonly AccountChoice[];
  readonly problem: string | null;
  /** One can be connected in the browser. */
  readonly connects: boolean;
  readonly keyForm?: KeyForm;
  /** Whether a new account is for all folders of the user, unless chosen otherwise. */
  readonly sharing?: boolean;
  /** A definition says how the app sends events. */
  readonly sendsEvents: boolean;
}

/** The list below one field with options. */
export interface Popup {
  readonly prop: string;
  readonly text: string;
  /** Whether the text was typed; otherwise it is what was there when the list opened. */
  readonly typed: boolean;
  readonly active: number;
}

/** A new account that is being entered for an app prop. */
export interface AccountDraft {
  readonly prop: string;
  readonly busy: boolean;
  readonly problem: string | null;
  /** How many rows of a key and its value there are. */
  readonly rows: number;
  /** Keys are named by hand though it is known which ones there are. */
  readonly isFree: boolean;
}

/** An account that is being connected in the browser for an app prop, or why it was not. */
export interface Connecting {
  readonly prop: string;
  /** Null while it runs. */
  readonly problem: string | null;
}

export interface FormState {
  /** In front of the ids of controls. */
  readonly prefix: string;
  readonly phase: 'loading' | 'unavailable' | 'editing' | 'submitting';
  /** While loading what is being done, while unavailable the reason. */
  readonly note: string;
  readonly form: FormModel | null;
  readonly props: readonly ConfigurableProp[];
  readonly values: Values;
  /** Props the user has edited: only their problems are shown. */
  readonly touched: ReadonlySet<string>;
  /** Problems reported by the host; each until its value changes. */
  readonly hostProblems: Problems;
  /** Above the button: why the last attempt failed. */
  readonly failure: { readonly problem: string; readonly log: readonly string[] } | null;
  /** The props are being reloaded because of this one; empty for the first time. */
  readonly reload: { readonly request: number; readonly prop: string } | null;
  /** The button was pressed while the props were being reloaded. */
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
  readonly connecting: Connecting | null;
  /** Secrets that are being replaced. */
  readonly replacing: ReadonlySet<string>;
  /** By prop: values as they were typed, where that is more than the value says. */
  readonly drafts: Readonly<Record<string, unknown>>;
  readonly optionalOpen: boolean;
  /** For screen readers. */
  readonly announced: string;
}

export const firstState: FormState = {
  prefix: '',
  phase: 'loading',
  note: '',
  form: null,
  props: [],
  values: {},
  touched: new Set(),
  hostProblems: {},
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
  connecting: null,
  replacing: new Set(),
  drafts: {},
  optionalOpen: false,
  announced: '',
};

/**
 * A form that the host has read. Values that were typed stay: the form comes again when its file is
 * saved, when the tab was hidden, and after a reload of the window.
 * @param kept the values so far, undefined for a new form
 */
export function withForm(state: FormState, form: FormModel, kept: Values | undefined): FormState {
  const values = withoutLostSecrets({ ...initialValues(form), ...kept }, form);
  const required = form.props.filter((prop) => isAsked(prop) && prop.optional !== true);
  return {
    ...state,
    phase: state.phase === 'submitting' ? 'submitting' : 'editing',
    form,
    props: form.props,
    values,
    hostProblems: form.problems,
    touched: new Set([...state.touched, ...Object.keys(form.problems)]),
    optionalOpen:
      state.optionalOpen ||
      required.length === 0 ||
      form.props.some((prop) => prop.optional === true && isSet(own(form.values, prop.name))),
  };
}

/** Configured values, with timers in the notation that is sent back. */
function initialValues({ props, values }: FormModel): Values {
  const initial: Record<string, unknown> = { ...values };
  for (const { name, type } of props) {
    if (type !== '$.interface.timer') continue;
    const timer = timerOf(own(values, name));
    if (timer !== undefined) initial[name] = timer;
  }
  return initial;
}

/** A secret that was typed before a reload of the window is lost and has to be typed again. */
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
 * Replaces the props. Values that still fit stay, the others are removed. The JSON document is updated
 * unless the user has changed it.
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
  const isEdited = state.view === 'form' || state.json.text !== toJson(state.props, state.values);
  return isEdited ? next : { ...next, json: { text: toJson(props, values), problem: null } };
}

export function withValue(state: FormState, name: string, value: unknown): FormState {
  const { [name]: _, ...hostProblems } = state.hostProblems;
  // Without a value the default applies, so a removed value is null.
  const values = { ...state.values, [name]: value ?? null };
  return { ...state, values, hostProblems };
}

export function withTouched(state: FormState, name: string): FormState {
  return state.touched.has(name) ? state : { ...state, touched: new Set([...state.touched, name]) };
}

/** A secret was sent to the host; only the fact that it is set stays here. */
export function withSecretKept(state: FormState, name: string): FormState {
  const replacing = new Set(state.replacing);
  replacing.delete(name);
  return { ...withValue(state, name, keptSecret), replacing };
}

/** The problem of a prop, if it is to be shown already. */
export function shownProblem(state: FormState, prop: ConfigurableProp): string | undefined {
  const reported = own(state.hostProblems, prop.name);
  if (reported !== undefined) return reported;
  if (!state.touched.has(prop.name)) return undefined;
  const value = valueOf(prop, state.values);
  // What it will be is known when the step runs.
  if (state.form?.expressions === true && holdsExpression(value)) return undefined;
  return problemOf(prop, value);
}

/** The values that are sent to the host: only of the present props that a user fills in. */
export function submitted({ props, values }: FormState): Values {
  const names = new Set(props.filter(isAsked).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

/** Whether the props are being reloaded because of a change; the first time is not shown. */
export function isReloading({ reload }: FormState): boolean {
  return reload !== null && reload.prop !== '';
}
