import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { textIn } from '../prop-form/fields/text.ts';
import { textOf } from '../prop-form/values.ts';
import { icon } from '../shared/icons.ts';
import type { Builder } from './builder-state.ts';
import type { Control, Path } from './messages.ts';
import {
  canShow,
  conditionKind,
  conditionKinds,
  converted,
  operand,
  type ConditionKind,
} from './rules.ts';
import { rulesGroup } from './rules-view.ts';

const words: Readonly<Record<ConditionKind, string>> = {
  rules: 'When rules are met',
  expression: 'When an expression is true',
  value: 'When the value is',
  always: 'Always',
  never: 'Never',
  json: 'As JSON',
};

/** When a branch runs, as a person chooses and types it. @param path of the branch */
export function conditionView(
  b: Builder,
  path: Path,
  when: unknown,
  control: Control,
): TemplateResult {
  const at = [...path, 'when'];
  const kind = b.conditionKinds.get(JSON.stringify(at)) ?? conditionKind(when, control);
  const id = `condition-${path.join('-')}`;
  return html`<div class="field condition">
    <label class="label" for=${id}>When it runs</label>
    <select
      id=${id}
      @change=${(event: Event) => choose(b, at, when, textIn(event) as ConditionKind, control)}
    >
      ${conditionKinds(control).map(
        (one) => html`<option value=${one} .selected=${live(one === kind)}>${words[one]}</option>`,
      )}
    </select>
    ${body(b, at, when, kind, control)}
  </div>`;
}

function choose(b: Builder, at: Path, when: unknown, to: ConditionKind, control: Control): void {
  const key = JSON.stringify(at);
  const from = b.conditionKinds.get(key) ?? conditionKind(when, control);
  if (from === to) return;
  b.drafts.flush();
  b.remembered.set(`${key} ${from}`, when);
  if (to === 'json') b.conditionKinds.set(key, 'json');
  else b.conditionKinds.delete(key);
  // The value may be shown as it is: the text of rules, or rules that were written as text.
  const stays = to === 'json' || conditionKind(when, control) === to;
  const value = b.remembered.get(`${key} ${to}`) ?? converted(when, to, control);
  if (!stays) b.send({ t: 'change', changes: [{ path: at, value }] });
  b.show();
}

function body(
  b: Builder,
  at: Path,
  when: unknown,
  kind: ConditionKind,
  control: Control,
): TemplateResult | typeof nothing {
  const key = JSON.stringify(at);
  const set = (value: unknown): void => b.send({ t: 'change', changes: [{ path: at, value }] });
  switch (kind) {
    case 'always':
    case 'never':
      return nothing;
    case 'rules':
      return canShow(when) ? rulesGroup(b, at, when, control) : jsonView(b, at, when);
    case 'json':
      return jsonView(b, at, when);
    case 'expression':
    case 'value': {
      const text = textOf(when);
      const label = kind === 'value' ? 'Value' : 'Expression';
      const hint =
        kind === 'value'
          ? 'Compared as text with what the switch compares; an expression in {{ }} works, too.'
          : undefined;
      return html`<textarea
          class="code"
          rows="1"
          spellcheck="false"
          aria-label=${label}
          placeholder=${kind === 'value' ? '' : '{{steps.trigger.event.body.amount > 100}}'}
          .value=${live(b.drafts.shown(at, text))}
          @input=${(event: InputEvent) => {
            const typed = textIn(event);
            b.drafts.type(at, typed, () =>
              set(kind === 'value' ? operand(typed, '', when) : typed),
            );
          }}
          @change=${() => b.drafts.leave(at)}
        ></textarea>
        ${hint === undefined ? nothing : html`<p class="hint">${hint}</p>`}
        <div class="row">${b.picker.button(key, label)}</div>
        ${b.picker.tree(key, (path) => set(`${kind === 'value' ? '' : text}{{${path}}}`))}`;
    }
    default:
      return kind satisfies never;
  }
}

/** A filter's rules, and what happens to the execution if they are met. @param path of the step */
export function filterView(b: Builder, path: Path, filter: unknown): TemplateResult {
  const at = [...path, 'props', '_filter'];
  const parts = (typeof filter === 'object' && filter !== null ? filter : {}) as {
    readonly continue?: unknown;
    readonly rules?: unknown;
  };
  if (!canShow(parts.rules)) return html`<div class="field">${jsonView(b, at, filter)}</div>`;
  const goesOn = parts.continue !== 'false' && parts.continue !== false;
  const id = `filter-${path.join('-')}`;
  return html`<div class="field condition">
    <label class="label" for=${id}>Filter</label>
    <select
      id=${id}
      @change=${(event: Event) => b.send({ t: 'change', changes: [{ path: [...at, 'continue'], value: textIn(event) }] })}
    >
      <option value="true" .selected=${live(goesOn)}>Go on when the rules are met</option>
      <option value="false" .selected=${live(!goesOn)}>End when the rules are met</option>
    </select>
    ${rulesGroup(b, [...at, 'rules'], parts.rules, 'filter')}
  </div>`;
}

/** The value as JSON, so that nothing in it is lost; invalid JSON is not written. */
function jsonView(b: Builder, at: Path, value: unknown): TemplateResult {
  const shown = b.drafts.shown(at, JSON.stringify(value ?? null, null, 2));
  const parsed = jsonIn(shown);
  return html`<textarea
      class="code"
      rows="4"
      spellcheck="false"
      aria-label="As JSON"
      aria-invalid=${parsed === undefined}
      .value=${live(shown)}
      @input=${(event: InputEvent) => {
        const typed = textIn(event);
        const read = jsonIn(typed);
        b.drafts.type(
          at,
          typed,
          read && (() => b.send({ t: 'change', changes: [{ path: at, value: read.value }] })),
        );
        b.show();
      }}
      @change=${() => b.drafts.leave(at)}
    ></textarea>
    ${
      parsed === undefined
        ? html`<p class="problem" role="alert">
            ${icon('error')}<span>This is not JSON yet; the file keeps what it had.</span>
          </p>`
        : nothing
    }`;
}

function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
