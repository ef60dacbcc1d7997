import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { own } from '../../../protocol/own.ts';
import { icon } from '../../shared/icons.ts';
import { listDraft, objectDraft, type ObjectRows, pairs } from '../row-drafts.ts';
import { baseType, labelOf, parsed } from '../values.ts';
import { framed, type Field } from './field.ts';
import { jsonOr, jsonText, textIn } from './text.ts';

/** A list of typed values, one line each. */
export function listField(field: Field): TemplateResult {
  const { prop, editor, state, value, id } = field;
  const rows = listDraft(own(state.drafts, prop.name), value);
  const set = (next: readonly string[]): void => {
    const given = next.filter((text) => text.trim() !== '');
    const items = given.map((text) => parsed(baseType(prop), text));
    editor.draft(prop, next, items.length === 0 ? undefined : items);
  };
  const label = labelOf(prop);
  const control = html`<div class="rows">
    ${rows.map(
      (text, at) =>
        html`<div class="row">
          <input
            type="text"
            id=${at === 0 ? id : `${id}-${at}`}
            spellcheck="false"
            autocomplete="off"
            aria-label="${label}, value ${at + 1}"
            aria-describedby="${id}-problem"
            aria-invalid=${at === 0 && field.problem !== undefined}
            .value=${live(text)}
            @input=${(event: InputEvent) => set(rows.with(at, textIn(event)))}
            @change=${() => editor.commit(prop)}
          />
          ${removeButton(`Remove value ${at + 1}`, (event) => {
            set(rows.length === 1 ? [''] : rows.toSpliced(at, 1));
            editor.commit(prop);
            if (at === rows.length - 1) focusLast(event);
          })}
        </div>`,
    )}
    ${addButton('Add value', (event) => {
      set([...rows, '']);
      focusLast(event);
    })}
  </div>`;
  return framed(field, control, { group: true });
}

/** An object as keys and texts, or as JSON where its values are not all texts. */
export function objectField(field: Field): TemplateResult {
  const { prop, state, value } = field;
  const draft = objectDraft(own(state.drafts, prop.name), value);
  return framed(
    field,
    draft.mode === 'rows' ? objectRows(field, draft.rows) : objectJson(field, draft.text),
    { group: true },
  );
}

function objectRows(field: Field, rows: ObjectRows): TemplateResult {
  const { prop, editor, id } = field;
  const set = (next: ObjectRows): void => {
    const object = pairs(next);
    const isEmpty = Object.keys(object).length === 0;
    editor.draft(prop, { mode: 'rows', rows: next }, isEmpty ? undefined : object);
  };
  const cell = (at: number, column: 0 | 1): TemplateResult => {
    const row = rows[at] ?? ['', ''];
    return html`<input
      type="text"
      id=${at === 0 && column === 0 ? id : `${id}-${at}-${column}`}
      placeholder=${column === 0 ? 'Key' : 'Value'}
      aria-label="${labelOf(prop)}, ${column === 0 ? 'key' : 'value'} ${at + 1}"
      aria-describedby="${id}-problem"
      aria-invalid=${at === 0 && field.problem !== undefined}
      spellcheck="false"
      autocomplete="off"
      .value=${live(row[column])}
      @input=${(event: InputEvent) => {
        const text = textIn(event);
        set(rows.with(at, column === 0 ? [text, row[1]] : [row[0], text]));
      }}
      @change=${() => editor.commit(prop)}
    />`;
  };
  return html`<div class="rows">
    ${rows.map(
      (_, at) =>
        html`<div class="row pair">
          ${cell(at, 0)}${cell(at, 1)}
          ${removeButton(`Remove pair ${at + 1}`, (event) => {
            set(rows.length === 1 ? [['', '']] : rows.toSpliced(at, 1));
            editor.commit(prop);
            if (at === rows.length - 1) focusLast(event);
          })}
        </div>`,
    )}
    <div class="row">
      ${addButton('Add pair', (event) => {
        set([...rows, ['', '']]);
        focusLast(event);
      })}
      <button
        type="button"
        class="link"
        aria-describedby="${id}-label"
        @click=${() => editor.draft(prop, { mode: 'json', text: jsonText(field.value) }, field.value)}
      >
        Edit as JSON
      </button>
    </div>
  </div>`;
}

function objectJson(field: Field, text: string): TemplateResult {
  const { prop, editor, id, value } = field;
  const back = objectDraft(undefined, value);
  return html`<div class="rows">
    <textarea
      id=${id}
      class="code"
      rows="3"
      spellcheck="false"
      aria-label="${labelOf(prop)}, as JSON"
      aria-describedby="${id}-problem"
      aria-invalid=${field.problem !== undefined}
      .value=${live(text)}
      @input=${(event: InputEvent) => {
        const typed = textIn(event);
        const next = typed.trim() === '' ? undefined : jsonOr(typed);
        editor.draft(prop, { mode: 'json', text: typed }, next);
      }}
      @change=${() => editor.commit(prop)}
    ></textarea>
    ${
      back.mode === 'rows'
        ? html`<button
            type="button"
            class="link"
            aria-describedby="${id}-label"
            @click=${() => editor.draft(prop, back, value)}
          >
            Edit as keys and values
          </button>`
        : nothing
    }
  </div>`;
}

function removeButton(label: string, act: (event: Event) => void): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    aria-label=${label}
    title=${label}
    @click=${act}
  >
    ${icon('close')}
  </button>`;
}

function addButton(label: string, act: (event: Event) => void): TemplateResult {
  return html`<button type="button" class="link" @click=${act}>${icon('add')} ${label}</button>`;
}

/** Focuses the first field of the last row, once the new rows are rendered. */
function focusLast(event: Event): void {
  const { currentTarget } = event;
  const rows = currentTarget instanceof Element ? currentTarget.closest('.rows') : null;
  setTimeout(() => {
    const all = rows?.querySelectorAll<HTMLElement>('.row:has(.icon-button)');
    const last = all?.item(all.length - 1);
    last?.querySelector<HTMLElement>('input')?.focus();
  });
}
