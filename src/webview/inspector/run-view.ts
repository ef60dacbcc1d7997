import { html, type TemplateResult } from 'lit-html';
import type { InspectedRun } from './messages.ts';
import { clock, exactTime, facts, part, took } from './parts.ts';
import type { Drawing } from './view.ts';

/** Lines that are shown here; the run's document has them all. */
const shownLines = 200;

/** The run that emitted the event: how it went and what it printed. */
export function runView(run: InspectedRun, drawing: Drawing): TemplateResult {
  const { started_at: started, ended_at: ended, error } = run;
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
      ${error === null ? '' : html`<pre class="error" tabindex="0">${error.stack ?? `${error.name}: ${error.message}`}</pre>`}
      ${count === 0 ? '' : logView(run)}
      <div class="actions">
        <button class="link" @click=${() => drawing.act('showRun')}>Open the run</button>
      </div>
    `,
  );
}

function logView({ logs }: InspectedRun): TemplateResult {
  return html`<ol class="log">
    ${logs.slice(0, shownLines).map(
      ({ ts, level, text }) =>
        html`<li class=${level}>
          <time>${clock(ts)}</time>
          <span class="level">${level}</span>
          <span class="text">${text}</span>
        </li>`,
    )}
  </ol>`;
}
