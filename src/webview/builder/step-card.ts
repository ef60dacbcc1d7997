import { html, nothing, type TemplateResult } from 'lit-html';
import { textIn } from '../prop-form/fields/text.ts';
import { textOf } from '../prop-form/values.ts';
import { blockView, type StepList } from './block-view.ts';
import { cardId, type Builder } from './builder-state.ts';
import { actionButton, cardView, deleteButton, orderButtons } from './card.ts';
import type { Control, Path, Values } from './messages.ts';
import { valueAt } from './own-fields.ts';
import { placesFor } from './places.ts';
import { canShow, rulesInWords } from './rules.ts';

const controlNames: Readonly<Record<Control, string>> = {
  ifelse: 'If / else',
  switch: 'Switch',
  parallel: 'Parallel',
  each: 'Each',
};

/**
 * A step, and its inner steps.
 * @param above prefix of the path of its runs
 * @param list shows the steps of a branch or loop
 */
export function stepCard(
  b: Builder,
  step: Values,
  path: Path,
  above: string,
  list: StepList,
): TemplateResult {
  const namespace = textOf(step['namespace']);
  const runPath = `${above}${namespace}`;
  const isBlock = step['control'] !== undefined;
  const run = b.runs[runPath];
  const about = run && `${run.status}${run.about === '' ? '' : ` · ${run.about}`}`;
  return html`${cardView(b, {
    path,
    title: namespace === '' ? 'step without a name' : namespace,
    what: kindOf(step),
    ...(about !== undefined && { about }),
    isOff: step['disabled'] === true,
    buttons: b.open === JSON.stringify(path) ? buttons(b, path, namespace, step) : [],
  })}
  ${isBlock ? blockView(b, step, path, runPath, list) : nothing}`;
}

function kindOf(step: Values): string {
  const { control, uses } = step;
  if (control === 'each' || control === 'switch')
    return `${controlNames[control]} · ${textOf(step['on'])}`;
  if (control !== undefined) return controlNames[control as Control] ?? textOf(control);
  const rules = valueAt(step, ['props', '_filter', 'rules']);
  if (isFilter(step)) return canShow(rules) ? `Filter · ${rulesInWords(rules)}` : 'Filter';
  return textOf(uses);
}

function isFilter(step: Values): boolean {
  return valueAt(step, ['props', '_filter']) !== undefined;
}

function buttons(
  b: Builder,
  path: Path,
  namespace: string,
  step: Values,
): (TemplateResult | typeof nothing)[] {
  const doing = (what: 'code' | 'runStep' | 'pin') => () => b.send({ t: 'do', what, path });
  const hasCode = step['control'] === undefined && !isFilter(step);
  return [
    nameField(b, path, namespace),
    ...(hasCode ? [actionButton('Open Code', namespace, doing('code'))] : []),
    ...(hasCode ? [acting(actionButton('Run This Step', namespace, doing('runStep')))] : []),
    ...(hasCode && hasResult(b, path)
      ? [acting(actionButton('Pin the Result…', namespace, doing('pin')))]
      : []),
    actionButton('Duplicate', namespace, () => b.send({ t: 'duplicate', path })),
    ...orderButtons(b, path, namespace),
    moveTo(b, path, namespace),
    deleteButton(b, path, namespace),
  ];
}

/** Off while the runtime of the builder cannot be reached. */
function acting(button: TemplateResult): TemplateResult {
  return html`<fieldset class="acts inline">${button}</fieldset>`;
}

/** Whether the last execution ran it: then its result can replace it in tests. */
function hasResult(b: Builder, path: Path): boolean {
  const namespace = textOf(valueAt(b.model?.values, [...path, 'namespace']));
  return Object.entries(b.runs).some(
    ([key, { status }]) => status === 'succeeded' && key.split('.').at(-1) === namespace,
  );
}

/** Another name is a rename: it follows where others read the step. */
function nameField(b: Builder, path: Path, namespace: string): TemplateResult {
  return html`<input
    id="${cardId(path)}-name"
    type="text"
    class="step-name"
    spellcheck="false"
    autocomplete="off"
    aria-label="Name of the step"
    .value=${namespace}
    @change=${(event: Event) => {
      const name = textIn(event).trim();
      if (name !== '' && name !== namespace) b.send({ t: 'rename', path, name });
    }}
  />`;
}

/** The same as dragging, for the keyboard and for people who do not drag. */
function moveTo(b: Builder, path: Path, namespace: string): TemplateResult {
  const places = placesFor(b.model?.values ?? null, path);
  return html`<select
    class="move-to"
    aria-label="Move ${namespace} to"
    @change=${(event: Event) => {
      const select = event.target as HTMLSelectElement;
      const place = places[select.selectedIndex - 1];
      select.selectedIndex = 0;
      if (place !== undefined) b.send({ t: 'move', from: path, to: place.path });
    }}
  >
    <option>Move to…</option>
    ${places.map(({ label }) => html`<option>${label}</option>`)}
  </select>`;
}
