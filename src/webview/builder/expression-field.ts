import { html, nothing } from 'lit-html';
import { framed, type Expressions } from '../prop-form/fields/field.ts';
import { textIn } from '../prop-form/fields/text.ts';
import { holdsExpression, labelOf, textOf } from '../prop-form/values.ts';
import type { ConfigurableProp } from '../../protocol/definition.ts';
import { createDataPicker, type LastData } from './data-picker.ts';
import type { MountedForm } from './mounted-form.ts';

/**
 * Fields whose value is fixed or an expression, which may be picked from what the last execution had.
 * @param fits which fields may have one; all when left out
 */
export function expressionsFor(
  builder: { readonly data: LastData | undefined },
  form: MountedForm,
  show: () => void,
  fits?: (prop: ConfigurableProp) => boolean,
): Expressions {
  const chosen = new Map<string, boolean>();
  /** By field: the value that the other way had. */
  const others = new Map<string, unknown>();
  const picker = createDataPicker(builder, show);
  const isOn: Expressions['isOn'] = (prop, value) =>
    (fits?.(prop) ?? true) && (chosen.get(prop.name) ?? holdsExpression(value));
  return {
    ...(fits !== undefined && { fits }),
    isOn,
    toggle(prop, value) {
      const on = !isOn(prop, value);
      const other = others.get(prop.name);
      others.set(prop.name, value);
      chosen.set(prop.name, on);
      form.set(prop, on ? (other ?? (textOf(value) || undefined)) : other);
      show();
    },
    field(field) {
      const { prop, value, id } = field;
      const last = builder.data?.given?.[prop.name];
      const control = html`<textarea
          id=${id}
          class="code"
          rows="1"
          spellcheck="false"
          placeholder="{{steps.trigger.event}}"
          aria-describedby=${field.describedBy}
          .value=${textOf(value)}
          @input=${(event: InputEvent) => {
            // It stays the field of an expression while one is typed, from the first brace.
            chosen.set(prop.name, true);
            field.editor.change(prop, textIn(event) || undefined);
          }}
          @change=${() => field.editor.commit(prop)}
        ></textarea>
        <div class="row">
          ${picker.button(prop.name, labelOf(prop))}
          ${last === undefined ? nothing : html`<span class="hint">Last: <code>${textOf(last).slice(0, 200)}</code></span>`}
        </div>
        ${picker.tree(prop.name, (path) => form.set(prop, `${textOf(value)}{{${path}}}`))}`;
      return framed(field, control);
    },
  };
}
