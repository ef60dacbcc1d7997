import { html, nothing, type TemplateResult } from 'lit-html';
import type { Builder } from './builder-state.ts';
import type { NewStep } from './messages.ts';

interface Row {
  readonly label: string;
  readonly about: string;
  readonly step: NewStep;
}

const fixed: readonly Row[] = [
  { label: 'TypeScript code', about: 'a step of your own', step: { kind: 'code', language: 'ts' } },
  { label: 'JavaScript code', about: 'a step of your own', step: { kind: 'code', language: 'js' } },
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
    about: 'a loop: once for each item of a list',
    step: { kind: 'block', control: 'each' },
  },
  { label: 'Filter', about: 'goes on when rules are met', step: { kind: 'filter' } },
  { label: 'Delay', about: 'waits for a time', step: { kind: 'delay' } },
  {
    label: 'Suspend',
    about: 'waits until a URL is called, as for an approval',
    step: { kind: 'suspend' },
  },
  { label: 'End', about: 'ends the execution', step: { kind: 'end' } },
];

/** Rows that a list shows at once. */
const mostRows = 50;

/** Code, blocks, and every component that is published, in the workspace or installed. */
export function stepPicker(b: Builder): TemplateResult {
  const shown = found(b).slice(0, mostRows);
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
    <div role="status">${status(b, shown.length)}</div>
    <button class="secondary" @click=${close}>Cancel</button>
  </div>`;
}

function found(b: Builder): readonly Row[] {
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
  if (b.components === undefined) return html`<p class="status">Looking for components…</p>`;
  return count === 0
    ? html`<p class="status">
        Nothing is called that. Components of packages are found once they are installed.
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
