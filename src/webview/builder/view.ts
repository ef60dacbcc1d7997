import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { textOf } from '../prop-form/values.ts';
import { icon } from '../shared/icons.ts';
import { cardId, type Builder } from './builder-page.ts';
import type { NewStep, Path, Values } from './messages.ts';
import { triggerKinds, valueAt } from './own-fields.ts';

export function builderView(b: Builder): TemplateResult {
  const { model } = b;
  if (model === undefined)
    return html`<main class="builder" aria-busy="true">
      <p class="status">Reading the workflow…</p>
    </main>`;
  if (model.isEmpty) {
    return html`<main class="builder">
      <h1>${model.folder}</h1>
      <p>This file is empty.</p>
      <button class="primary" @click=${() => b.send({ t: 'begin' })}>Begin a Workflow</button>
    </main>`;
  }
  if (model.values === null) {
    return html`<main class="builder">
      <h1>${model.folder}</h1>
      <p class="problem" role="alert">
        ${icon('error')}<span>Line ${model.problem?.line}: ${model.problem?.message}</span>
      </p>
      <button class="primary" @click=${() => b.send({ t: 'do', what: 'text', path: [] })}>
        Open as Text
      </button>
    </main>`;
  }
  return html`<main class="builder">
    ${header(b, model.values)}
    ${b.notice === '' ? nothing : html`<p class="problem" role="alert">${icon('error')}<span>${b.notice}</span></p>`}
    <h2>Triggers</h2>
    ${listOf(valueAt(model.values, ['triggers'])).map((trigger, index) => triggerCard(b, trigger, ['triggers', index]))}
    ${addTrigger(b, listOf(valueAt(model.values, ['triggers'])).length)}
    <h2>Steps</h2>
    ${stepList(b, valueAt(model.values, ['steps']), ['steps'], '')}
  </main>`;
}

function header(b: Builder, values: Values): TemplateResult {
  const act = (what: 'deploy' | 'run' | 'debug' | 'text') => () =>
    b.send({ t: 'do', what, path: [] });
  return html`<header>
    <h1>${textOf(values['name'])}</h1>
    <div class="row">
      <button class="primary" @click=${act('deploy')}>
        ${b.model?.isDeployed === true ? 'Update' : 'Deploy'}
      </button>
      <button class="secondary" @click=${act('run')}>Run with Event…</button>
      <button class="secondary" @click=${act('debug')}>Debug…</button>
      <button class="secondary" @click=${act('text')}>Open as Text</button>
      <button class="secondary" aria-expanded=${b.open === '[]'} @click=${() => b.toggle([])}>
        Settings
      </button>
      <span class="hint">${b.runsAbout}</span>
    </div>
    ${b.open === '[]' ? details(b) : nothing} ${marks(b, [], true)}
  </header>`;
}

function triggerCard(b: Builder, trigger: Values, path: Path): TemplateResult {
  const uses = textOf(trigger['uses'] ?? trigger['id']);
  const kind = Object.hasOwn(triggerKinds, uses)
    ? triggerKinds[uses as keyof typeof triggerKinds]
    : uses;
  const props = trigger['props'];
  const about = props === undefined ? '' : textOf(props);
  return card(b, path, kind, about.length > 80 ? `${about.slice(0, 80)}…` : about, '', [
    removeButton(b, path, kind),
  ]);
}

function addTrigger(b: Builder, at: number): TemplateResult {
  return html`<div class="row">
    ${Object.entries(triggerKinds).map(
      ([uses, label]) =>
        html`<button
          class="link"
          @click=${() => {
            const props =
              uses === '$.interface.timer'
                ? { props: { intervalSeconds: 900 } }
                : uses === 'subscription'
                  ? { props: { emitter: '' } }
                  : {};
            b.send({ t: 'insert', at: ['triggers', at], item: { uses, ...props } });
          }}
        >
          ${icon('add')} ${label}
        </button>`,
    )}
  </div>`;
}

function stepList(b: Builder, value: unknown, path: Path, runPath: string): TemplateResult {
  const steps = listOf(value);
  return html`<ol class="steps">
    ${repeat(
      steps,
      (_, index) => JSON.stringify([...path, index]),
      (step, index) =>
        html`<li>
          ${slot(b, [...path, index])}${stepCard(b, step, [...path, index], runPath, steps.length)}
        </li>`,
    )}
    <li>${slot(b, [...path, steps.length], true)}</li>
  </ol>`;
}

/** Between two cards: where a step is added, or one that is dragged is let go. */
function slot(b: Builder, at: Path, isLast = false): TemplateResult {
  const named = (path: Path): string => {
    const thing = valueAt(b.model?.values, path);
    const { namespace, name } = (thing ?? {}) as Values;
    return textOf(namespace ?? name);
  };
  const before = named(at);
  const holder = at.slice(0, -2);
  const whose =
    holder.at(-1) === 'else'
      ? `else of ${named(holder.slice(0, -1))}`
      : holder.length === 0
        ? 'the end'
        : named(holder);
  const isOpen = JSON.stringify(b.adding) === JSON.stringify(at);
  return html`<div
    class="slot ${isLast ? 'last' : ''}"
    @dragover=${(event: DragEvent) => event.preventDefault()}
    @drop=${(event: DragEvent) => {
      event.preventDefault();
      const from = event.dataTransfer?.getData('application/x-weir-step') ?? '';
      if (from !== '') b.send({ t: 'move', from: JSON.parse(from) as Path, to: at });
    }}
  >
    ${isOpen ? picker(b) : html`<button class="link" aria-label=${isLast ? `Add step to ${whose}` : `Add step before ${before}`} @click=${() => b.startAdding(at)}>${icon('add')} ${isLast ? 'Add step' : ''}</button>`}
  </div>`;
}

const fixed: readonly { readonly label: string; readonly about: string; readonly step: NewStep }[] =
  [
    {
      label: 'TypeScript code',
      about: 'a step of your own',
      step: { kind: 'code', language: 'ts' },
    },
    {
      label: 'JavaScript code',
      about: 'a step of your own',
      step: { kind: 'code', language: 'js' },
    },
    { label: 'Python code', about: 'a step of your own', step: { kind: 'code', language: 'py' } },
    { label: 'Bash code', about: 'a step of your own', step: { kind: 'code', language: 'sh' } },
    {
      label: 'If / else',
      about: 'the first branch that holds',
      step: { kind: 'block', control: 'ifelse' },
    },
    { label: 'Switch', about: 'the branch of a value', step: { kind: 'block', control: 'switch' } },
    {
      label: 'Parallel',
      about: 'branches side by side',
      step: { kind: 'block', control: 'parallel' },
    },
    {
      label: 'Each',
      about: 'once for each item of a list',
      step: { kind: 'block', control: 'each' },
    },
    { label: 'Filter', about: 'goes on when rules are met', step: { kind: 'filter' } },
    { label: 'Delay', about: 'waits', step: { kind: 'delay' } },
    { label: 'End', about: 'ends the execution', step: { kind: 'end' } },
  ];
/** Rows that a list shows at once. */
const mostRows = 50;

function picker(b: Builder): TemplateResult {
  const all = [
    ...fixed,
    ...(b.components ?? []).map(({ uses, name, from }) => ({
      label: name,
      about: `${uses} · ${from}`,
      step: { kind: 'component', uses } as const,
    })),
  ];
  const wanted = b.query.toLowerCase();
  const shown = all
    .filter(({ label, about }) => `${label} ${about}`.toLowerCase().includes(wanted))
    .slice(0, mostRows);
  return html`<div
    class="picker panel"
    role="group"
    aria-label="Add a step"
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') b.startAdding(undefined);
    }}
  >
    <input
      id="add-search"
      type="text"
      aria-label="Search steps"
      placeholder="Search code, components and blocks"
      .value=${b.query}
      @input=${(event: InputEvent) => {
        b.query = (event.target as HTMLInputElement).value;
        b.show();
      }}
      @keydown=${(event: KeyboardEvent) => {
        const [first] = shown;
        if (event.key === 'Enter' && first !== undefined) b.add(first.step);
      }}
    />
    <ul>
      ${shown.map(
        ({ label, about, step }) =>
          html`<li>
            <button @click=${() => b.add(step)}>
              <span>${label}</span><span class="hint">${about}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${b.componentsProblem === null ? (b.components === undefined ? html`<p class="status">Looking for components…</p>` : nothing) : html`<p class="problem">${b.componentsProblem}</p>`}
    <button class="secondary" @click=${() => b.startAdding(undefined)}>Cancel</button>
  </div>`;
}

function stepCard(
  b: Builder,
  step: Values,
  path: Path,
  above: string,
  count: number,
): TemplateResult {
  const namespace = textOf(step['namespace']);
  const runPath = `${above}${namespace}`;
  const control = step['control'];
  const what =
    control === undefined
      ? valueAt(step, ['props', '_filter']) === undefined
        ? textOf(step['uses'])
        : 'filter'
      : textOf(control);
  const run = b.runs[runPath];
  const about =
    run === undefined ? '' : `${run.status}${run.about === '' ? '' : ` · ${run.about}`}`;
  const last = Number(path.at(-1));
  const list = path.slice(0, -1);
  const button = (label: string, text: string, act: () => void, disabled = false): TemplateResult =>
    html`<button
      class="link"
      ?disabled=${disabled}
      aria-label="${label} ${namespace}"
      @click=${act}
    >
      ${text}
    </button>`;
  const buttons = [
    button('Rename', 'Rename', () => rename(b, path, namespace)),
    button(
      'Move up',
      'Up',
      () => b.send({ t: 'move', from: path, to: [...list, last - 1] }),
      last === 0,
    ),
    button(
      'Move down',
      'Down',
      () => b.send({ t: 'move', from: path, to: [...list, last + 2] }),
      last >= count - 1,
    ),
    button('Duplicate', 'Duplicate', () => b.send({ t: 'duplicate', path })),
    ...(control === undefined
      ? [
          button('Open code', 'Open code', () => b.send({ t: 'do', what: 'code', path })),
          button('Run This Step', 'Run This Step', () =>
            b.send({ t: 'do', what: 'runStep', path }),
          ),
        ]
      : []),
    removeButton(b, path, namespace),
  ];
  return html`${card(b, path, namespace, what, about, buttons, step['disabled'] === true)}
  ${control === undefined ? nothing : block(b, step, path, runPath)}`;
}

function rename(b: Builder, path: Path, namespace: string): void {
  const input = document.getElementById(`${cardId(path)}-name`);
  const name = input instanceof HTMLInputElement ? input.value.trim() : namespace;
  if (name !== '' && name !== namespace) b.send({ t: 'rename', path, name });
}

function removeButton(b: Builder, path: Path, label: string): TemplateResult {
  return html`<button
    class="link"
    aria-label="Delete ${label}"
    @click=${() => b.send({ t: 'remove', path })}
  >
    Delete
  </button>`;
}

function block(b: Builder, step: Values, path: Path, runPath: string): TemplateResult {
  const control = step['control'];
  if (control === 'each')
    return html`<div class="nested">
      ${stepList(b, step['steps'], [...path, 'steps'], `${runPath}.`)}
    </div>`;
  const branches = listOf(step['branches']);
  const mayElse = control !== 'parallel';
  return html`<div class="nested">
    ${branches.map((branch, index) => {
      const at = [...path, 'branches', index];
      const name = textOf(branch['name']);
      return html`${card(b, at, name, `when ${textOf(branch['when'] ?? 'always')}`, '', [removeButton(b, at, name)])}
        <div class="nested">
          ${stepList(b, branch['steps'], [...at, 'steps'], `${runPath}.${name}.`)}
        </div>`;
    })}
    <button
      class="link"
      @click=${() => b.send({ t: 'insert', at: [...path, 'branches', branches.length], item: { name: `branch_${branches.length + 1}`, when: control === 'switch' ? 'value' : 'always', steps: [] } })}
    >
      ${icon('add')} Add branch
    </button>
    ${
      !mayElse
        ? nothing
        : step['else'] === undefined
          ? html`<button
              class="link"
              @click=${() => b.send({ t: 'change', changes: [{ path: [...path, 'else'], value: { steps: [] } }] })}
            >
              ${icon('add')} Add else
            </button>`
          : html`<p class="else">
                else ${removeButton(b, [...path, 'else'], `else of ${textOf(step['namespace'])}`)}
              </p>
              <div class="nested">
                ${stepList(b, valueAt(step, ['else', 'steps']), [...path, 'else', 'steps'], `${runPath}.$else.`)}
              </div>`
    }
  </div>`;
}

function card(
  b: Builder,
  path: Path,
  title: string,
  what: string,
  about: string,
  buttons: readonly TemplateResult[],
  isOff = false,
): TemplateResult {
  const isOpen = b.open === JSON.stringify(path);
  const isStep = path.at(-2) === 'steps';
  return html`<section
    class="card ${isOpen ? 'open' : ''} ${isOff ? 'off' : ''}"
    draggable=${isStep && !isOpen}
    @dragstart=${(event: DragEvent) => event.dataTransfer?.setData('application/x-weir-step', JSON.stringify(path))}
  >
    <button
      id=${cardId(path)}
      class="head"
      aria-expanded=${isOpen}
      @click=${() => b.toggle(path)}
      @keydown=${(event: KeyboardEvent) => {
        if (!event.altKey || !isStep || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown'))
          return;
        event.preventDefault();
        const index = Number(path.at(-1));
        const to = event.key === 'ArrowUp' ? index - 1 : index + 2;
        if (to >= 0) b.send({ t: 'move', from: path, to: [...path.slice(0, -1), to] });
      }}
    >
      ${icon(isOpen ? 'chevronDown' : 'chevronRight')}<strong>${title}</strong
      ><span class="hint">${what}</span><span class="state">${isOff ? 'switched off' : about}</span>
    </button>
    ${marks(b, path, false)}
    ${
      isOpen
        ? html`<div class="row actions">
              ${isStep ? html`<input id="${cardId(path)}-name" type="text" class="step-name" aria-label="Name of the step" .value=${title} />` : nothing}
              ${buttons}
            </div>
            ${details(b)}`
        : nothing
    }
  </section>`;
}

function details(b: Builder): TemplateResult {
  return html`<div class="details">
    ${b.props === undefined ? nothing : html`<div id="step-form" role="group" aria-label="Props">${b.props.view()}</div>`}
    ${b.own === undefined ? nothing : html`<div id="own-form" role="group" aria-label="Settings">${b.own.view()}</div>`}
  </div>`;
}

/** What is wrong here, and below where that has no card of its own. @param only nothing below */
function marks(b: Builder, path: Path, only: boolean): unknown {
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

function listOf(value: unknown): readonly Values[] {
  return Array.isArray(value) ? (value as readonly Values[]) : [];
}
