import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { isGroup } from '../../protocol/rule-operators.ts';
import type { Rule, Rules } from '../../protocol/workflow.ts';
import { textIn } from '../prop-form/fields/text.ts';
import { textOf } from '../prop-form/values.ts';
import { icon } from '../shared/icons.ts';
import type { Builder } from './builder-state.ts';
import type { Path } from './messages.ts';
import {
  braced,
  canonical,
  compares,
  newRule,
  operand,
  operatorGroups,
  type RulesHolder,
} from './rules.ts';

/** Rules and groups of them; each change is one of the text. @param path of the group */
export function rulesGroup(
  b: Builder,
  path: Path,
  rules: Rules,
  holder: RulesHolder,
  remove?: () => void,
): TemplateResult {
  const id = idOf(path);
  const add = (item: Rule | Rules): void => {
    const at = [...path, 'r', rules.r.length];
    b.drafts.flush();
    b.send({ t: 'insert', at, item: { ...item } });
    const field = isGroup(item) ? [...at, 'r', 0] : at;
    b.focusNext(`${idOf(field)}-${holder === 'switch' ? 'op' : 'a'}`);
  };
  return html`<div class="rules" role="group" aria-label="Rules">
    <select
      id="${id}-t"
      aria-label="Which rules have to be met"
      @change=${(event: Event) => b.send({ t: 'change', changes: [{ path: [...path, 't'], value: textIn(event) }] })}
    >
      <option value="and" .selected=${live(rules.t === 'and')}>All of these</option>
      <option value="or" .selected=${live(rules.t === 'or')}>Any of these</option>
    </select>
    ${rules.r.map((entry, index) => {
      const at = [...path, 'r', index];
      const gone = (): void => {
        b.drafts.flush();
        // The later rules move up.
        b.remembered.clear();
        b.send({ t: 'change', changes: [{ path: at }] });
        b.focusNext(`${id}-add`);
      };
      return isGroup(entry)
        ? rulesGroup(b, at, entry, holder, gone)
        : ruleRow(b, at, entry, holder, gone);
    })}
    ${rules.r.length === 0 ? html`<p class="hint">Without a rule it is always met.</p>` : nothing}
    <div class="row">
      <button id="${id}-add" type="button" class="link" @click=${() => add(newRule(holder))}>
        ${icon('add')} Add rule
      </button>
      <button
        type="button"
        class="link"
        @click=${() => add({ t: rules.t === 'and' ? 'or' : 'and', r: [newRule(holder)] })}
      >
        ${icon('add')} Add group
      </button>
      ${
        remove === undefined
          ? nothing
          : html`<button type="button" class="link" @click=${remove}>Delete group</button>`
      }
    </div>
  </div>`;
}

function ruleRow(
  b: Builder,
  path: Path,
  rule: Rule,
  holder: RulesHolder,
  remove: () => void,
): TemplateResult {
  const id = idOf(path);
  const key = JSON.stringify(path);
  const number = Number(path.at(-1)) + 1;
  const set = (side: 'a' | 'b' | 'op', value: unknown): void =>
    b.send({
      t: 'change',
      changes: [{ path: [...path, side], ...(value !== undefined && { value }) }],
    });
  const setField = (text: string): void => set('a', text === '' ? undefined : text);
  const code = canonical(rule.op);
  return html`<div class="rule" role="group" aria-label="Rule ${number}">
    <div class="row operands">
      <input
        id="${id}-a"
        type="text"
        class="code"
        spellcheck="false"
        autocomplete="off"
        aria-label="Value of rule ${number}"
        placeholder=${holder === 'switch' ? 'what the switch compares' : '{{steps.trigger.event.body}}'}
        .value=${live(b.drafts.shown([...path, 'a'], textOf(rule.a)))}
        @input=${(event: InputEvent) => {
          const typed = textIn(event);
          b.drafts.type([...path, 'a'], typed, () => setField(typed));
        }}
        @change=${(event: Event) => {
          const typed = textIn(event);
          const whole = braced(typed);
          if (whole !== typed) b.drafts.type([...path, 'a'], whole, () => setField(whole));
          b.drafts.leave([...path, 'a']);
          b.show();
        }}
      />
      <select
        id="${id}-op"
        aria-label="Operator of rule ${number}"
        @change=${(event: Event) => chooseOperator(b, path, rule, textIn(event))}
      >
        ${code === undefined ? html`<option value=${rule.op} .selected=${live(true)}>${rule.op} (unknown)</option>` : nothing}
        ${operatorGroups.map(
          ({ label, choices }) =>
            html`<optgroup label=${label}>
              ${choices.map(
                (one) =>
                  html`<option value=${one.code} .selected=${live(one.code === code)}>
                    ${one.words}
                  </option>`,
              )}
            </optgroup>`,
        )}
      </select>
      ${compares(rule.op) || rule.b !== undefined ? compared(b, path, rule, number) : nothing}
    </div>
    <div class="row">
      ${b.picker.button(key, `value of rule ${number}`)}
      <button type="button" class="link" aria-label="Delete rule ${number}" @click=${remove}>
        Delete
      </button>
    </div>
    ${b.picker.tree(key, (chosen) => set('a', `{{${chosen}}}`))}
  </div>`;
}

function compared(b: Builder, path: Path, rule: Rule, number: number): TemplateResult {
  const at = [...path, 'b'];
  return html`<input
    id="${idOf(path)}-b"
    type="text"
    class="code"
    spellcheck="false"
    autocomplete="off"
    aria-label="Compared value of rule ${number}"
    placeholder=${/bool/.test(rule.op) ? 'true or false' : 'value'}
    .value=${live(b.drafts.shown(at, textOf(rule.b)))}
    @input=${(event: InputEvent) => {
      const typed = textIn(event);
      b.drafts.type(at, typed, () =>
        b.send({ t: 'change', changes: [{ path: at, value: operand(typed, rule.op, rule.b) }] }),
      );
    }}
    @change=${() => b.drafts.leave(at)}
  />`;
}

/** What is compared goes with an operator that compares, and comes back with the next one that does. */
function chooseOperator(b: Builder, path: Path, rule: Rule, op: string): void {
  b.drafts.flush();
  const key = `${JSON.stringify(path)} b`;
  if (!compares(op)) b.remembered.set(key, rule.b);
  const kept = rule.b ?? b.remembered.get(key) ?? '';
  const compared = compares(op) ? operand(textOf(kept), op, kept) : undefined;
  b.send({
    t: 'change',
    changes: [
      { path: [...path, 'op'], value: op },
      { path: [...path, 'b'], ...(compared !== undefined && { value: compared }) },
    ],
  });
}

function idOf(path: Path): string {
  return `rule-${path.join('-')}`;
}
