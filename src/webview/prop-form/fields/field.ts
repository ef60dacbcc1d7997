import { html, nothing, type TemplateResult } from 'lit-html';
import type { ConfigurableProp } from '../../../protocol/definition.ts';
import { icon } from '../../shared/icons.ts';
import { markdown } from '../../shared/markdown.ts';
import type { AccountEditor } from '../account-editor.ts';
import type { OptionPicker } from '../option-picker.ts';
import type { FormEditor } from '../form-editor.ts';
import type { PageMessage } from '../messages.ts';
import { idOf } from '../page.ts';
import { shownProblem, type FormState } from '../state.ts';
import { labelOf, valueOf } from '../values.ts';

/** How a form deals with values that are expressions. */
export interface Expressions {
  /** Whether the prop may have one; every prop may when left out. */
  fits?(prop: ConfigurableProp): boolean;
  /** Whether the prop has one now, or is about to. */
  isOn(prop: ConfigurableProp, value: unknown): boolean;
  toggle(prop: ConfigurableProp, value: unknown): void;
  /** The control for one. */
  field(field: Field): TemplateResult;
}

/** What the form is rendered from, and what its controls trigger. */
export interface FormContext {
  /** Where values may be expressions. */
  readonly expressions?: Expressions | undefined;
  readonly state: FormState;
  readonly editor: FormEditor;
  readonly picker: OptionPicker;
  readonly accounts: AccountEditor;
  readonly post: (message: PageMessage) => void;
}

/** One prop, with everything its control is rendered from. */
export interface Field extends FormContext {
  readonly prop: ConfigurableProp;
  readonly value: unknown;
  /** Of the control; the ids of other elements are derived from it. */
  readonly id: string;
  /** The problem of the value, if it is to be shown already. */
  readonly problem: string | undefined;
  /** For `aria-describedby`. */
  readonly describedBy: string;
  readonly required: boolean;
}

export function fieldOf(context: FormContext, prop: ConfigurableProp): Field {
  const id = idOf(context.state, prop);
  return {
    ...context,
    prop,
    value: valueOf(prop, context.state.values),
    id,
    problem: shownProblem(context.state, prop),
    describedBy: `${id}-about ${id}-problem`,
    required: prop.optional !== true,
  };
}

/**
 * The frame around a control: label, description, control, problem.
 * @param hint one line of our own, such as the bounds of a number
 * @param group several controls under one label
 */
export function framed(
  field: Field,
  control: TemplateResult,
  { hint, group = false }: { readonly hint?: string | undefined; readonly group?: boolean } = {},
): TemplateResult {
  const { id, prop, problem, state } = field;
  const isReloading = state.reload?.prop === prop.name;
  const head = html`${labelOf(prop)}${isReloading ? html` ${icon('loading')}` : nothing}`;
  return html`<div
    class="field ${problem === undefined ? '' : 'wrong'}"
    data-prop=${prop.name}
    ?inert=${isLocked(field)}
    role=${group ? 'group' : nothing}
    aria-labelledby=${group ? `${id}-label` : nothing}
    aria-describedby=${group ? field.describedBy : nothing}
  >
    ${
      group
        ? html`<span class="label" id="${id}-label" title=${prop.name}>${head}</span>`
        : html`<label class="label" id="${id}-label" for=${id} title=${prop.name}>${head}</label>`
    }${expressionButton(field)}
    <div class="about" id="${id}-about">
      ${prop.description === undefined ? nothing : markdown(prop.description)}
      ${hint === undefined ? nothing : html`<p class="hint">${hint}</p>`}
    </div>
    ${control}
    <div class="problem" id="${id}-problem">
      ${problem === undefined ? nothing : html`${icon('error')}<span>${problem}</span>`}
    </div>
  </div>`;
}

function expressionButton({ expressions, prop, value }: Field): TemplateResult | typeof nothing {
  if (expressions === undefined || prop.type === 'app') return nothing;
  if (expressions.fits?.(prop) === false) return nothing;
  const isOn = expressions.isOn(prop, value);
  return html`<button
    type="button"
    class="fx"
    aria-label="Expression for ${labelOf(prop)}"
    title=${isOn ? 'Give a fixed value' : 'Write an expression'}
    aria-pressed=${isOn}
    @click=${() => expressions.toggle(prop, value)}
  >
    {{ }}
  </button>`;
}

/** Nothing can be changed during the submission; but an address may be copied then. */
function isLocked({ state, prop }: Field): boolean {
  return state.phase === 'submitting' && !/^\$\.interface\.(http|apphook)$/.test(prop.type);
}
