import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { icon } from '../../shared/icons.ts';
import { statusIcon } from '../icons.ts';
import { clock, took } from '../../shared/quantities.ts';
import type { ExecutionHead } from '../messages.ts';
import { looks } from './looks.ts';
import { placeOf, type TimeScale } from './time-scale.ts';
import { statusOf, triggerKey, type TimelineNode, type TimelineRow } from './tree.ts';
import { drawn, rowHeight, type Sight } from './virtual-rows.ts';

export interface TimelineOptions {
  readonly head: ExecutionHead;
  readonly rows: readonly TimelineRow[];
  readonly scale: TimeScale;
  /** Epoch ms. */
  readonly now: number;
  /** Where the time scale ends. */
  readonly end: number;
  readonly current: string;
  readonly selected: string | null;
  readonly sight: Sight;
  readonly scrolled: (event: Event) => void;
  readonly choose: (id: string) => void;
  readonly toggle: (id: string) => void;
  readonly key: (event: KeyboardEvent) => void;
}

/** One bar for each step run on a line of time, and above them the trigger with the time in the queue. */
export function timelineView(options: TimelineOptions): TemplateResult {
  const { rows, sight, scrolled, current } = options;
  const { first, last } = drawn(rows.length, sight);
  const shown = rows.slice(first, last).map((row, at) => ({ row, at: first + at }));
  // The row with the focus stays, wherever the others are.
  const focused = rows.findIndex(({ node }) => node.id === current);
  if (focused >= 0 && (focused < first || focused >= last)) {
    const row = rows[focused];
    if (row !== undefined) shown.push({ row, at: focused });
  }
  return html`<div class="timeline">
    <div class="rows" @scroll=${scrolled}>
      ${axisView(options)}
      <ul
        role="tree"
        aria-label="Steps"
        .style=${`height:${(rows.length + 1) * rowHeight}px`}
        @keydown=${options.key}
      >
        ${triggerRow(options)}
        ${repeat(
          shown,
          ({ row }) => row.node.id,
          ({ row, at }) => rowView(row, at + 1, options),
        )}
      </ul>
    </div>
  </div>`;
}

function triggerRow(options: TimelineOptions): TemplateResult {
  const { head, selected, current, now, choose } = options;
  const queued = Math.max(0, (head.startedAt ?? head.endedAt ?? now) - head.createdAt);
  const wait = queued < 2 ? '' : `${took(queued)} in the queue`;
  return html`<li
    class=${`row${selected === triggerKey ? ' selected' : ''}`}
    role="treeitem"
    data-id=${triggerKey}
    aria-level="1"
    aria-selected=${selected === triggerKey}
    aria-label=${['Trigger', wait, head.title].filter((part) => part !== '').join(', ')}
    tabindex=${current === triggerKey ? 0 : -1}
    .style=${'top:0px'}
    @click=${() => choose(triggerKey)}
  >
    <span class="label">
      <span class="twistie"></span>${statusIcon('play')}
      <span class="step-name">Trigger</span>
    </span>
    <span class="track">
      ${queued < 2 ? '' : bar('queue', head.createdAt, head.createdAt + queued, options)}
    </span>
    <span class="duration">${queued < 2 ? '' : took(queued)}</span>
  </li>`;
}

function rowView(row: TimelineRow, at: number, options: TimelineOptions): TemplateResult {
  const { node, level, isOpen, place, siblings } = row;
  const { selected, current, choose, toggle } = options;
  const isSelected = node.run !== undefined && node.run.key === selected;
  const status = statusOf(node);
  const time = durationOf(node, options.now);
  const counts = countsOf(node);
  const name = nameOf(node);
  const twistie = (event: Event): void => {
    event.stopPropagation();
    toggle(node.id);
  };
  return html`<li
    class=${`row ${status}${isSelected ? ' selected' : ''}`}
    role="treeitem"
    data-id=${node.id}
    aria-level=${level}
    aria-setsize=${siblings}
    aria-posinset=${place}
    aria-expanded=${isOpen ?? nothing}
    aria-selected=${isSelected}
    aria-label=${labelOf(node, counts, time)}
    title=${node.run?.words ?? nothing}
    tabindex=${node.id === current ? 0 : -1}
    .style=${`top:${at * rowHeight}px`}
    @click=${() => choose(node.id)}
  >
    <span class="label" .style=${`padding-left:${(level - 1) * 14}px`}>
      <span class="twistie" @click=${isOpen === null ? nothing : twistie}
        >${isOpen === null ? '' : icon(isOpen ? 'chevronDown' : 'chevronRight')}</span
      >
      ${statusIcon(looks[status].icon)}
      <span class="step-name">${name}</span>
      ${status === 'failed' && failedIn(node) === 0 ? html`<span class="tag">failed</span>` : ''}
      ${(node.run?.pinned ?? null) === null ? '' : html`<span class="tag">pin</span>`}
      ${(node.run?.stale ?? null) === null ? '' : html`<span class="tag stale">stale</span>`}
      ${counts === '' ? '' : html`<span class="about">${counts}</span>`}
    </span>
    <span class="track">${barsOf(node, options)}</span>
    <span class="duration">${time}</span>
  </li>`;
}

/** What is seen of a row in its order, and what only its icon and its tooltip say. */
function labelOf(node: TimelineNode, counts: string, time: string): string {
  const status = statusOf(node);
  const { pinned = null, stale = null, words = null } = node.run ?? {};
  const isFailed = status === 'failed';
  return [
    nameOf(node),
    isFailed && failedIn(node) === 0 ? 'failed' : '',
    pinned === null ? '' : 'pin',
    stale === null ? '' : 'stale',
    counts,
    time,
    isFailed ? '' : looks[status].word,
    words ?? '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Its name, and which run and attempt of several. */
function nameOf({ name, run }: TimelineNode): string {
  if (run === undefined) return name;
  return [
    name,
    run.run > 1 ? `run ${run.run}` : '',
    run.attempt > 1 ? `attempt ${run.attempt}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** How many failed in a branch or a block: they are counted beside its name, which says that it has. */
function failedIn({ children, failed, run }: TimelineNode): number {
  return children.length === 0 ? 0 : failed - (run?.status === 'failed' ? 1 : 0);
}

/** What is in a branch or a block. */
function countsOf(node: TimelineNode): string {
  const { children } = node;
  const failed = failedIn(node);
  const [first] = children;
  const items =
    first?.kind === 'item' ? `${children.length} ${children.length === 1 ? 'item' : 'items'}` : '';
  return [items, failed > 0 ? `${failed} failed` : ''].filter((part) => part !== '').join(', ');
}

function spanOf(node: TimelineNode, now: number): readonly [number, number] | undefined {
  const { run, from, to, children } = node;
  const start = run?.startedAt ?? from;
  if (start === null) return undefined;
  const end = children.length > 0 ? to : (run?.endedAt ?? to);
  const last = statusOf(node) === 'running' ? now : (end ?? start);
  return [start, Math.max(start, last)];
}

function durationOf(node: TimelineNode, now: number): string {
  const span = spanOf(node, now);
  return span === undefined ? '' : took(span[1] - span[0]);
}

function barsOf(node: TimelineNode, options: TimelineOptions): unknown {
  const span = spanOf(node, options.now);
  if (span === undefined) return '';
  const [from, to] = span;
  const { run } = node;
  const kind = run === undefined || node.children.length > 0 ? 'inner' : 'own';
  const waits = run?.pause ?? null;
  return html`${bar(`${kind} ${statusOf(node)}`, from, to, options)}
  ${waits === null ? '' : bar('wait', to, waits.resumesAt ?? options.end, options)}`;
}

function bar(kind: string, from: number, to: number, { scale }: TimelineOptions): TemplateResult {
  const left = placeOf(scale, from) * 100;
  const width = Math.max(0, placeOf(scale, to) * 100 - left);
  return html`<span
    class=${`bar ${kind}`}
    .style=${`left:${left.toFixed(3)}%;width:${width.toFixed(3)}%`}
  ></span>`;
}

/** The times, and the pauses that are drawn short. */
function axisView({ scale }: TimelineOptions): TemplateResult {
  const gaps = scale.stretches.filter(({ isGap }) => isGap);
  return html`<div class="axis" aria-hidden="true">
    <span class="label about">Step</span>
    <span class="track">
      ${scale.ticks.map(
        ({ at, offset, time }) =>
          html`<span class="tick about" .style=${`left:${(at * 100).toFixed(3)}%`}
            >${offset === 0 ? clock(time).slice(0, 8) : `+${took(offset)}`}</span
          >`,
      )}
      ${gaps.map(
        ({ from, to, start, end: stop }) =>
          html`<span
            class="gap"
            title=${`Nothing runs for ${took(to - from)}`}
            .style=${`left:${(start * 100).toFixed(3)}%;width:${((stop - start) * 100).toFixed(3)}%`}
            ><span>${took(to - from)}</span></span
          >`,
      )}
    </span>
    <span class="duration about">Took</span>
  </div>`;
}
