import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { type ConfigurableProp, isAsked } from '../../protocol/definition.ts';
import { icon } from '../shared/icons.ts';
import { markdown } from '../shared/markdown.ts';
import { control } from './fields/control.ts';
import type { Drawing } from './fields/field.ts';
import { textIn } from './fields/text.ts';
import { isReloading, type FormState } from './state.ts';
import { isSet, valueOf } from './values.ts';

/** Where the fields end and the button begins is the reader's concern: see footer.ts. */
export function formView(drawing: Drawing): TemplateResult {
  const { state } = drawing;
  const isBusy = state.phase === 'submitting';
  return html`<form class="body" @submit=${(event: Event) => event.preventDefault()}>
    ${header(drawing, isBusy)}
    <div class="fields" aria-busy=${isBusy || isReloading(state)}>
      ${state.view === 'json' ? jsonDocument(drawing) : fields(drawing)}
      ${
        isReloading(state)
          ? html`<p class="status" role="status">${icon('loading')} Updating the fields…</p>`
          : nothing
      }
    </div>
  </form>`;
}

function header({ state, editing }: Drawing, isBusy: boolean): TemplateResult {
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
        @click=${() => editing.toggleJson()}
      >
        ${isJson ? 'Edit as form' : 'Edit as JSON'}
      </button>
    </div>
    <p class="subject">${form?.about}</p>
    ${form?.description ? markdown(form.description) : nothing}
  </header>`;
}

function fields(drawing: Drawing): TemplateResult {
  const { state } = drawing;
  const optional = state.props.filter(isFolded);
  return html`${all(
    drawing,
    state.props.filter((prop) => !isFolded(prop)),
  )}
  ${optional.length === 0 ? nothing : folded(drawing, optional)}`;
}

/** By name, so that a field keeps its focus while others come and go around it. */
function all(drawing: Drawing, props: readonly ConfigurableProp[]): unknown {
  return repeat(
    props,
    ({ name }) => name,
    (prop) => control(drawing, prop),
  );
}

function folded(drawing: Drawing, props: readonly ConfigurableProp[]): TemplateResult {
  const { state, editing } = drawing;
  // The browser tells of a toggle later, and whatever is drawn until then would take it back. Its own
  // word counts where it opens the part itself, for a text that is searched.
  const toggle = (event: Event): void => {
    event.preventDefault();
    editing.fold(!state.optionalOpen);
  };
  const set = props.filter((prop) => isSet(valueOf(prop, state.values))).length;
  const count = props.length === 1 ? '1 optional field' : `${props.length} optional fields`;
  return html`<details
    ?open=${live(state.optionalOpen)}
    @toggle=${(event: Event) => editing.fold(isOpen(event))}
  >
    <summary @click=${toggle}>
      ${icon('chevronRight')}
      ${count}${set > 0 ? html`<span class="hint"> · ${set} set</span>` : nothing}
    </summary>
    <div class="optional">${all(drawing, props)}</div>
  </details>`;
}

function isOpen({ target }: Event): boolean {
  return target instanceof HTMLDetailsElement && target.open;
}

function isFolded(prop: ConfigurableProp): boolean {
  return isAsked(prop) && prop.optional === true;
}

function jsonDocument({ state, editing }: Drawing): TemplateResult {
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
      @input=${(event: InputEvent) => editing.typeJson(textIn(event))}
      @change=${() => editing.commitJson()}
    ></textarea>
    <div class="problem" id="json-problem">
      ${problem === null ? nothing : html`${icon('error')}<span>${problem}</span>`}
    </div>
  </div>`;
}

/** Before there is a form, or instead of it. */
export function noForm(state: FormState, retry: () => void): TemplateResult {
  if (state.phase === 'unavailable') {
    return html`<div class="body">
      <h1>The form cannot be shown</h1>
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
