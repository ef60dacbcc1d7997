import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { icon } from '../shared/icons.ts';
import { markdown } from '../shared/markdown.ts';
import { control } from './fields/control.ts';
import type { FormContext } from './fields/field.ts';
import { textIn } from './fields/text.ts';
import { isReloading, type FormState } from './state.ts';
import { isSet, valueOf } from './values.ts';

/** The form without its footer (footer.ts). */
export function formView(context: FormContext): TemplateResult {
  const { state } = context;
  const isBusy = state.phase === 'submitting';
  return html`<form class="body" @submit=${(event: Event) => event.preventDefault()}>
    ${header(context, isBusy)}
    <div class="fields" aria-busy=${isBusy || isReloading(state)}>
      ${state.view === 'json' ? jsonDocument(context) : fields(context)}
      ${
        isReloading(state)
          ? html`<p class="status" role="status">${icon('loading')} Updating the fields…</p>`
          : nothing
      }
    </div>
  </form>`;
}

function header({ state, editor }: FormContext, isBusy: boolean): TemplateResult {
  const { form } = state;
  const isJson = state.view === 'json';
  return html`<header>
    <div class="row spread">
      <h1>${form?.heading}</h1>
      <button
        type="button"
        id="view"
        class="secondary"
        ?disabled=${isBusy}
        @click=${() => editor.toggleJson()}
      >
        ${isJson ? 'Edit as form' : 'Edit as JSON'}
      </button>
    </div>
    <p class="subject">${form?.about}</p>
    ${form?.description ? markdown(form.description) : nothing}
  </header>`;
}

/** Its fields alone. */
export function fields(context: FormContext): TemplateResult {
  const { state } = context;
  const optional = state.props.filter(isFolded);
  return html`${all(
    context,
    state.props.filter((prop) => !isFolded(prop)),
  )}
  ${optional.length === 0 ? nothing : folded(context, optional)}`;
}

/** Keyed by name, so that a field keeps the focus while others appear and disappear around it. */
function all(context: FormContext, props: readonly ConfigurableProp[]): unknown {
  return repeat(
    props,
    ({ name }) => name,
    (prop) => control(context, prop),
  );
}

function folded(context: FormContext, props: readonly ConfigurableProp[]): TemplateResult {
  const { state, editor } = context;
  // The browser reports a toggle late, and rendering in between would undo it, so clicks are handled
  // here. The toggle event is for the browser opening the part by itself, to show a search result.
  const toggle = (event: Event): void => {
    event.preventDefault();
    editor.fold(!state.optionalOpen);
  };
  const set = props.filter((prop) => isSet(valueOf(prop, state.values))).length;
  const count = props.length === 1 ? '1 optional field' : `${props.length} optional fields`;
  return html`<details
    ?open=${live(state.optionalOpen)}
    @toggle=${(event: Event) => editor.fold(isOpen(event))}
  >
    <summary @click=${toggle}>
      ${icon('chevronRight')}
      ${count}${set > 0 ? html`<span class="hint"> · ${set} set</span>` : nothing}
    </summary>
    <div class="optional">${all(context, props)}</div>
  </details>`;
}

function isOpen({ target }: Event): boolean {
  return target instanceof HTMLDetailsElement && target.open;
}

function isFolded(prop: ConfigurableProp): boolean {
  return isAsked(prop) && prop.optional === true;
}

function jsonDocument({ state, editor }: FormContext): TemplateResult {
  const { text, problem } = state.json;
  return html`<div
    class="field ${problem === null ? '' : 'wrong'}"
    ?inert=${state.phase === 'submitting'}
  >
    <label class="label" for="json">Configured props</label>
    <div class="about" id="json-about">
      <p class="hint">
        The same values as in the form. A secret that is set shows as <code>{"secret": true}</code>;
        write a text in its place to replace it.
      </p>
    </div>
    <textarea
      id="json"
      class="code document"
      spellcheck="false"
      aria-describedby="json-about json-problem"
      aria-invalid=${problem !== null}
      .value=${live(text)}
      @input=${(event: InputEvent) => editor.typeJson(textIn(event))}
      @change=${() => editor.commitJson()}
    ></textarea>
    <div class="problem" id="json-problem">
      ${problem === null ? nothing : html`${icon('error')}<span>${problem}</span>`}
    </div>
  </div>`;
}

/** While the form is loading, or when it cannot be loaded. */
export function noForm(state: FormState, retry: () => void): TemplateResult {
  if (state.phase === 'unavailable') {
    return html`<div class="body">
      <h1>The form could not be loaded</h1>
      <p class="problem" role="alert">${icon('error')}<span>${state.note}</span></p>
      <div class="row">
        <button type="button" class="primary" @click=${retry}>Try again</button>
      </div>
    </div>`;
  }
  return html`<div class="body" aria-busy="true">
    <h1>Opening the form</h1>
    <p class="status" role="status">${icon('loading')} ${state.note || 'Loading'}…</p>
  </div>`;
}
