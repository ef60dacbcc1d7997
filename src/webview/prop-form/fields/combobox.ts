import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import { choicesOf, waitsFor, type Choice } from '../choices.ts';
import type { Popup } from '../state.ts';
import { isList, labelOf, pickedOf, textOf } from '../values.ts';
import { framed, type Field } from './field.ts';
import { textIn } from './text.ts';

/** One or several values of a list, or what is typed instead. */
export function comboboxField(field: Field): TemplateResult {
  const { prop, picker, state, id } = field;
  const popup = state.popup?.prop === prop.name ? state.popup : null;
  const many = isList(prop);
  const picked = pickedOf(field.value);
  const shown = popup?.text ?? (many ? '' : (picked[0]?.label ?? ''));
  const control = html`<div class="combobox">
    ${many ? chips(field) : nothing}
    <div class="combobox-field">
      <input
        id=${id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        placeholder=${placeholderOf(field, picked.length)}
        aria-expanded=${popup !== null}
        aria-controls="${id}-list"
        aria-autocomplete="list"
        aria-activedescendant=${
          popup !== null && popup.active >= 0 ? `${id}-choice-${popup.active}` : nothing
        }
        aria-describedby=${field.describedBy}
        aria-invalid=${field.problem !== undefined}
        aria-required=${field.required}
        .value=${live(shown)}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
        @click=${() => picker.open(prop)}
        @input=${(event: InputEvent) => picker.type(prop, textIn(event))}
        @keydown=${(event: KeyboardEvent) => picker.key(prop, event)}
        @blur=${() => picker.leave(prop)}
      />
      <span class="combobox-arrow">${icon('chevronDown')}</span>
    </div>
    ${list(field, popup)}
  </div>`;
  return framed(field, control);
}

function chips({ prop, picker, value }: Field): TemplateResult {
  const picked = pickedOf(value);
  if (picked.length === 0) return html``;
  return html`<ul class="chips" aria-label="Chosen for ${labelOf(prop)}">
    ${picked.map(
      ({ label, value: one }, at) =>
        html`<li class="chip" title=${textOf(one)}>
          <span>${label}</span>
          <button
            type="button"
            class="icon-button"
            aria-label="Remove ${label}"
            @click=${() => picker.remove(prop, at)}
          >
            ${icon('close')}
          </button>
        </li>`,
    )}
  </ul>`;
}

function list(field: Field, popup: Popup | null): TemplateResult {
  const { prop, state, id } = field;
  if (popup === null) return html`<div class="popup" id="${id}-list" hidden></div>`;
  const choices = choicesOf(state, prop, popup);
  const message = status(field, choices);
  // Without options the message comes before what can be done about it; with some, after them.
  const isFirst = !choices.some(({ kind }) => kind === 'option');
  return html`<div class="popup" @mousedown=${(event: Event) => event.preventDefault()}>
    ${isFirst ? message : nothing}
    <ul
      id="${id}-list"
      role="listbox"
      aria-label=${labelOf(prop)}
      aria-multiselectable=${isList(prop) ? 'true' : nothing}
      ?hidden=${choices.length === 0}
    >
      ${choices.map((choice, at) => row(field, choice, at, at === popup.active))}
    </ul>
    ${isFirst ? nothing : message}
  </div>`;
}

function row(field: Field, choice: Choice, at: number, active: boolean): TemplateResult {
  const { prop, picker, id } = field;
  const picked = choice.kind === 'option' && choice.picked;
  return html`<li
    id="${id}-choice-${at}"
    role="option"
    class="choice ${choice.kind} ${active ? 'active' : ''}"
    aria-selected=${picked}
    @click=${() => picker.pick(prop, choice)}
  >
    <span class="tick">${picked ? icon('check') : nothing}</span>
    ${wording(choice)}
  </li>`;
}

function wording(choice: Choice): TemplateResult {
  switch (choice.kind) {
    case 'option': {
      const { label, value } = choice.option;
      const text = textOf(value);
      return html`<span class="choice-label">${label}</span>${
          label === text ? nothing : html`<span class="choice-value">${text}</span>`
        }`;
    }
    case 'typed':
      return html`<span class="choice-label">Use “${choice.option.label}”</span>`;
    case 'more':
      return html`<span class="choice-label">Load more…</span>`;
    case 'retry':
      return html`<span class="choice-label">Try again</span>`;
    case 'anyway':
      return html`<span class="choice-label">Load them anyway</span>`;
    default:
      return choice satisfies never;
  }
}

function status(field: Field, choices: readonly Choice[]): TemplateResult {
  const { prop, state } = field;
  const listed = own(state.lists, prop.name);
  if (prop.remoteOptions === true) {
    if (listed === undefined) {
      const first = waitsFor(state, prop);
      return first === undefined ? html`` : html`<p class="status">Choose ${first} first.</p>`;
    }
    if (listed.request !== null) {
      return html`<p class="status">${icon('loading')} Loading options…</p>`;
    }
    if (listed.problem !== null) {
      return html`<p class="status problem">${icon('error')}<span>${listed.problem}</span></p>`;
    }
  }
  return choices.length === 0
    ? html`<p class="status">No options. You can type any value.</p>`
    : html``;
}

function placeholderOf({ prop }: Field, picked: number): string {
  if (isList(prop) && picked > 0) return 'Add another';
  return prop.useQuery === true ? 'Search, or type a value' : 'Choose, or type a value';
}
