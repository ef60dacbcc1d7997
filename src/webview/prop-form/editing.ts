/** Changing values by hand: what follows from it. */
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import { fromJson, toJson } from './json-view.ts';
import { idOf, type Page } from './page.ts';
import { isReloading, submitted, withSecretKept, withTouched, withValue } from './state.ts';
import { problemsOf } from './validate.ts';
import { isSet, timerOf, valueOf } from './values.ts';

export interface Editing {
  /** A value that is being typed. */
  change(prop: ConfigurableProp, value: unknown): void;
  /** The person is done with a field: what is wrong is said, and props that depend on it follow. */
  commit(prop: ConfigurableProp): void;
  /** A choice: typed and done at once. */
  choose(prop: ConfigurableProp, value: unknown): void;
  /** Rows of an object or a list, as they are typed. */
  draft(prop: ConfigurableProp, draft: unknown, value: unknown): void;
  secret(prop: ConfigurableProp, text: string): void;
  replaceSecret(prop: ConfigurableProp): void;
  removeSecret(prop: ConfigurableProp): void;
  reload(prop?: ConfigurableProp): void;
  /** The form is here, its props made of its values. */
  started(): void;
  /** Another set of props is here: asks once more when one of them depends on a value it had before. */
  settle(): void;
  preview(prop: ConfigurableProp): void;
  submit(): void;
  /** The optional fields are shown, or not. */
  fold(open: boolean): void;
  toggleJson(): void;
  typeJson(text: string): void;
  /** The person is done with the document. */
  commitJson(): void;
}

const previewDelayMs = 150;

export function createEditing(page: Page): Editing {
  /** Values that the present props were made of. */
  const seen = new Map<string, string>();
  const previews = new Map<string, ReturnType<typeof setTimeout>>();

  const noteValues = (): void => {
    for (const prop of page.state.props.filter(({ reloadProps }) => reloadProps === true)) {
      seen.set(prop.name, JSON.stringify(valueOf(prop, page.state.values) ?? null));
    }
  };

  const editing: Editing = {
    change(prop, value) {
      page.update((state) => withValue(state, prop.name, value));
      if (prop.type === '$.interface.timer') editing.preview(prop);
    },
    commit(prop) {
      page.update((state) => withTouched(state, prop.name));
      if (prop.reloadProps !== true) return;
      const value = JSON.stringify(valueOf(prop, page.state.values) ?? null);
      if (seen.get(prop.name) === value) return;
      seen.set(prop.name, value);
      editing.reload(prop);
    },
    choose(prop, value) {
      editing.change(prop, value);
      editing.commit(prop);
    },
    draft(prop, draft, value) {
      page.update((state) => ({ ...state, drafts: { ...state.drafts, [prop.name]: draft } }));
      editing.change(prop, value);
    },
    secret(prop, text) {
      if (text === '') return;
      page.post({ t: 'secret', prop: prop.name, value: text });
      page.update((state) => withSecretKept(state, prop.name));
      editing.commit(prop);
    },
    replaceSecret(prop) {
      page.update((state) => ({ ...state, replacing: new Set([...state.replacing, prop.name]) }));
      page.focus(`#${idOf(page.state, prop)}`);
    },
    removeSecret(prop) {
      editing.choose(prop, undefined);
      page.focus(`#${idOf(page.state, prop)}`);
    },
    reload(prop) {
      const request = page.nextRequest();
      noteValues();
      page.update((state) => ({ ...state, reload: { request, prop: prop?.name ?? '' } }));
      page.post({ t: 'props', request, values: submitted(page.state) });
    },
    started: noteValues,
    settle() {
      const { props, values } = page.state;
      const fresh = props.filter((prop) => prop.reloadProps === true && !seen.has(prop.name));
      for (const prop of fresh) {
        seen.set(prop.name, JSON.stringify(valueOf(prop, values) ?? null));
      }
      const returned = fresh.find(({ name }) => isSet(own(values, name)));
      if (returned !== undefined) editing.reload(returned);
    },
    preview(prop) {
      clearTimeout(previews.get(prop.name));
      const ask = (): void => {
        const timer = timerOf(valueOf(prop, page.state.values));
        if (timer === undefined) return;
        page.post({ t: 'schedule', request: page.nextRequest(), prop: prop.name, timer });
      };
      previews.set(prop.name, setTimeout(ask, previewDelayMs));
    },
    submit() {
      const { state } = page;
      if (state.phase !== 'editing') return;
      if (isReloading(state)) return page.update((now) => ({ ...now, submitNext: true }));
      if (state.view === 'json') {
        if (state.json.problem !== null) return page.focus('#json');
        editing.commitJson();
      }
      // A field that still has the focus has not said its last.
      takeOpenSecrets(editing, page);
      const problems = problemsOf(page.state.props, page.state.values);
      const wrong = Object.keys(problems);
      if (wrong.length > 0) return showProblems(page, wrong);
      page.update((now) => ({ ...now, phase: 'submitting', failure: null, progress: [] }));
      page.post({ t: 'submit', values: submitted(page.state) });
    },
    fold(open) {
      page.update((state) => ({ ...state, optionalOpen: open }));
    },
    toggleJson() {
      page.update((state) =>
        state.view === 'json'
          ? { ...state, view: 'form' }
          : {
              ...state,
              view: 'json',
              json: { text: toJson(state.props, state.values), problem: null },
            },
      );
      page.focus(page.state.view === 'json' ? '#json' : '#view');
    },
    typeJson(text) {
      const { props, values } = page.state;
      const read = fromJson(text, props, values);
      page.update((state) => ({
        ...state,
        values: read.ok ? read.values : values,
        told: {},
        drafts: {},
        json: { text, problem: read.ok ? null : read.problem },
      }));
    },
    commitJson() {
      const { props, json } = page.state;
      const read = fromJson(json.text, props, page.state.values);
      if (!read.ok) return;
      for (const [prop, value] of Object.entries(read.secrets)) {
        page.post({ t: 'secret', prop, value });
        page.update((state) => withSecretKept(state, prop));
      }
      // A secret does not stay where it can be read.
      page.update((state) => ({
        ...state,
        json: { text: toJson(props, state.values), problem: null },
      }));
      for (const prop of props) {
        if (prop.type === '$.interface.timer') editing.preview(prop);
        if (prop.reloadProps === true) editing.commit(prop);
      }
    },
  };
  return editing;
}

/** Hands over what stands in password fields. */
function takeOpenSecrets(editing: Editing, page: Page): void {
  for (const prop of page.state.props.filter(({ secret }) => secret === true)) {
    const field = document.querySelector(`#${idOf(page.state, prop)}`);
    if (field instanceof HTMLInputElement && field.value !== '') editing.secret(prop, field.value);
  }
}

/** Says at each field what is wrong with it, and goes to the first. */
export function showProblems(page: Page, wrong: readonly string[]): void {
  const first = page.state.props.find((prop) => wrong.includes(prop.name));
  page.update((state) => ({
    ...state,
    view: 'form',
    touched: new Set([...state.touched, ...wrong]),
    optionalOpen: state.optionalOpen || hasOptional(state.props, wrong),
    announced:
      wrong.length === 1
        ? 'One field needs another look.'
        : `${wrong.length} fields need another look.`,
  }));
  if (first === undefined) return;
  const field = `[data-prop="${CSS.escape(first.name)}"]`;
  const invalid = '[aria-invalid="true"]';
  page.focus(
    `${field} ${invalid}, ${field}:not(:has(${invalid})) :is(input, textarea, select, button)`,
  );
}

function hasOptional(props: readonly ConfigurableProp[], names: readonly string[]): boolean {
  return props.some((prop) => isAsked(prop) && prop.optional === true && names.includes(prop.name));
}
