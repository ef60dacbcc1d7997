import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { textOf } from '../prop-form/values.ts';
import { icon } from '../shared/icons.ts';
import { slotId, type Builder } from './builder-state.ts';
import { dragType } from './card.ts';
import type { Path, Values } from './messages.ts';
import { valueAt } from './own-fields.ts';
import { listOf } from './places.ts';
import { stepCard } from './step-card.ts';
import { stepPicker } from './step-picker.ts';

/** Steps with the places between them. @param runPath prefix of the paths of their runs */
export function stepList(b: Builder, value: unknown, path: Path, runPath: string): TemplateResult {
  const steps = listOf(value);
  return html`<ol class="steps">
    ${repeat(
      steps,
      (_, index) => JSON.stringify([...path, index]),
      (step, index) =>
        html`<li>
          ${slot(b, [...path, index])}${stepCard(b, step, [...path, index], runPath, stepList)}
        </li>`,
    )}
    <li>${slot(b, [...path, steps.length], true)}</li>
  </ol>`;
}

/** Between two cards: where a step is added, or one that is dragged is let go. */
function slot(b: Builder, at: Path, isLast = false): TemplateResult {
  const isOpen = JSON.stringify(b.adding) === JSON.stringify(at);
  const label = isLast ? `Add step to ${listName(b, at)}` : `Add step before ${nameAt(b, at)}`;
  return html`<div
    class="slot ${isLast ? 'last' : ''}"
    @dragover=${(event: DragEvent) => {
      event.preventDefault();
      mark(event, true);
    }}
    @dragleave=${(event: DragEvent) => mark(event, false)}
    @drop=${(event: DragEvent) => {
      event.preventDefault();
      mark(event, false);
      const from = event.dataTransfer?.getData(dragType) ?? '';
      if (from !== '') b.send({ t: 'move', from: JSON.parse(from) as Path, to: at });
    }}
  >
    ${
      isOpen
        ? stepPicker(b)
        : html`<button
            id=${slotId(at)}
            class="link"
            aria-label=${label}
            title=${label}
            @click=${() => b.startAdding(at)}
          >
            ${icon('add')} ${isLast ? 'Add step' : ''}
          </button>`
    }
  </div>`;
}

/** Shows where a step that is dragged would land. */
function mark({ currentTarget }: DragEvent, isOver: boolean): void {
  if (currentTarget instanceof Element) currentTarget.classList.toggle('over', isOver);
}

function nameAt(b: Builder, path: Path): string {
  const { namespace, name } = (valueAt(b.model?.values, path) ?? {}) as Values;
  return textOf(namespace ?? name);
}

function listName(b: Builder, at: Path): string {
  const holder = at.slice(0, -2);
  if (holder.length === 0) return 'the end';
  return holder.at(-1) === 'else' ? `else of ${nameAt(b, holder.slice(0, -1))}` : nameAt(b, holder);
}
