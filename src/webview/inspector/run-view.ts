import { html, type TemplateResult } from 'lit-html';
import type { InspectedRun } from './messages.ts';
import { errorView, logView } from '../shared/output-views.ts';
import { facts, part } from '../shared/parts.ts';
import { exactTime, took } from '../shared/quantities.ts';
import type { InspectorContext } from './state.ts';

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
      ${errorView(run.error, run.stackLinks, context.openFrame)}
      ${count === 0 ? '' : logView(run.logs)}
      <fieldset class="actions acts">
        <button class="link" @click=${() => context.act('showRun')}>Open the run</button>
      </fieldset>
    `,
  );
}
