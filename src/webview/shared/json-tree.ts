import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { icon } from './icons.ts';
import {
  countOf,
  longString,
  pathText,
  rowsOf,
  toggled,
  type JsonRow,
  type TreeState,
} from './json-rows.ts';

export interface TreeOptions {
  /** What screen readers call it. */
  readonly label: string;
  /** What copied paths start with. */
  readonly root: string;
  readonly change: (tree: TreeState) => void;
  readonly copy: (text: string) => void;
  /** Chooses the value of the current row, by its path as it is written in code. */
  readonly use?: (path: string) => void;
}

/** Characters of an unfolded string that are shown. */
const shownText = 20_000;

/** A JSON value as a tree for mouse and keyboard, with buttons to copy from it. */
export function jsonTree(state: TreeState, options: TreeOptions): TemplateResult {
  const rows = rowsOf(state);
  const current = rows.find(({ id }) => id === state.current) ?? rows[0];
  return html`
    <div class="tree-bar">
      <code class="path">${current === undefined ? '' : pathText(options.root, current.path)}</code>
      <button
        class="link"
        @click=${() => options.copy(pathText(options.root, current?.path ?? []))}
      >
        Copy path
      </button>
      <button class="link" @click=${() => options.copy(textOf(current))}>Copy value</button>
      ${useButton(options, current)}
    </div>
    <ul
      class="tree"
      role="tree"
      aria-label=${options.label}
      @keydown=${(event: KeyboardEvent) => handleKey(event, state, rows, options)}
    >
      ${repeat(
        rows,
        ({ id }) => id,
        (row) => rowView(row, row.id === current?.id, state, options),
      )}
    </ul>
  `;
}

function useButton(
  { root, use }: TreeOptions,
  current: JsonRow | undefined,
): TemplateResult | typeof nothing {
  if (use === undefined) return nothing;
  const path = current === undefined || current.kind === 'more' ? [] : current.path;
  return html`<button
    type="button"
    class="secondary"
    ?disabled=${path.length === 0}
    @click=${() => use(pathText(root, path))}
  >
    Use
  </button>`;
}

function rowView(
  row: JsonRow,
  isCurrent: boolean,
  state: TreeState,
  options: TreeOptions,
): TemplateResult {
  const isOpen = row.kind === 'more' ? null : row.open;
  return html`<li
    class=${isCurrent ? 'json current' : 'json'}
    role="treeitem"
    data-id=${row.id}
    aria-level=${row.depth + 1}
    aria-expanded=${isOpen ?? nothing}
    aria-selected=${isCurrent}
    tabindex=${isCurrent ? 0 : -1}
    @click=${({ currentTarget }: Event) => toggle(treeOf(currentTarget), state, row, options)}
  >
    ${Array.from({ length: row.depth }, () => html`<span class="indent"></span>`)}
    <span class="twistie"
      >${isOpen === null ? '' : icon(isOpen ? 'chevronDown' : 'chevronRight')}</span
    >
    ${row.kind === 'more' ? html`<span class="more">${row.left} more…</span>` : valueView(row)}
  </li>`;
}

type ValueRow = Exclude<JsonRow, { kind: 'more' }>;

function valueView(row: ValueRow): TemplateResult {
  const name = row.name === undefined ? '' : html`<span class="name">${row.name}</span>: `;
  return html`<span class="value">${name}${literal(row)}</span>`;
}

function literal({ kind, value, open }: ValueRow): TemplateResult {
  if (kind === 'array' || kind === 'object') {
    const count = countOf(value);
    const noun = kind === 'array' ? 'item' : 'key';
    return html`<span class="size">
      ${kind === 'array' ? '[ ]' : '{ }'} ${count} ${count === 1 ? noun : `${noun}s`}
    </span>`;
  }
  if (kind !== 'string') return html`<span class=${kind}>${JSON.stringify(value ?? null)}</span>`;
  const text = String(value);
  if (open === true) {
    const cut = text.length > shownText ? `${text.slice(0, shownText)}…` : text;
    return html`<span class="string whole">${cut}</span>`;
  }
  const shown = text.length > longString ? `${text.slice(0, longString)}…` : text;
  const left = open === null ? '' : html` <span class="size">${text.length} characters</span>`;
  return html`<span class="string">${JSON.stringify(shown)}</span>${left}`;
}

function textOf(row: JsonRow | undefined): string {
  if (row === undefined || row.kind === 'more') return '';
  return typeof row.value === 'string' ? row.value : JSON.stringify(row.value, null, 2);
}

/** Keys as in every tree of VS Code. */
function handleKey(
  event: KeyboardEvent,
  state: TreeState,
  rows: readonly JsonRow[],
  options: TreeOptions,
): void {
  const { change } = options;
  const tree = treeOf(event.currentTarget);
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === state.current),
  );
  const row = rows[at];
  if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const isOpen = row.kind === 'more' ? null : row.open;
  const go = (to: JsonRow | undefined): void => {
    if (to === undefined) return;
    change({ ...state, current: to.id });
    focusRow(tree, to.id);
  };
  const fold = (): void => toggle(tree, state, row, options);
  const parent = rows.slice(0, at).findLast(({ depth }) => depth < row.depth);
  const actions: Record<string, () => void> = {
    ArrowDown: () => go(rows[at + 1]),
    ArrowUp: () => go(rows[at - 1]),
    Home: () => go(rows[0]),
    End: () => go(rows.at(-1)),
    ArrowRight: () => (isOpen === false ? fold() : go(rows[at + 1])),
    ArrowLeft: () => (isOpen === true ? fold() : go(parent)),
    Enter: fold,
    ' ': fold,
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** Folds, unfolds, or shows more; the focus follows. */
function toggle(tree: Element | null, state: TreeState, row: JsonRow, options: TreeOptions): void {
  const next = toggled({ ...state, current: row.id }, row);
  options.change(next);
  focusRow(tree, next.current);
}

function treeOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[role=tree]') : null;
}

function focusRow(tree: Element | null, id: string): void {
  const row = [...(tree?.children ?? [])].find((child) => child.getAttribute('data-id') === id);
  if (row instanceof HTMLElement) row.focus();
}
