/** Changing values, and what follows from it. */
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { own } from '../../protocol/own.ts';
import { debounce, type Debounce } from '../shared/debounce.ts';
import { fromJson, toJson } from './json-view.ts';
import { idOf, type Page } from './page.ts';
import { isReloading, submitted, withSecretKept, withTouched, withValue } from './state.ts';
import { problemsOf } from './validate.ts';
import { isSet, timerOf, valueOf } from './values.ts';

export interface FormEditor {
  /** Sets a value that is still being typed. */
  change(prop: ConfigurableProp, value: unknown): void;
  /** The user has left a field: its problem is shown, and props that depend on it are reloaded. */
  commit(prop: ConfigurableProp): void;
  /** Sets a value that is complete: {@link change} and {@link commit} in one. */
  choose(prop: ConfigurableProp, value: unknown): void;
  /** Sets the rows of an object or a list as they are being typed. */
  draft(prop: ConfigurableProp, draft: unknown, value: unknown): void;
  secret(prop: ConfigurableProp, text: string): void;
  replaceSecret(prop: ConfigurableProp): void;
  removeSecret(prop: ConfigurableProp): void;
  reload(prop?: ConfigurableProp): void;
  /** The form has arrived, with props that match its values. */
  started(): void;
  /** Other props have arrived: reloads once more when one of them already has a value that others depend on. */
  settle(): void;
  preview(prop: ConfigurableProp): void;
  submit(): void;
  /** Shows or hides the optional fields. */
  fold(open: boolean): void;
  toggleJson(): void;
  typeJson(text: string): void;
  /** The user has left the JSON document. */
  commitJson(): void;
}

/** How long nothing has to be typed before a schedule is previewed, in ms. */
const previewDelayMs = 150;

export function createFormEditor(page: Page): FormEditor {
  /** By prop: the value, as JSON, that the present set of props was loaded with. */
  const loadedWith = new Map<string, string>();
  /** By prop. */
  const previews = new Map<string, Debounce>();

  const noteValues = (): void => {
    for (const prop of page.state.props.filter(({ reloadProps }) => reloadProps === true)) {
      loadedWith.set(prop.name, JSON.stringify(valueOf(prop, page.state.values) ?? null));
    }
  };

  const editor: FormEditor = {
    change(prop, value) {
      page.update((state) => withValue(state, prop.name, value));
      if (prop.type === '$.interface.timer') editor.preview(prop);
    },
    commit(prop) {
      page.update((state) => withTouched(state, prop.name));
      if (prop.reloadProps !== true) return;
      const value = JSON.stringify(valueOf(prop, page.state.values) ?? null);
      if (loadedWith.get(prop.name) === value) return;
      loadedWith.set(prop.name, value);
      editor.reload(prop);
    },
    choose(prop, value) {
      editor.change(prop, value);
      editor.commit(prop);
    },
    draft(prop, draft, value) {
      page.update((state) => ({ ...state, drafts: { ...state.drafts, [prop.name]: draft } }));
      editor.change(prop, value);
    },
    secret(prop, text) {
      if (text === '') return;
      page.post({ t: 'secret', prop: prop.name, value: text });
      page.update((state) => withSecretKept(state, prop.name));
      editor.commit(prop);
    },
    replaceSecret(prop) {
      page.update((state) => ({ ...state, replacing: new Set([...state.replacing, prop.name]) }));
      page.focus(`#${idOf(page.state, prop)}`);
    },
    removeSecret(prop) {
      editor.choose(prop, undefined);
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
      const fresh = props.filter((prop) => prop.reloadProps === true && !loadedWith.has(prop.name));
      for (const prop of fresh) {
        loadedWith.set(prop.name, JSON.stringify(valueOf(prop, values) ?? null));
      }
      const set = fresh.find(({ name }) => isSet(own(values, name)));
      if (set !== undefined) editor.reload(set);
    },
    preview(prop) {
      const ask = (): void => {
        const timer = timerOf(valueOf(prop, page.state.values));
        if (timer === undefined) return;
        page.post({ t: 'schedule', request: page.nextRequest(), prop: prop.name, timer });
      };
      const preview = previews.get(prop.name) ?? debounce(previewDelayMs);
      previews.set(prop.name, preview);
      preview.request(ask);
    },
    submit() {
      const { state } = page;
      if (state.phase !== 'editing') return;
      if (isReloading(state)) return page.update((now) => ({ ...now, submitNext: true }));
      if (state.view === 'json') {
        if (state.json.problem !== null) return page.focus('#json');
        editor.commitJson();
      }
      // A password field that has the focus has not reported its text yet.
      takeOpenSecrets(editor, page);
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
        hostProblems: {},
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
      // A secret must not stay readable in the document.
      page.update((state) => ({
        ...state,
        json: { text: toJson(props, state.values), problem: null },
      }));
      for (const prop of props) {
        if (prop.type === '$.interface.timer') editor.preview(prop);
        if (prop.reloadProps === true) editor.commit(prop);
      }
    },
  };
  return editor;
}

/** Sends what is typed in password fields to the host. */
function takeOpenSecrets(editor: FormEditor, page: Page): void {
  for (const prop of page.state.props.filter(({ secret }) => secret === true)) {
    const field = document.querySelector(`#${idOf(page.state, prop)}`);
    if (field instanceof HTMLInputElement && field.value !== '') editor.secret(prop, field.value);
  }
}

/** Shows the problem of each of these fields, and focuses the first. */
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
