/** The word "Copied", shown for a moment at the foot of a page. */
import type { CopiedMessage } from './page-runtime.ts';
import './copied.css';

/** How long the word stays, in ms. */
const shownMs = 2000;

export function isCopiedMessage(message: unknown): message is CopiedMessage {
  return (
    typeof message === 'object' && message !== null && 't' in message && message.t === 'copied'
  );
}

let note: HTMLElement | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** Says it anew each time, also to screen readers. */
export function showCopied(): void {
  note?.remove();
  note = document.createElement('div');
  note.className = 'copied';
  note.setAttribute('role', 'status');
  document.body.append(note);
  // A live region is read out when its text changes, not when it appears.
  note.textContent = 'Copied';
  clearTimeout(hiding);
  hiding = setTimeout(() => note?.remove(), shownMs);
}
