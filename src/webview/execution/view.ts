import { html, type TemplateResult } from 'lit-html';
import { icon } from '../shared/icons.ts';
import { exactTime, took } from '../shared/quantities.ts';
import { detailsView, type DetailsContext } from './details-view.ts';
import { statusIcon, type StatusIcon } from './icons.ts';
import type { ExecutionAction, ExecutionHead } from './messages.ts';
import { failedSteps, type Timeline } from './state.ts';
import { timelineView } from './timeline/timeline-view.ts';
import type { TimelineSight } from './timeline/virtual-rows.ts';

export interface PageContext extends DetailsContext {
  /** Epoch ms. */
  readonly now: number;
  readonly sight: TimelineSight;
  readonly timeline: () => Timeline;
  readonly scrolled: (event: Event) => void;
  /** A row, by its id. */
  readonly choose: (id: string) => void;
  readonly toggle: (id: string) => void;
  readonly key: (event: KeyboardEvent) => void;
  readonly filter: (text: string) => void;
  readonly showFailed: () => void;
}

export function executionView(context: PageContext): TemplateResult {
  const { state } = context;
  const { head, problem } = state;
  if (head === null) {
    return html`<main>
      <h1>Execution</h1>
      <p class="notice" role="status">${problem ?? 'Loading the execution…'}</p>
    </main>`;
  }
  const { rows, scale, end } = context.timeline();
  return html`<main>
    ${headView(head, context)}
    ${problem === null ? '' : html`<p class="notice problem" role="alert">${icon('error')} ${problem}</p>`}
    <div class="panes">
      <section class="steps" aria-label="Timeline">
        ${toolsView(context)}
        ${timelineView({ ...context, head, rows, scale, end, current: state.current, selected: state.selected })}
        ${
          rows.length > 0
            ? ''
            : html`<p class="about empty">
                ${state.steps.length > 0 ? 'No step fits the filter.' : head.startedAt === null ? 'It waits for its turn.' : 'No step has run.'}
              </p>`
        }
      </section>
      <section class="details" aria-label="Details" tabindex="0">${detailsView(context)}</section>
    </div>
  </main>`;
}

const icons: Readonly<Record<ExecutionHead['status'], StatusIcon>> = {
  queued: 'history',
  running: 'loading',
  paused: 'debugPause',
  succeeded: 'pass',
  failed: 'error',
  crashed: 'error',
  timed_out: 'error',
  cancelled: 'circleSlash',
  dropped: 'circleSlash',
};

const actionTitles: Readonly<Record<ExecutionAction, string>> = {
  replay: 'Replay',
  retryFailed: 'Retry Failed…',
  replayOnFiles: 'Replay with Edited Files',
  cancelExecution: 'Cancel',
  saveTest: 'Save as Test…',
  copyCurl: 'Copy as cURL',
  openWorkflowPage: 'Show Workflow',
  openWorkflow: 'Open Workflow',
  openText: 'Open as Text',
};

function headView(head: ExecutionHead, { now, act }: PageContext): TemplateResult {
  const { status, startedAt, endedAt, createdAt, words } = head;
  const lasts = startedAt === null ? null : (endedAt ?? now) - startedAt;
  const about = [
    exactTime(startedAt ?? createdAt),
    lasts === null ? '' : took(lasts),
    head.id,
    head.replayOf === null ? '' : `replay of ${head.replayOf}`,
  ].filter((part) => part !== '');
  const state = status.replace('_', ' ');
  return html`<header class=${`head ${status}`}>
    <h1 title=${head.title}>${head.title} <span class="about">${head.workflow}</span></h1>
    <p class="state" role="status">
      ${statusIcon(icons[status])}
      <span
        ><strong>${state}</strong>${words === null || words === state ? '' : ` · ${words}`}</span
      >
    </p>
    <p class="about" title=${`Trace ${head.traceId}`}>${about.join(' · ')}</p>
    ${
      head.test
        ? html`<p class="notice">
            ${icon('info')} A test of the files as they were: nothing was emitted, delivered or
            scheduled. Requests and data store writes of its steps were real.
          </p>`
        : ''
    }
    <fieldset class="actions acts">
      ${head.actions.map(
        (action) =>
          html`<button class="secondary" @click=${() => act(action)}>
            ${actionTitles[action]}
          </button>`,
      )}
    </fieldset>
  </header>`;
}

function toolsView({ state, filter, showFailed }: PageContext): TemplateResult {
  const failed = failedSteps(state.steps).length;
  const count = state.steps.length;
  return html`<div class="tools">
    <input
      type="text"
      class="filter"
      placeholder="Filter: a name, or failed"
      aria-label="Filter the steps"
      .value=${state.filter}
      @input=${({ target }: Event) => filter((target as HTMLInputElement).value)}
    />
    <span class="about">${count === 1 ? '1 step run' : `${count} step runs`}</span>
    ${
      failed === 0
        ? ''
        : html`<button class="link" @click=${showFailed}>
            ${failed === 1 ? 'Show what failed' : `Show the first of ${failed} that failed`}
          </button>`
    }
  </div>`;
}
