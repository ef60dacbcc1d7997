import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../shared/icons.ts';
import { textOf } from '../prop-form/values.ts';
import type { Builder } from './builder-state.ts';
import { conditionView, filterView } from './condition-editor.ts';
import type { Control, Path, Values } from './messages.ts';
import { valueAt } from './own-fields.ts';

/** The fields of what is unfolded. */
export function detailsView(b: Builder): TemplateResult {
  const path = b.open === null ? [] : (JSON.parse(b.open) as Path);
  const thing = valueAt(b.model?.values, path) as Values | undefined;
  const filter = valueAt(thing, ['props', '_filter']);
  return html`<div class="details">
    ${path.at(-2) === 'branches' ? branchCondition(b, path, thing) : nothing}
    ${path.at(-2) === 'steps' && filter !== undefined ? filterView(b, path, filter) : nothing}
    ${b.props === undefined ? nothing : html`<div id="step-form" role="group" aria-label="Props">${b.props.view()}</div>`}
    ${b.props === undefined ? nothing : addProp(b, path)}
    ${b.own === undefined ? nothing : html`<div id="own-form" role="group" aria-label="Settings">${b.own.view()}</div>`}
  </div>`;
}

function branchCondition(b: Builder, path: Path, branch: Values | undefined): TemplateResult {
  const control = valueAt(b.model?.values, [...path.slice(0, -2), 'control']);
  return conditionView(b, path, branch?.['when'], textOf(control) as Control);
}

/** A prop that the code reads although it does not name it: scripts name none. */
function addProp(b: Builder, path: Path): TemplateResult {
  const add = (): void => {
    const input = document.getElementById('new-prop');
    const name = input instanceof HTMLInputElement ? input.value.trim() : '';
    const given = valueAt(b.model?.values, [...path, 'props']);
    if (name === '' || valueAt(given, [name]) !== undefined || !(input instanceof HTMLInputElement))
      return;
    input.value = '';
    b.addProp(name);
  };
  return html`<div class="row add-prop">
    <input
      id="new-prop"
      type="text"
      spellcheck="false"
      autocomplete="off"
      aria-label="Name of another prop"
      placeholder="another prop"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter') add();
      }}
    />
    <button type="button" class="link" @click=${add}>${icon('add')} Add prop</button>
  </div>`;
}
