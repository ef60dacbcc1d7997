import { html, nothing, type TemplateResult } from 'lit-html';
import { textOf } from '../prop-form/values.ts';
import { icon } from '../shared/icons.ts';
import type { Builder } from './builder-state.ts';
import { cardView, deleteButton, orderButtons } from './card.ts';
import type { Control, Path, Values } from './messages.ts';
import { valueAt } from './own-fields.ts';
import { listOf } from './places.ts';
import { conditionInWords } from './rules.ts';

/** Shows a list of steps. @param runPath prefix of the paths of their runs */
export type StepList = (b: Builder, value: unknown, path: Path, runPath: string) => TemplateResult;

/** The content of a block: the steps of a loop, or branches with their steps. */
export function blockView(
  b: Builder,
  step: Values,
  path: Path,
  runPath: string,
  list: StepList,
): TemplateResult {
  const control = step['control'] as Control;
  if (control === 'each')
    return html`<div class="nested">
      ${list(b, step['steps'], [...path, 'steps'], `${runPath}.`)}
    </div>`;
  const branches = listOf(step['branches']);
  return html`<div class="nested">
    ${branches.map((branch, index) => branchView(b, branch, [...path, 'branches', index], runPath, control, list))}
    ${step['else'] === undefined ? nothing : elseView(b, step, path, runPath, list)}
    <div class="row">
      <button class="link" @click=${() => addBranch(b, branches, path, control)}>
        ${icon('add')} Add branch
      </button>
      ${
        control === 'parallel' || step['else'] !== undefined
          ? nothing
          : html`<button
              class="link"
              @click=${() => {
                const at = [...path, 'else'];
                b.send({ t: 'change', changes: [{ path: at, value: { steps: [] } }] });
                b.openNext(at);
              }}
            >
              ${icon('add')} Add else
            </button>`
      }
    </div>
  </div>`;
}

function branchView(
  b: Builder,
  branch: Values,
  path: Path,
  runPath: string,
  control: Control,
  list: StepList,
): TemplateResult {
  const name = textOf(branch['name']);
  return html`${cardView(b, {
      path,
      title: name,
      what: conditionInWords(branch['when'], control),
      buttons: [...orderButtons(b, path, name), deleteButton(b, path, name)],
    })}
    <div class="nested">
      ${list(b, branch['steps'], [...path, 'steps'], `${runPath}.${name}.`)}
    </div>`;
}

function elseView(
  b: Builder,
  step: Values,
  path: Path,
  runPath: string,
  list: StepList,
): TemplateResult {
  const at = [...path, 'else'];
  return html`${cardView(b, {
      path: at,
      title: 'else',
      what: 'when no branch matches',
      isOff: valueAt(step, ['else', 'disabled']) === true,
      buttons: [deleteButton(b, at, `else of ${textOf(step['namespace'])}`)],
    })}
    <div class="nested">
      ${list(b, valueAt(step, ['else', 'steps']), [...at, 'steps'], `${runPath}.$else.`)}
    </div>`;
}

function addBranch(b: Builder, branches: readonly Values[], path: Path, control: Control): void {
  const names = new Set(branches.map(({ name }) => name));
  let number = branches.length + 1;
  while (names.has(`branch_${number}`)) number += 1;
  const when =
    control === 'switch'
      ? 'value'
      : control === 'parallel'
        ? 'always'
        : '{{steps.trigger.event.body}}';
  const at = [...path, 'branches', branches.length];
  b.send({ t: 'insert', at, item: { name: `branch_${number}`, when, steps: [] } });
  b.openNext(at);
}
