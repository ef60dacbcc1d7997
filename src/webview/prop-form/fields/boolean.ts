import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { framed, type Field } from './field.ts';

interface Answer {
  readonly label: string;
  readonly value: boolean | undefined;
}

const answers: readonly Answer[] = [
  { label: 'True', value: true },
  { label: 'False', value: false },
];

/** Radio buttons instead of a check box: one that is not ticked could mean false or not set. */
export function booleanField(field: Field): TemplateResult {
  const { prop, value, editor, id } = field;
  const choices = field.required ? answers : [...answers, { label: 'Not set', value: undefined }];
  const control = html`<div class="row">
    ${choices.map(
      (choice, at) =>
        html`<label class="radio">
          <input
            type="radio"
            name=${id}
            id=${at === 0 ? id : `${id}-${at}`}
            aria-describedby="${id}-problem"
            .checked=${live(value === choice.value)}
            @change=${() => editor.choose(prop, choice.value)}
          />
          ${choice.label}
        </label>`,
    )}
  </div>`;
  return framed(field, control, { group: true });
}
