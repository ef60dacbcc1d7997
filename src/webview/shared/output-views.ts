import { html, type TemplateResult } from 'lit-html';
import type { LogLine, StepRun } from '../../protocol/catalogue.ts';
import { clock } from './quantities.ts';

/** Lines that are shown here; a document has them all. */
const shownLines = 200;

/** Where a stack trace names a file, line and column: from `start` up to `end`, exclusive. */
export interface StackLink {
  readonly start: number;
  readonly end: number;
}

/**
 * An error, with a link for each frame of the author's code.
 * @param openFrame index of the link
 */
export function errorView(
  error: StepRun['error'],
  stackLinks: readonly StackLink[],
  openFrame: (at: number) => void,
): unknown {
  if (error === null) return '';
  const text = error.stack ?? `${error.name}: ${error.message}`;
  const pieces: unknown[] = [];
  let done = 0;
  for (const [at, { start, end }] of stackLinks.entries()) {
    const open = (event: Event): void => {
      // VS Code scrolls the page to its top for such a link.
      event.preventDefault();
      event.stopPropagation();
      openFrame(at);
    };
    pieces.push(
      text.slice(done, start),
      html`<a href="#" @click=${open}>${text.slice(start, end)}</a>`,
    );
    done = end;
  }
  return html`<pre class="error" tabindex="0">${pieces}${text.slice(done)}</pre>`;
}

/** @param rest what of it the lines that are left out are in */
export function logView(
  logs: readonly LogLine[],
  label = 'What the run printed',
  rest = 'in the run',
): TemplateResult {
  const left = logs.length - shownLines;
  return html`<ol class="log" tabindex="0" aria-label=${label}>
      ${logs.slice(0, shownLines).map(
        ({ ts, level, text }) =>
          html`<li class=${level}>
            <time>${clock(ts)}</time>
            <span class="level">${level}</span>
            <span class="text">${text}</span>
          </li>`,
      )}
    </ol>
    ${left > 0 ? html`<p class="about">${left} more ${rest}.</p>` : ''}`;
}
