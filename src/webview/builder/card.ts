import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../shared/icons.ts';
import { cardId, type Builder } from './builder-state.ts';
import { detailsView } from './details.ts';
import type { Path } from './messages.ts';
import { neighbour } from './places.ts';

/** The data of a drag between two cards: the path of the step, as JSON. */
export const dragType = 'application/x-weir-step';

export interface Card {
  readonly path: Path;
  readonly title: string;
  /** Beside the title. */
  readonly what: string;
  /** At the end of the line. */
  readonly about?: string;
  readonly isOff?: boolean;
  /** Above the fields of an unfolded card. */
  readonly buttons: readonly (TemplateResult | typeof nothing)[];
}

/** A trigger, step or branch: a line that unfolds into its fields, and is moved with Alt and the arrow keys. */
export function cardView(b: Builder, card: Card): TemplateResult {
  const { path, title, what, about = '', isOff = false, buttons } = card;
  const isOpen = b.open === JSON.stringify(path);
  const isStep = path.at(-2) === 'steps';
  return html`<section
    class="card ${isOpen ? 'open' : ''} ${isOff ? 'off' : ''}"
    draggable=${isStep && !isOpen}
    @dragstart=${(event: DragEvent) => event.dataTransfer?.setData(dragType, JSON.stringify(path))}
  >
    <button
      id=${cardId(path)}
      class="head"
      aria-expanded=${isOpen}
      @click=${() => b.toggle(path)}
      @keydown=${(event: KeyboardEvent) => moveByKey(b, path, event)}
    >
      ${icon(isOpen ? 'chevronDown' : 'chevronRight')}<strong>${title}</strong
      ><span class="hint">${what}</span><span class="state">${isOff ? 'switched off' : about}</span>
    </button>
    ${marks(b, path, false)}
    ${
      isOpen
        ? html`<div class="row actions">${buttons}</div>
            ${detailsView(b)}`
        : nothing
    }
  </section>`;
}

function moveByKey(b: Builder, path: Path, event: KeyboardEvent): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  move(b, path, event.key === 'ArrowUp' ? -1 : 1);
}

function move(b: Builder, path: Path, by: -1 | 1): void {
  const to = neighbour(b.model?.values ?? null, path, by);
  if (to !== undefined) b.send({ t: 'move', from: path, to });
}

/** The order buttons of every item in a list. */
export function orderButtons(b: Builder, path: Path, name: string): TemplateResult[] {
  const values = b.model?.values ?? null;
  return ([-1, 1] as const).map((by) => {
    const isUp = by === -1;
    return actionButton(
      isUp ? 'Up' : 'Down',
      name,
      () => move(b, path, by),
      neighbour(values, path, by) === undefined,
      isUp ? 'Move up' : 'Move down',
    );
  });
}

/** @param label what screen readers say instead of the text, in front of the name */
export function actionButton(
  text: string,
  name: string,
  act: () => void,
  disabled = false,
  label = text,
): TemplateResult {
  return html`<button
    class="link"
    ?disabled=${disabled}
    aria-label="${label} ${name}"
    title=${text === 'Up' ? 'Alt+↑' : text === 'Down' ? 'Alt+↓' : nothing}
    @click=${act}
  >
    ${text}
  </button>`;
}

export function deleteButton(b: Builder, path: Path, name: string): TemplateResult {
  return actionButton('Delete', name, () => b.send({ t: 'remove', path }));
}

/** The problems here, and those below without a card of their own. @param only nothing below */
export function marks(b: Builder, path: Path, only: boolean): unknown {
  const inner = ['steps', 'branches', 'else', ...(path.length === 0 ? ['triggers'] : [])];
  return b.marks
    .filter((mark) => {
      const rest = mark.path.slice(path.length);
      if (!path.every((part, index) => mark.path[index] === part)) return false;
      return only
        ? !inner.includes(String(rest[0]))
        : !(inner.includes(String(rest[0])) && rest.length > 1);
    })
    .map(
      ({ severity, message, line }) =>
        html`<p class="problem">
          ${icon(severity === 'error' ? 'error' : 'warning')}<span>Line ${line}: ${message}</span>
        </p>`,
    );
}
