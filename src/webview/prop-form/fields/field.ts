import { html, nothing, type TemplateResult } from 'lit-html';
import type { ConfigurableProp } from '../../../protocol/definition.ts';
import { icon } from '../../shared/icons.ts';
import { markdown } from '../../shared/markdown.ts';
import type { AddingAccounts } from '../accounts.ts';
import type { Choosing } from '../choosing.ts';
import type { Editing } from '../editing.ts';
import type { PageMessage } from '../messages.ts';
import { idOf } from '../page.ts';
import { shownProblem, type FormState } from '../state.ts';
import { labelOf, valueOf } from '../values.ts';

/** What a control is drawn from, and what it may set off. */
export interface Drawing {
  readonly state: FormState;
  readonly editing: Editing;
  readonly choosing: Choosing;
  readonly accounts: AddingAccounts;
  readonly post: (message: PageMessage) => void;
}

/** One prop on its way to the screen. */
export interface Field extends Drawing {
  readonly prop: ConfigurableProp;
  readonly value: unknown;
  /** Of the control; further ids are made of it. */
  readonly id: string;
  /** What is wrong with the value, when it is time to say so. */
  readonly problem: string | undefined;
  /** For `aria-describedby`. */
  readonly describedBy: string;
  readonly required: boolean;
}

export function fieldOf(drawing: Drawing, prop: ConfigurableProp): Field {
  const id = idOf(drawing.state, prop);
  return {
    ...drawing,
    prop,
    value: valueOf(prop, drawing.state.values),
    id,
    problem: shownProblem(drawing.state, prop),
    describedBy: `${id}-about ${id}-problem`,
    required: prop.optional !== true,
  };
}

/**
 * The frame around a control: label, description, control, what is wrong.
 * @param hint one line in our words, such as the bounds of a number
 * @param group several controls under one label
 */
export function framed(
  field: Field,
  control: TemplateResult,
  { hint, group = false }: { readonly hint?: string | undefined; readonly group?: boolean } = {},
): TemplateResult {
  const { id, prop, problem, state } = field;
  const isAsking = state.reload?.prop === prop.name;
  const head = html`${labelOf(prop)}${isAsking ? html` ${icon('loading')}` : nothing}`;
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
    }
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

/** Nothing changes while it is deployed; an endpoint may be wanted just then. */
function isLocked({ state, prop }: Field): boolean {
  return state.phase === 'submitting' && prop.type !== '$.interface.http';
}
