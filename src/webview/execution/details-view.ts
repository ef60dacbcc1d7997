import { html, type TemplateResult } from 'lit-html';
import type { GivenResponse, Send } from '../../protocol/catalogue.ts';
import type { TreeState } from '../shared/json-rows.ts';
import { jsonTree } from '../shared/json-tree.ts';
import { errorView, logView } from '../shared/output-views.ts';
import { icon } from '../shared/icons.ts';
import { facts, part } from '../shared/parts.ts';
import { exactTime, size, took } from '../shared/quantities.ts';
import { triggerView } from '../shared/trigger-view.ts';
import { statusIcon } from './icons.ts';
import type { Details, ExecutionAction, StepAction } from './messages.ts';
import type { ExecutionState } from './state.ts';
import { looks } from './timeline/looks.ts';

export interface DetailsContext {
  readonly state: ExecutionState;
  readonly change: (part: Partial<ExecutionState>) => void;
  readonly copy: (text: string) => void;
  readonly act: (action: ExecutionAction) => void;
  readonly actOnStep: (action: StepAction, key: string) => void;
  readonly openFrame: (at: number) => void;
}

/** What is known of the row that is selected. */
export function detailsView(context: DetailsContext): TemplateResult {
  const { details, selected } = context.state;
  if (details === null || details.of !== selected) {
    return html`<p class="about">Loading…</p>`;
  }
  return details.about.kind === 'trigger'
    ? triggerDetails(details.about, context)
    : stepDetails(details.about, details.of, context);
}

function triggerDetails(
  about: Extract<Details, { kind: 'trigger' }>,
  context: DetailsContext,
): TemplateResult {
  const { state, copy, openFrame } = context;
  const body = state.trees['body'] ?? null;
  return html`${errorView(about.error, about.stackLinks, openFrame)}
  ${triggerView(about, {
    state: { body, bodyRaw: state.bodyRaw },
    change: (changed) => {
      context.change({
        ...(changed.bodyRaw !== undefined && { bodyRaw: changed.bodyRaw }),
        ...(changed.body !== undefined &&
          changed.body !== null && { trees: { ...state.trees, body: changed.body } }),
      });
    },
    copy,
    copyCurl: () => context.act('copyCurl'),
    root: 'steps.trigger.event',
  })}`;
}

const actionTitles: Readonly<Record<StepAction, string>> = {
  resumeExecution: 'Resume',
  skipPause: 'Skip Pause',
  runStep: 'Run This Step',
  runFromStep: 'Run from This Step',
  runFromStepWith: 'Run from This Step with Other Props…',
  pinStep: 'Pin the Result…',
  openCode: 'Open Code',
  copyResumeUrl: 'Copy Resume URL',
};

type StepDetails = Extract<Details, { kind: 'step' }>;

function stepDetails(
  { step, stale, sends, requests, response, stackLinks, actions }: StepDetails,
  key: string,
  context: DetailsContext,
): TemplateResult {
  const { started_at: started, ended_at: ended, pause } = step;
  const dueAt = pause?.resumes_at ?? null;
  // What it threw is logged as well.
  const logs = step.logs.filter(({ text }) => text !== step.error?.stack);
  return html`<header>
      <h2>${step.namespace}</h2>
      <p class="about">
        ${statusIcon(looks[step.status].icon)}
        ${[
          looks[step.status].word,
          started === null || ended === null ? '' : took(ended - started),
          step.run > 1 ? `run ${step.run}` : '',
          step.attempt > 1 ? `attempt ${step.attempt}` : '',
        ]
          .filter((word) => word !== '')
          .join(' · ')}
      </p>
      ${stale === null ? '' : html`<p class="notice">${icon('warning')} Out of date: ${stale}.</p>`}
      ${step.summary === null ? '' : html`<p class="summary">${step.summary}</p>`}
      ${
        actions.length === 0
          ? ''
          : html`<fieldset class="actions acts">
              ${actions.map(
                (action) =>
                  html`<button
                    class=${action === 'resumeExecution' ? '' : 'secondary'}
                    @click=${() => context.actOnStep(action, key)}
                  >
                    ${actionTitles[action]}
                  </button>`,
              )}
            </fieldset>`
      }
    </header>
    ${errorView(step.error, stackLinks, context.openFrame)}
    ${valuePart('Return value', 'value', `steps.${step.namespace}.$return_value`, context)}
    ${valuePart('Exports', 'exports', `steps.${step.namespace}`, context)}
    ${valuePart('Props', 'props', 'this', context)}
    ${logs.length === 0 ? '' : part('Log', lineCount(logs.length), logView(logs, 'What the step printed', 'in its text'))}
    ${
      sends.length === 0
        ? ''
        : part(
            'Sent',
            sends.length === 1 ? '' : `${sends.length}`,
            sends.map((one) => sendView(one, context)),
          )
    }
    ${requests.length === 0 ? '' : part('Requests', requests.length === 1 ? '' : `${requests.length}`, requestsView(requests))}
    ${response === null ? '' : responseView(response)}
    ${part(
      'About',
      '',
      facts([
        ['Path', step.path === step.namespace ? null : step.path],
        ['Started', started === null ? null : exactTime(started)],
        ['Ended', ended === null ? null : exactTime(ended)],
        ['Leg', step.leg > 1 ? String(step.leg) : null],
        ['Pin', step.pinned],
        [
          pause?.kind === 'suspend' ? 'Cancelled unless resumed' : 'Goes on',
          dueAt === null ? null : exactTime(dueAt),
        ],
        ['Resume URL', pause?.resume_url],
        ['Cancel URL', pause?.cancel_url],
      ]),
      pause !== null,
    )}`;
}

function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

function valuePart(
  title: string,
  name: string,
  root: string,
  { state, change, copy }: DetailsContext,
): TemplateResult | string {
  const tree = state.trees[name];
  if (tree === undefined) return '';
  return part(
    title,
    '',
    treeView(title, name, root, tree, { state, change, copy }),
    name !== 'props',
  );
}

function treeView(
  label: string,
  name: string,
  root: string,
  tree: TreeState,
  { state, change, copy }: Pick<DetailsContext, 'state' | 'change' | 'copy'>,
): TemplateResult {
  return jsonTree(tree, {
    label,
    root,
    copy,
    change: (next) => change({ trees: { ...state.trees, [name]: next } }),
  });
}

function requestsView(requests: StepDetails['requests']): TemplateResult {
  return html`<table class="requests">
    <thead>
      <tr>
        <th scope="col">Request</th>
        <th scope="col">Status</th>
        <th scope="col">Time</th>
      </tr>
    </thead>
    <tbody>
      ${requests.map(
        ({ method, url, status, duration_ms: ms, error }) =>
          html`<tr>
            <td class="url">
              ${method} ${url} ${error === null ? '' : html`<p class="problem">${error}</p>`}
            </td>
            <td>${status ?? 'none'}</td>
            <td>${took(ms)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const sendWords: Readonly<Record<Send['status'], string>> = {
  pending: 'is being sent',
  sent: 'sent',
  failed: 'failed',
  not_sent: 'not sent: a test',
};

function sendView(send: Send, context: DetailsContext): TemplateResult {
  const { id, kind, status, error } = send;
  const tree = context.state.trees[id];
  return html`<section class="send">
    <h3>${kind}</h3>
    <span class="about">${sendWords[status]}</span>
    ${error === null ? '' : html`<p class="problem">${error.name}: ${error.message}</p>`}
    ${tree === undefined ? '' : treeView(`What was sent: ${kind}`, id, 'sent', tree, context)}
  </section>`;
}

function responseView({
  status,
  headers,
  body,
  body_encoding: encoding,
  body_bytes: bytes,
}: GivenResponse): TemplateResult {
  const text = encoding === 'utf8' ? body : '';
  return part(
    'Response',
    `${status} · ${size(bytes)}`,
    html`${facts(Object.entries(headers).map(([name, value]) => [name, String(value)] as const))}
    ${text === '' ? '' : html`<pre tabindex="0">${text}</pre>`}`,
  );
}
