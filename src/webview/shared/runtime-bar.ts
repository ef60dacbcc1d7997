/** The bar above every page: which runtime it shows, and why nothing can be done with it now. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { icon } from './icons.ts';
import type { PageRuntime, RuntimeMessage } from './page-runtime.ts';
import './runtime-bar.css';

/** Buttons that act on the runtime are in such a group, which is off while the page's runtime cannot be reached. */
const acting = 'fieldset.acts';

export function isRuntimeMessage(message: unknown): message is RuntimeMessage {
  return (
    typeof message === 'object' && message !== null && 't' in message && message.t === 'runtime'
  );
}

/** Nothing for a local runtime that is there. */
export function runtimeBarView({ name, isLocal, problem }: PageRuntime): TemplateResult {
  return html`${isLocal ? nothing : html`<p class="runtime-name">${name}</p>`}
  ${
    problem === null
      ? nothing
      : html`<p class="runtime-problem" role="alert">${icon('warning')} <span>${problem}</span></p>`
  }`;
}

let bar: HTMLElement | undefined;
let isOff = false;
/** The page draws its groups again as it likes. */
const drawn = new MutationObserver(() => switchGroups());

/** Shows the bar above whatever the page draws into the body. */
export function showRuntime(runtime: PageRuntime): void {
  bar ??= addBar();
  bar.className = runtime.isLocal ? 'runtime-bar' : 'runtime-bar elsewhere';
  render(runtimeBarView(runtime), bar);
  isOff = runtime.problem !== null;
  drawn.disconnect();
  switchGroups();
  if (isOff) drawn.observe(document.body, { childList: true, subtree: true });
}

function addBar(): HTMLElement {
  const added = document.createElement('aside');
  added.setAttribute('aria-label', 'Runtime');
  document.body.prepend(added);
  return added;
}

function switchGroups(): void {
  for (const group of document.querySelectorAll(acting)) {
    if (group instanceof HTMLFieldSetElement) group.disabled = isOff;
  }
}
