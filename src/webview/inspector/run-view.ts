import { html, type TemplateResult } from 'lit-html';
import type { InspectedRun } from './messages.ts';
import { clock, exactTime, facts, part, took } from './parts.ts';
import type { InspectorContext } from './state.ts';

/** Lines that are shown here; the document of the run has them all. */
const shownLines = 200;

/** The run that emitted the event: how it went and what it printed. */
export function runView(run: InspectedRun, context: InspectorContext): TemplateResult {
  const { started_at: started, ended_at: ended } = run;
  const duration = started === null || ended === null ? '' : ` in ${took(ended - started)}`;
  const count = run.logs.length;
  const lines = count === 1 ? '1 line' : `${count} lines`;
  return part(
    'Run',
    `${run.status}${duration} · ${count === 0 ? 'printed nothing' : lines}`,
    html`
      ${facts([
        ['Id', run.id],
        ['Started', started === null ? null : exactTime(started)],
        ['Attempt', run.attempt > 1 ? String(run.attempt) : null],
        ['Replay of', run.replay_of],
      ])}
      ${errorView(run, context)} ${count === 0 ? '' : logView(run)}
      <div class="actions">
        <button class="link" @click=${() => context.act('showRun')}>Open the run</button>
        ${
          run.trigger === null
            ? ''
            : html`<button class="link" @click=${() => context.act('replay')}>Replay…</button>`
        }
      </div>
    `,
  );
}

/** The error, with a link for each frame of the author's code. */
function errorView({ error, stackLinks }: InspectedRun, { openFrame }: InspectorContext): unknown {
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

function logView({ logs }: InspectedRun): TemplateResult {
  const left = logs.length - shownLines;
  return html`<ol class="log" tabindex="0" aria-label="What the run printed">
      ${logs.slice(0, shownLines).map(
        ({ ts, level, text }) =>
          html`<li class=${level}>
            <time>${clock(ts)}</time>
            <span class="level">${level}</span>
            <span class="text">${text}</span>
          </li>`,
      )}
    </ol>
    ${left > 0 ? html`<p class="about">${left} more in the run.</p>` : ''}`;
}
