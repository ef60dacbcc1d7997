import { html, type TemplateResult } from 'lit-html';
import type { Activity, EmittedEvent } from '../../protocol/catalogue.ts';
import { icon } from '../shared/icons.ts';
import { deliveriesView } from './deliveries-view.ts';
import { jsonTree } from '../shared/json-tree.ts';
import { facts, part } from '../shared/parts.ts';
import { exactTime } from '../shared/quantities.ts';
import { runView } from './run-view.ts';
import { sparkline } from './sparkline.ts';
import type { InspectorContext } from './state.ts';
import { triggerView, type TriggerContext } from '../shared/trigger-view.ts';

export function inspectorView(context: InspectorContext): TemplateResult {
  const { state } = context;
  if (state.event === null) {
    return html`<main>
      <h1>Event</h1>
      <p class="notice" role="status">${state.problem ?? 'Loading the event…'}</p>
    </main>`;
  }
  const { run, deliveries, activity } = state;
  return html`<main>
    ${headerView(state.event, context)}
    ${state.problem === null ? '' : html`<p class="notice problem" role="alert">${icon('error')} ${state.problem}</p>`}
    ${payloadView(state.event, context)}
    ${run === null ? '' : triggerView(run, triggerContext(context))}
    ${run === null ? '' : runView(run, context)}
    ${deliveries === null ? '' : deliveriesView(deliveries, context)}
    ${metadataView(state.event, state.emitter)}
    ${activity === null ? '' : part('Activity', state.emitter, activityView(activity, context))}
  </main>`;
}

function activityView(activity: Activity, { act }: InspectorContext): TemplateResult {
  const failed = activity.failed.some((count) => count > 0);
  return html`${sparkline(activity)}${
    failed
      ? html`<button class="link" @click=${() => act('failedRuns')}>Show failed runs</button>`
      : ''
  }`;
}

function headerView(event: EmittedEvent, { state, act, copy }: InspectorContext): TemplateResult {
  const { summary, name } = event.metadata;
  const title = summary === undefined || summary.trim() === '' ? `Event ${event.id}` : summary;
  const canReplay = state.run !== null && state.run.trigger !== null;
  const about = [state.emitter, name === '' ? undefined : name, exactTime(event.indexed_at_ms)];
  return html`<header>
    <h1 title=${title}>${title}</h1>
    <p class="about">${about.filter((word) => word !== undefined).join(' · ')}</p>
    ${
      event.dropped === null
        ? ''
        : html`<p class="notice dropped">${icon('info')} Not emitted: ${event.dropped}</p>`
    }
    <fieldset class="actions acts">
      <button ?disabled=${!canReplay} @click=${() => act('replay')}>Replay…</button>
      <button ?disabled=${!canReplay} @click=${() => act('debug')}>Debug</button>
      <button
        class="secondary"
        title="Alt+↑"
        aria-keyshortcuts="Alt+ArrowUp"
        ?disabled=${!state.newer}
        @click=${() => act('newer')}
      >
        Newer
      </button>
      <button
        class="secondary"
        title="Alt+↓"
        aria-keyshortcuts="Alt+ArrowDown"
        ?disabled=${!state.older}
        @click=${() => act('older')}
      >
        Older
      </button>
      <button class="secondary" @click=${() => act('openJson')}>Open as JSON</button>
      <button
        class="secondary"
        @click=${() => copy(JSON.stringify(event.event, null, 2) ?? 'null')}
      >
        Copy JSON
      </button>
      <button class="secondary" ?disabled=${!state.older} @click=${() => act('compare')}>
        Compare with Previous
      </button>
    </fieldset>
  </header>`;
}

function payloadView(
  event: EmittedEvent,
  { state, change, copy }: InspectorContext,
): TemplateResult {
  const tree = jsonTree(state.payload, {
    label: 'Payload',
    root: 'event',
    copy,
    change: (payload) => change({ payload }),
  });
  return part('Payload', typeof event.event === 'string' ? 'text' : '', tree);
}

function metadataView(
  { id, indexed_at_ms, metadata }: EmittedEvent,
  emitter: string,
): TemplateResult {
  return part(
    'Metadata',
    '',
    facts([
      ['Emitted by', `${emitter} (${metadata.emitter_id})`],
      ['Channel', metadata.name],
      ['Id of the emit', metadata.id === undefined ? null : String(metadata.id)],
      [
        'ts of the emit',
        metadata.ts === undefined ? null : `${metadata.ts} (${exactTime(metadata.ts)})`,
      ],
      ['Emitted', exactTime(indexed_at_ms)],
      ['Event', id],
    ]),
    false,
  );
}

function triggerContext({ state, change, copy, act }: InspectorContext): TriggerContext {
  return { state, change, copy, copyCurl: () => act('copyCurl'), root: 'event' };
}
