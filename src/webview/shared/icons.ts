import add from '@vscode/codicons/src/icons/add.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import key from '@vscode/codicons/src/icons/key.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import lock from '@vscode/codicons/src/icons/lock.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import { html, type TemplateResult } from 'lit-html';
import { unsafeHTML } from 'lit-html/directives/unsafe-html.js';

const icons = {
  add,
  check,
  chevronDown,
  chevronRight,
  close,
  copy,
  error,
  info,
  key,
  loading,
  lock,
  warning,
} as const;

export type IconName = keyof typeof icons;

/** One of those that several pages have. */
export function icon(name: IconName): TemplateResult {
  return codicon(name, icons[name]);
}

/**
 * A codicon, inline, hidden from screen readers: text beside it says the same.
 * @param svg text of a file that is bundled, so its markup is safe
 */
export function codicon(name: string, svg: string): TemplateResult {
  return html`<span class="icon icon-${name}" aria-hidden="true">${unsafeHTML(svg)}</span>`;
}
