import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import { isKept } from '../values.ts';
import { baseType, labelOf, parsed, textOf } from '../values.ts';
import { framed, type Field } from './field.ts';

/** A text of any length: the field grows with its lines. */
export function textField(field: Field): TemplateResult {
  const { prop, value, editor } = field;
  const hint = prop['format'] === 'file-ref' ? 'A URL, or a path below /tmp.' : undefined;
  const control = html`<textarea
    id=${field.id}
    rows="1"
    spellcheck="false"
    aria-describedby=${field.describedBy}
    aria-invalid=${field.problem !== undefined}
    aria-required=${field.required}
    .value=${live(textOf(value))}
    @input=${(event: InputEvent) => editor.change(prop, textIn(event) || undefined)}
    @change=${() => editor.commit(prop)}
  ></textarea>`;
  return framed(field, control, { hint });
}

export function numberField(field: Field): TemplateResult {
  const { prop, value, editor } = field;
  const control = html`<input
    id=${field.id}
    class="number"
    type="text"
    inputmode="decimal"
    autocomplete="off"
    aria-describedby=${field.describedBy}
    aria-invalid=${field.problem !== undefined}
    aria-required=${field.required}
    .value=${live(textOf(value))}
    @input=${(event: InputEvent) => {
      const text = textIn(event);
      editor.change(prop, text === '' ? undefined : parsed(baseType(prop), text));
    }}
    @change=${() => editor.commit(prop)}
  />`;
  return framed(field, control, { hint: boundsOf(prop.min, prop.max) });
}

/** A secret is never in the page once it is set: only the fact that it is. */
export function secretField(field: Field): TemplateResult {
  const { prop, value, editor, state } = field;
  if (isKept(value) && !state.replacing.has(prop.name)) {
    const control = html`<div class="row">
      <span class="set"
        >${icon('key')}<span aria-hidden="true">••••••••</span><span>Set</span></span
      >
      <button
        id=${field.id}
        type="button"
        class="secondary"
        aria-label="Replace ${labelOf(prop)}"
        aria-describedby=${field.describedBy}
        @click=${() => editor.replaceSecret(prop)}
      >
        Replace
      </button>
      ${
        field.required
          ? nothing
          : html`<button
              type="button"
              class="secondary"
              aria-label="Remove ${labelOf(prop)}"
              @click=${() => editor.removeSecret(prop)}
            >
              Remove
            </button>`
      }
    </div>`;
    return framed(field, control);
  }
  const control = html`<input
    id=${field.id}
    type="password"
    autocomplete="off"
    spellcheck="false"
    aria-describedby=${field.describedBy}
    aria-invalid=${field.problem !== undefined}
    aria-required=${field.required}
    @change=${(event: Event) => {
      const text = textIn(event);
      if (text === '') editor.commit(prop);
      else editor.secret(prop, text);
    }}
  />`;
  return framed(field, control, { hint: 'Stored encrypted, and never shown again.' });
}

/** A text that has to be JSON, or for the type `any` may be. */
export function jsonField(field: Field): TemplateResult {
  const { prop, editor, state, value } = field;
  const isFree = prop.type === 'any';
  const draft = own(state.drafts, prop.name);
  const text = typeof draft === 'string' ? draft : jsonText(value);
  const control = html`<textarea
    id=${field.id}
    class="code"
    rows="3"
    spellcheck="false"
    aria-describedby=${field.describedBy}
    aria-invalid=${field.problem !== undefined}
    aria-required=${field.required}
    .value=${live(text)}
    @input=${(event: InputEvent) => {
      const typed = textIn(event);
      editor.draft(prop, typed, typed.trim() === '' ? undefined : jsonOr(typed));
    }}
    @change=${() => editor.commit(prop)}
  ></textarea>`;
  return framed(field, control, { hint: isFree ? 'JSON, or plain text.' : 'A JSON object.' });
}

export function textIn(event: Event): string {
  const { target } = event;
  return target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
    ? target.value
    : '';
}

export function jsonText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function boundsOf(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `From ${min} to ${max}.`;
  if (min !== undefined) return `${min} or more.`;
  return max === undefined ? undefined : `${max} or less.`;
}
