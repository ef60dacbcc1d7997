import { html, nothing, type TemplateResult } from 'lit-html';
import { inWords } from '../prop-form/interval.ts';
import { textOf, timerOf } from '../prop-form/values.ts';
import { icon } from '../shared/icons.ts';
import type { Builder } from './builder-state.ts';
import { cardView, deleteButton, orderButtons } from './card.ts';
import type { Path, Values } from './messages.ts';
import { kindOfTrigger, triggerKinds, valueAt } from './own-fields.ts';
import { listOf } from './places.ts';

/** What starts the workflow, and what may be added to it. */
export function triggerCards(b: Builder): TemplateResult {
  const triggers = listOf(valueAt(b.model?.values, ['triggers']));
  return html`${triggers.map((trigger, index) => triggerCard(b, trigger, ['triggers', index]))}
  ${addTrigger(b, triggers.length)}`;
}

function triggerCard(b: Builder, trigger: Values, path: Path): TemplateResult {
  const kind = kindOfTrigger(trigger);
  const title = kind === undefined ? textOf(trigger['uses'] ?? trigger['id']) : triggerKinds[kind];
  return cardView(b, {
    path,
    title: title === '' ? 'trigger' : title,
    what: whatOf(b, trigger),
    buttons: [...orderButtons(b, path, title), deleteButton(b, path, title)],
  });
}

/** What sets it off, in words. */
function whatOf(b: Builder, trigger: Values): string {
  const props = trigger['props'];
  const timer = timerOf(props);
  if (timer !== undefined)
    return 'cron' in timer ? textOf(timer.cron) : inWords(timer.intervalSeconds).toLowerCase();
  const emitter = valueAt(props, ['emitter']);
  if (emitter !== undefined)
    return b.emitters.find(({ id }) => id === emitter)?.name ?? textOf(emitter);
  const response = valueAt(props, ['response']);
  return response === undefined ? textOf(trigger['id']) : `response: ${textOf(response)}`;
}

/** Id of the first button that adds a trigger. */
export const firstTrigger = 'add-trigger';

const firstProps: Readonly<Record<string, Values>> = {
  '$.interface.timer': { intervalSeconds: 900 },
  subscription: { emitter: '' },
};

function addTrigger(b: Builder, at: number): TemplateResult {
  return html`<div class="row" role="group" aria-label="Add a trigger">
    ${Object.entries(triggerKinds).map(
      ([uses, label], index) =>
        html`<button
          id=${index === 0 ? firstTrigger : nothing}
          class="link"
          @click=${() => {
            const props = firstProps[uses];
            const item = { uses, ...(props !== undefined && { props }) };
            b.send({ t: 'insert', at: ['triggers', at], item });
            b.openNext(['triggers', at]);
          }}
        >
          ${icon('add')} ${label}
        </button>`,
    )}
  </div>`;
}
