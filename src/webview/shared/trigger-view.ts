import { html, type TemplateResult } from 'lit-html';
import { jsonTree } from './json-tree.ts';
import type { StoredTrigger } from '../../protocol/catalogue.ts';
import type { TreeState } from './json-rows.ts';
import { facts, part } from './parts.ts';
import { exactTime, size } from './quantities.ts';

type Request = Extract<StoredTrigger, { kind: 'http' }>;
type Tick = Extract<StoredTrigger, { kind: 'timer' }>;

/** What started a run of a source or an execution of a workflow. */
export interface Triggered {
  /** Null when it was not kept. */
  readonly trigger: StoredTrigger | null;
  readonly cause: string;
  /** Of a source. */
  readonly hook?: string | null;
}

export interface TriggerState {
  /** The parsed body of the request, or the event; null when it is neither. */
  readonly body: TreeState | null;
  readonly bodyRaw: boolean;
}

export interface TriggerContext {
  readonly state: TriggerState;
  readonly change: (part: Partial<TriggerState>) => void;
  readonly copy: (text: string) => void;
  readonly copyCurl: () => void;
  /** What the event is called in the author's code. */
  readonly root: string;
}

/** Characters of a body that are shown; Copy as cURL has all of it. */
const shownBody = 50_000;

const causes: Readonly<Record<string, string>> = {
  event: 'an event from another source',
  http: 'an event that its app sent',
  workflow: 'an event from a workflow',
};

/** What triggered the run, as it was received. */
export function triggerView(run: Triggered, context: TriggerContext): TemplateResult {
  const { trigger, hook = null } = run;
  if (trigger === null) {
    const why = hook === null ? 'It is no longer kept.' : `It ran as the ${hook} hook.`;
    return part('Trigger', why, '', false);
  }
  switch (trigger.kind) {
    case 'http':
      return part('Trigger', `${trigger.method} ${trigger.path}`, requestView(trigger, context));
    case 'timer':
      return part('Trigger', 'a tick of its timer', tickView(trigger));
    case 'event': {
      const about = causes[run.cause] ?? 'run by hand';
      return part('Trigger', about, eventTree('The event it ran with', context.root, context));
    }
    default:
      return trigger satisfies never;
  }
}

function requestView(trigger: Request, context: TriggerContext): TemplateResult {
  const headers = Object.entries(trigger.headers);
  return html`
    ${facts([
      ['URL', trigger.url],
      ['From', trigger.client_ip],
    ])}
    <div class="actions">
      <button class="link" @click=${() => context.copyCurl()}>Copy as cURL</button>
    </div>
    <details class="inner">
      <summary>
        <h3>Headers</h3>
        <span class="about">${headers.length}</span>
      </summary>
      ${facts(headers)}
    </details>
    ${trigger.body_bytes === 0 ? html`<p class="about">The request had no body.</p>` : bodyView(trigger, context)}
  `;
}

function bodyView(trigger: Request, context: TriggerContext): TemplateResult {
  const { state, change } = context;
  const isParsed = state.body !== null && !state.bodyRaw;
  const toggle =
    state.body === null
      ? ''
      : html`<button
          class="link"
          aria-pressed=${state.bodyRaw}
          @click=${() => change({ bodyRaw: !state.bodyRaw })}
        >
          As received
        </button>`;
  return html`
    <div class="heading">
      <h3>Body</h3>
      <span class="about">${size(trigger.body_bytes)}${kindOfBody(trigger, state)}</span>
      ${toggle}
    </div>
    ${isParsed ? eventTree('Body of the request', `${context.root}.body`, context) : rawText(trigger.body)}
  `;
}

/** Says so where the component gets a text, which may look like JSON. */
function kindOfBody({ body_encoding: encoding }: Request, { body }: TriggerState): string {
  if (encoding === 'base64') return ', as base64';
  return body === null ? ', a text' : '';
}

/** @param root the value's name in the code of `run(event)` */
function eventTree(
  label: string,
  root: string,
  { state, change, copy }: TriggerContext,
): TemplateResult {
  if (state.body === null) return html``;
  return jsonTree(state.body, {
    label,
    root,
    copy,
    change: (body) => change({ body }),
  });
}

function rawText(text: string): TemplateResult {
  const cut = text.length > shownBody;
  return html`<pre tabindex="0">${cut ? text.slice(0, shownBody) : text}</pre>
    ${cut ? html`<p class="about">${size(text.length - shownBody)} more.</p>` : ''}`;
}

function tickView({ timestamp, interval_seconds, cron, timezone }: Tick): TemplateResult {
  return facts([
    ['Time', exactTime(timestamp * 1000)],
    ['Every', interval_seconds === null ? null : `${interval_seconds} seconds`],
    ['Cron', cron],
    ['Time zone', timezone],
  ]);
}
