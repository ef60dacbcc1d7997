import { html, nothing, type TemplateResult } from 'lit-html';
import type { Builder } from './builder-state.ts';
import type { NewStep } from './messages.ts';

interface Row {
  readonly label: string;
  readonly about: string;
  readonly description?: string | null;
  readonly step: NewStep;
}

const fixed: readonly Row[] = [
  { label: 'TypeScript code', about: 'a step of your own', step: { kind: 'code', language: 'ts' } },
  { label: 'JavaScript code', about: 'a step of your own', step: { kind: 'code', language: 'js' } },
  { label: 'Python code', about: 'a step of your own', step: { kind: 'code', language: 'py' } },
  { label: 'Bash code', about: 'a step of your own', step: { kind: 'code', language: 'sh' } },
  {
    label: 'If / else',
    about: 'runs the first branch whose condition is true',
    step: { kind: 'block', control: 'ifelse' },
  },
  {
    label: 'Switch',
    about: 'picks a branch by a value',
    step: { kind: 'block', control: 'switch' },
  },
  {
    label: 'Parallel',
    about: 'runs all branches at the same time',
    step: { kind: 'block', control: 'parallel' },
  },
  {
    label: 'Each',
    about: 'a loop: once for each item of a list',
    step: { kind: 'block', control: 'each' },
  },
  { label: 'Filter', about: 'continues only if the rules are met', step: { kind: 'filter' } },
  { label: 'Delay', about: 'waits for a time', step: { kind: 'delay' } },
  {
    label: 'Suspend',
    about: 'waits until a URL is called, for example an approval',
    step: { kind: 'suspend' },
  },
  { label: 'End', about: 'ends the execution', step: { kind: 'end' } },
];

/** Rows that a list shows at once. */
const mostRows = 50;

/** Code, blocks, every component that is published, in the workspace or installed, and those of the registries. */
export function stepPicker(b: Builder): TemplateResult {
  const own = found(b).slice(0, mostRows);
  const offered = offeredRows(b, new Set((b.components ?? []).map(({ uses }) => uses)));
  const shown = [...own, ...offered];
  const close = (): void => b.startAdding(undefined);
  return html`<div
    class="picker panel"
    role="group"
    aria-label="Add a step"
    @keydown=${(event: KeyboardEvent) => handleKey(event, close)}
  >
    <input
      id="add-search"
      type="text"
      aria-label="Search steps"
      placeholder="Search code, components and blocks"
      .value=${b.query}
      @input=${(event: InputEvent) => {
        b.query = (event.target as HTMLInputElement).value;
        b.lookFor({ ...b.search, query: b.query.trim() });
        b.show();
      }}
      @keydown=${(event: KeyboardEvent) => {
        const [first] = shown;
        if (event.key === 'Enter' && first !== undefined) b.add(first.step);
      }}
    />
    ${chips(b)}
    <ul>
      ${own.map((row) => rowView(b, row))}
      ${offered.length === 0 ? nothing : html`<li class="heading">From registries</li>`}
      ${offered.map((row) => rowView(b, row))}
    </ul>
    <div role="status">${status(b, shown.length)}</div>
    <button class="secondary" @click=${close}>Cancel</button>
  </div>`;
}

function rowView(b: Builder, { label, about, step, description }: Row): TemplateResult {
  return html`<li>
    <button title=${description ?? ''} @click=${() => b.add(step)}>
      <span>${label}</span><span class="hint">${about}</span>
    </button>
  </li>`;
}

/** Apps that a filter can be set to. */
const mostChips = 8;

/** The apps of what the registries have; the one that is chosen can be taken back. */
function chips(b: Builder): TemplateResult | typeof nothing {
  const { app: chosen } = b.search;
  const apps = (b.offers?.offers ?? []).flatMap(({ app }) => app ?? []);
  const shown = [...new Set([...(chosen === null ? [] : [chosen]), ...apps])].slice(0, mostChips);
  if (shown.length === 0) return nothing;
  return html`<div class="chips" role="group" aria-label="Apps of registries">
    ${shown.map(
      (app) =>
        html`<button
          class="fx"
          aria-pressed=${app === chosen}
          @click=${() => {
            b.lookFor({ ...b.search, app: app === chosen ? null : app });
            b.show();
          }}
        >
          ${app}
        </button>`,
    )}
  </div>`;
}

/** @param known components that are on this machine already, and listed separately */
function offeredRows({ offers, search }: Builder, known: ReadonlySet<string>): readonly Row[] {
  return (offers?.offers ?? [])
    .filter(({ uses, app }) => !known.has(uses) && (search.app === null || app === search.app))
    .map(({ uses, name, description, from }) => ({
      label: name,
      about: `${uses} · ${from}`,
      description,
      step: { kind: 'component', uses, isOffer: true },
    }));
}

function found(b: Builder): readonly Row[] {
  if (b.search.app !== null) return [];
  const components = (b.components ?? []).map(({ uses, name, from }) => ({
    label: name,
    about: `${uses} · ${from}`,
    step: { kind: 'component', uses } as const,
  }));
  const words = b.query.toLowerCase().split(/\s+/);
  return [...fixed, ...components].filter(({ label, about }) => {
    const text = `${label} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function status(b: Builder, count: number): TemplateResult | typeof nothing {
  if (b.componentsProblem !== null) return html`<p class="problem">${b.componentsProblem}</p>`;
  const problems = b.offers?.problems ?? [];
  if (problems.length > 0) return html`<p class="problem">${problems.join(' ')}</p>`;
  if (b.components === undefined) return html`<p class="status">Looking for components…</p>`;
  return count === 0
    ? html`<p class="status">
        Nothing is called that, neither here nor in the registries. "Weir: Add Registry…" adds one.
      </p>`
    : nothing;
}

/** Escape closes; the arrow keys walk from the search to the rows and back. */
function handleKey(event: KeyboardEvent, close: () => void): void {
  if (event.key === 'Escape') return close();
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || !(event.currentTarget instanceof Element)) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li button')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[at + by]?.focus();
}
