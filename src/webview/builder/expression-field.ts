import { html, nothing } from 'lit-html';
import { framed, type Expressions } from '../prop-form/fields/field.ts';
import { textIn } from '../prop-form/fields/text.ts';
import { holdsExpression, textOf } from '../prop-form/values.ts';
import { startTree, type TreeState } from '../shared/json-rows.ts';
import { jsonTree } from '../shared/json-tree.ts';
import type { Values } from './messages.ts';
import type { MountedForm } from './mounted-form.ts';

/** What the newest execution has for a step: what it can read, and what it was given. */
export interface LastData {
  readonly steps: Values;
  readonly given: Values | null;
}

/** Fields whose value is fixed or an expression, which may be picked from what the last execution had. */
export function expressionsFor(
  builder: { readonly data: LastData | undefined },
  form: MountedForm,
  show: () => void,
): Expressions {
  const chosen = new Map<string, boolean>();
  /** By field: the value that the other way had. */
  const others = new Map<string, unknown>();
  let picking: { readonly prop: string; tree: TreeState } | undefined;
  const isOn: Expressions['isOn'] = (prop, value) =>
    chosen.get(prop.name) ?? holdsExpression(value);
  return {
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
      const open = picking?.prop === prop.name ? picking : undefined;
      const control = html`<textarea
          id=${id}
          class="code"
          rows="1"
          spellcheck="false"
          placeholder="{{steps.trigger.event}}"
          aria-describedby=${field.describedBy}
          .value=${textOf(value)}
          @input=${(event: InputEvent) => field.editor.change(prop, textIn(event) || undefined)}
          @change=${() => field.editor.commit(prop)}
        ></textarea>
        <div class="row">
          ${
            builder.data === undefined
              ? html`<span class="hint">Run it once to choose from what it had.</span>`
              : html`<button
                  type="button"
                  class="link"
                  aria-expanded=${open !== undefined}
                  @click=${() => {
                    picking =
                      open === undefined
                        ? { prop: prop.name, tree: startTree(builder.data?.steps ?? {}) }
                        : undefined;
                    show();
                  }}
                >
                  Choose from the last execution
                </button>`
          }
          ${last === undefined ? nothing : html`<span class="hint">Last: <code>${textOf(last).slice(0, 200)}</code></span>`}
        </div>
        ${
          open === undefined
            ? nothing
            : jsonTree(open.tree, {
                label: 'What the last execution had',
                root: 'steps',
                change: (tree) => {
                  open.tree = tree;
                  show();
                },
                copy: (text) => void navigator.clipboard.writeText(text),
                use: (path) => {
                  picking = undefined;
                  form.set(prop, `${textOf(value)}{{${path}}}`);
                },
              })
        }`;
      return framed(field, control);
    },
  };
}
