import { html, nothing, type TemplateResult } from 'lit-html';
import type { ExecutionStatus, Pin } from '../../protocol/catalogue.ts';
import { icon } from '../shared/icons.ts';
import { part } from '../shared/parts.ts';
import { exactTime, took } from '../shared/quantities.ts';
import type { FailureGroup, Point, WorkflowAction } from './messages.ts';
import { durationsPart, successPart } from './plots-view.ts';
import type { WorkflowContext } from './state.ts';

const actionTitles: Readonly<Record<WorkflowAction, string>> = {
  runWithEvent: 'Run with Event…',
  retryFailed: 'Retry Failed…',
  replayOnFiles: 'Replay with Edited Files…',
  cancelAllExecutions: 'Cancel All Executions…',
  managePins: 'Manage Pins…',
  openWorkflow: 'Open Workflow',
  openInBuilder: 'Open in Builder',
};

export function workflowView(context: WorkflowContext): TemplateResult {
  const { page, problem } = context.state;
  if (page === null) {
    return html`<main>
      <h1>Workflow</h1>
      <p class="notice" role="status">${problem ?? 'Loading the workflow…'}</p>
    </main>`;
  }
  const { points, open, failures, pins, total } = page;
  return html`<main>
    <header>
      <h1>${page.name}</h1>
      <p class="about">
        ${[page.active ? '' : 'switched off', ...page.triggers].filter((text) => text !== '').join(' · ')}
      </p>
      <fieldset class="actions acts">
        ${page.actions.map(
          (action, at) =>
            html`<button
              class=${at === 0 ? nothing : 'secondary'}
              @click=${() => context.ask({ t: 'do', action })}
            >
              ${actionTitles[action]}
            </button>`,
        )}
      </fieldset>
    </header>
    ${problem === null ? '' : html`<p class="notice problem" role="alert">${icon('error')} ${problem}</p>`}
    ${
      total === 0
        ? html`<p class="notice" role="status">
            ${icon('info')} It has not run yet. Run it with an event, or let its trigger do so.
          </p>`
        : ''
    }
    ${openPart(open, context)} ${durationsPart(page, context)} ${successPart(points, context)}
    ${failuresPart(failures, points, context)} ${pinsPart(pins, context)}
    ${points.length === 0 ? '' : tablePart(points, context)}
  </main>`;
}

function openPart(open: readonly Point[], context: WorkflowContext): TemplateResult {
  const of = (status: ExecutionStatus): number =>
    open.filter((point) => point.status === status).length;
  const counts = (['running', 'queued', 'paused'] as const)
    .filter((status) => of(status) > 0)
    .map((status) => `${of(status)} ${status}`);
  return part(
    'In progress',
    counts.length === 0 ? 'nothing is running or waiting' : counts.join(', '),
    open.length === 0
      ? ''
      : html`<ul class="rows">
          ${open.map(
            (point) =>
              html`<li>
                ${openButton(point, context)}
                <span class="about">
                  ${point.status}${point.words === null || point.words === point.status ? '' : ` · ${point.words}`}
                  · ${exactTime(point.at)}
                </span>
                <fieldset class="acts inline">
                  <button
                    class="link"
                    aria-label=${`Cancel ${point.id}`}
                    @click=${() => context.ask({ t: 'cancel', id: point.id })}
                  >
                    Cancel
                  </button>
                </fieldset>
              </li>`,
          )}
        </ul>`,
  );
}

function openButton(point: Point, { ask }: WorkflowContext): TemplateResult {
  return html`<button
    class="link"
    aria-label=${`${point.title}, ${point.id}`}
    @click=${() => ask({ t: 'open', id: point.id })}
  >
    ${point.title}
  </button>`;
}

function failuresPart(
  failures: readonly FailureGroup[],
  points: readonly Point[],
  context: WorkflowContext,
): unknown {
  if (points.length === 0) return '';
  const count = failures.reduce((sum, { ids }) => sum + ids.length, 0);
  return part(
    'Failures',
    count === 0 ? 'none' : count === 1 ? '1' : `${count}, by step and error`,
    failures.length === 0
      ? ''
      : html`<ul class="rows">
          ${failures.map((group, at) => failureRow(group, at, context))}
        </ul>`,
  );
}

const retryWords: Readonly<Record<FailureGroup['retries'], string>> = {
  good: ' · fixed by a retry',
  pending: ' · retry in progress',
  open: '',
};

function failureRow(group: FailureGroup, at: number, { ask }: WorkflowContext): TemplateResult {
  const { step, error, ids, open, retries } = group;
  const [newest = ''] = ids;
  return html`<li>
    <span class="count">${ids.length} ×</span>
    <button
      class="link failure"
      aria-label=${`${step ?? 'The execution'}: ${error}, shows ${newest}`}
      @click=${() => ask({ t: 'open', id: newest })}
    >
      ${step === null ? '' : html`<strong>${step}</strong>`} ${error}
    </button>
    <span class="about">${exactTime(group.at)}${retryWords[retries]}</span>
    ${
      open.length === 0
        ? ''
        : html`<fieldset class="acts inline">
            <button
              class="link"
              aria-label=${`Retry ${open.length} of ${step ?? 'these'}: ${error}`}
              @click=${() => ask({ t: 'retry', at })}
            >
              Retry ${open.length}
            </button>
          </fieldset>`
    }
  </li>`;
}

function pinsPart(pins: readonly Pin[], { ask }: WorkflowContext): unknown {
  if (pins.length === 0) return '';
  const active = pins.filter((pin) => pin.active).length;
  return part(
    'Pins',
    active === 0 ? 'none stands in for a step by itself' : `${active} active in tests`,
    html`<ul class="rows">
      ${pins.map(
        (pin, at) =>
          html`<li>
            <button class="link" @click=${() => ask({ t: 'openPin', at })}>
              ${pin.step}: ${pin.name}
            </button>
            <span class="about"
              >${pin.active ? 'stands in in every test' : pin.known ? 'when a test asks for it' : 'there is no such step'}</span
            >
          </li>`,
      )}
    </ul>`,
  );
}

/** The same as the plots, for those who read rather than look. */
function tablePart(points: readonly Point[], context: WorkflowContext): TemplateResult {
  return part(
    'Executions as a table',
    points.length === 1 ? '1' : `the last ${points.length}, without tests`,
    html`<table>
      <thead>
        <tr>
          <th scope="col">Execution</th>
          <th scope="col">Came</th>
          <th scope="col">Status</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        ${points.toReversed().map(
          (point) =>
            html`<tr>
              <th scope="row">
                ${openButton(point, context)} <span class="about">${point.id}</span>
              </th>
              <td>${exactTime(point.at)}</td>
              <td>${point.status.replace('_', ' ')}</td>
              <td>${point.took === null ? '' : took(point.took)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
    false,
  );
}
