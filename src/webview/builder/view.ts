import { html, nothing, type TemplateResult } from 'lit-html';
import { textOf } from '../prop-form/values.ts';
import { icon } from '../shared/icons.ts';
import type { Builder } from './builder-state.ts';
import { marks } from './card.ts';
import { detailsView } from './details.ts';
import type { Model, PageMessage } from './messages.ts';
import { valueAt } from './own-fields.ts';
import { stepList } from './step-list.ts';
import { firstTrigger, triggerCards } from './trigger-cards.ts';

/** The whole page. */
export function builderView(b: Builder): TemplateResult {
  const { model } = b;
  const act = (what: Act) => () => b.send({ t: 'do', what, path: [] });
  if (model === undefined)
    return html`<main class="builder" aria-busy="true">
      <p class="status">Reading the workflow…</p>
    </main>`;
  if (model.isEmpty) {
    return html`<main class="builder">
      <h1>${model.folder}</h1>
      <p>This file is empty.</p>
      <button
        class="primary"
        @click=${() => {
          b.send({ t: 'begin' });
          b.focusNext(firstTrigger);
        }}
      >
        Begin a Workflow
      </button>
    </main>`;
  }
  if (model.values === null) {
    return html`<main class="builder">
      <h1>${model.folder}</h1>
      <p class="problem" role="alert">
        ${icon('error')}<span>Line ${model.problem?.line}: ${model.problem?.message}</span>
      </p>
      <button class="primary" @click=${act('text')}>Open as Text</button>
    </main>`;
  }
  return html`<main class="builder">
    ${header(b, model, act)}
    ${b.notice === '' ? nothing : html`<p class="problem" role="alert">${icon('error')}<span>${b.notice}</span></p>`}
    <h2>Triggers</h2>
    ${triggerCards(b)}
    <h2>Steps</h2>
    ${stepList(b, valueAt(model.values, ['steps']), ['steps'], '')}
  </main>`;
}

/** What a button of the page asks the extension for. */
type Act = Extract<PageMessage, { t: 'do' }>['what'];

function header(
  b: Builder,
  { values, isDry, isDeployed }: Model,
  act: (what: Act) => () => void,
): TemplateResult {
  const isOpen = b.open === '[]';
  return html`<header>
    <h1>${textOf(values?.['name'])}</h1>
    <div class="row">
      <fieldset class="acts inline">
        <button
          class="primary"
          title="Runs your files with the last event. Nothing is deployed."
          @click=${act('test')}
        >
          Test
        </button>
        <label title="A dry run sends nothing: requests are answered from the last run"
          ><input type="checkbox" .checked=${isDry} @change=${act('dry')} />Dry run</label
        >
        <button class="secondary" @click=${act('deploy')}>
          ${isDeployed ? 'Update' : 'Deploy'}
        </button>
        <button class="secondary" @click=${act('run')}>Run with Event…</button>
        <button class="secondary" @click=${act('debug')}>Debug…</button>
      </fieldset>
      <button class="secondary" @click=${act('text')}>Open as Text</button>
      <button class="secondary" aria-expanded=${isOpen} @click=${() => b.toggle([])}>
        Settings
      </button>
      <span class="hint">${b.runsAbout}</span>
    </div>
    ${isOpen ? detailsView(b) : nothing} ${marks(b, [], true)}
  </header>`;
}
