import { html, nothing, type TemplateResult } from 'lit-html';
import { startTree, type TreeState } from '../shared/json-rows.ts';
import { jsonTree } from '../shared/json-tree.ts';
import type { Values } from './messages.ts';

/** The newest execution's data for the unfolded part: the values that it can read, and its input. */
export interface LastData {
  readonly steps: Values;
  readonly given: Values | null;
}

/** Chooses values from the tree of what the last execution had; one tree is open at a time. */
export interface DataPicker {
  /** The button that unfolds the tree; a hint where nothing ran yet. @param of names the field to screen readers */
  button(key: string, of: string): TemplateResult;
  /** The tree below the field that it was unfolded for. @param use gets a path such as `steps.trigger.event` */
  tree(key: string, use: (path: string) => void): TemplateResult | typeof nothing;
}

export function createDataPicker(
  builder: { readonly data: LastData | undefined },
  show: () => void,
): DataPicker {
  let open: { readonly key: string; tree: TreeState } | undefined;
  const idOf = (key: string): string => `choose ${key}`;
  /** The tree goes with the focus in it: it returns to the button. */
  const close = (): void => {
    const id = open && idOf(open.key);
    open = undefined;
    show();
    if (id !== undefined) setTimeout(() => document.getElementById(id)?.focus());
  };
  return {
    button(key, of) {
      const { data } = builder;
      if (data === undefined)
        return html`<span class="hint">Run it once to choose from what it had.</span>`;
      const isOpen = open?.key === key;
      return html`<button
        id=${idOf(key)}
        type="button"
        class="link"
        aria-expanded=${isOpen}
        aria-label="Choose from the last execution: ${of}"
        @click=${() => {
          open = isOpen ? undefined : { key, tree: startTree(data.steps) };
          show();
        }}
      >
        Choose from the last execution
      </button>`;
    },
    tree(key, use) {
      const shown = open?.key === key ? open : undefined;
      if (shown === undefined) return nothing;
      return html`<div
        class="data-tree"
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Escape') close();
        }}
      >
        ${jsonTree(shown.tree, {
          label: 'What the last execution had',
          root: 'steps',
          change: (tree) => {
            shown.tree = tree;
            show();
          },
          copy: (text) => void navigator.clipboard.writeText(text),
          use: (path) => {
            use(path);
            close();
          },
        })}
      </div>`;
    },
  };
}
