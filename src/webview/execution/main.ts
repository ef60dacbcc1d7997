import { render } from 'lit-html';
import { debounce } from '../shared/debounce.ts';
import { connectHost } from '../shared/vscode-api.ts';
import type { HostMessage, PageMessage, PageState } from './messages.ts';
import {
  failedSteps,
  firstSelection,
  firstState,
  timelineOf,
  withMessage,
  withSelected,
  type ExecutionState,
  type Timeline,
} from './state.ts';
import { moveIn } from './timeline/keys.ts';
import { rowsOf, toggle, triggerKey, type TimelineRow } from './timeline/tree.ts';
import { axisHeight, rowHeight, scrolledTo } from './timeline/virtual-rows.ts';
import { executionView } from './view.ts';
import '../shared/page.css';
import './execution.css';
import '../shared/json-tree.css';

/** How often the bars of what runs grow, in ms. */
const growMs = 500;

const host = connectHost<HostMessage, PageMessage, PageState>();
const kept = host.kept();
let state: ExecutionState = {
  ...firstState,
  toggled: new Set(kept?.toggled),
  filter: kept?.filter ?? '',
};
let wanted = kept?.selected ?? null;
/** Where the rows were scrolled to before a reload, until they are there again. */
let scrollFirst = kept?.scrollTop ?? 0;
let sight = { scrollTop: 0, height: 600, trackWidth: 600 };
let isScheduled = false;

function show(next: ExecutionState): void {
  state = next;
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    draw();
  });
}

function draw(): void {
  const now = Date.now();
  render(
    executionView({
      state,
      now,
      sight,
      timeline: () => currentTimeline(now),
      change: (part) => show({ ...state, ...part }),
      copy: (text) => host.post({ t: 'copy', text }),
      act: (action) => ask({ t: 'do', action }),
      actOnStep: (action, key) => ask({ t: 'doStep', action, key }),
      openFrame: (at) => ask({ t: 'openFrame', at }),
      scrolled,
      choose,
      toggle: (id) => keep({ ...state, toggled: toggle(state.toggled, id), current: id }),
      key: handleKey,
      filter: (filter) => keep({ ...state, filter }),
      showFailed() {
        const [first] = failedSteps(state.steps);
        if (first !== undefined) select(first.key);
      },
    }),
    document.body,
  );
  measure();
}

let known: { of: ExecutionState; trackWidth: number; at: number; timeline: Timeline } | undefined;

/** While rows are scrolled it stays as it is: of a thousand steps it takes a while to make. */
function currentTimeline(now: number): Timeline {
  const { trackWidth } = sight;
  const isOver = (state.head?.endedAt ?? null) !== null;
  const isSame = known?.of === state && known.trackWidth === trackWidth;
  if (known !== undefined && isSame && (isOver || now - known.at < growMs)) return known.timeline;
  const timeline = timelineOf(state, now, trackWidth);
  known = { of: state, trackWidth, at: now, timeline };
  return timeline;
}

/** Follows the height of the rows, which is known when they are there for the first time. */
function measure(): void {
  const box = rowsBox();
  if (box === null || observed === box) return;
  observed = box;
  resized.disconnect();
  resized.observe(box);
}
let observed: Element | null = null;
const resized = new ResizeObserver(([entry]) => {
  if (entry === undefined) return;
  const track = document.querySelector('.axis .track')?.getBoundingClientRect();
  const trackWidth = Math.max(1, track?.width ?? sight.trackWidth);
  sight = { ...sight, height: entry.contentRect.height - axisHeight, trackWidth };
  show(state);
  if (scrollFirst > 0) entry.target.scrollTop = scrollFirst;
  scrollFirst = 0;
});

function shownRows(): readonly TimelineRow[] {
  return rowsOf(state.roots, state.toggled, state.filter);
}

function rowsBox(): Element | null {
  return document.querySelector('.timeline .rows');
}

function scrolled({ currentTarget }: Event): void {
  if (!(currentTarget instanceof Element)) return;
  sight = {
    ...sight,
    scrollTop: currentTarget.scrollTop,
    height: currentTarget.clientHeight - axisHeight,
  };
  draw();
  scrollEnded.request(keepState);
}
/** The host gets the position of the rows when scrolling has ended. */
const scrollEnded = debounce(200);

/** A problem is about the last request only, so the next one clears it. */
function ask(message: PageMessage): void {
  if (state.head !== null && state.problem !== null) show({ ...state, problem: null });
  host.post(message);
}

function keep(next: ExecutionState): void {
  show(next);
  keepState();
}

function keepState(): void {
  const { selected, toggled, filter } = state;
  host.keep({ selected, toggled: [...toggled], filter, scrollTop: sight.scrollTop });
}

/** The row of a run, or of a block that has not ended: that one has no details, and is folded. */
function choose(id: string): void {
  if (id === triggerKey) return select(triggerKey);
  const rows = shownRows();
  const row = rows.find(({ node }) => node.id === id);
  if (row === undefined) return;
  if (row.node.run === undefined) {
    keep({ ...state, toggled: toggle(state.toggled, id), current: id });
  } else {
    keep({ ...state, selected: row.node.run.key, current: id });
    host.post({ t: 'select', key: row.node.run.key });
  }
}

/** Shows a run wherever it is: its parents are unfolded, and it is scrolled to. */
function select(key: string): void {
  keep(withSelected(state, key));
  host.post({ t: 'select', key });
  queueMicrotask(() => scrollTo(state.current));
}

function scrollTo(id: string, focus = false): void {
  const box = rowsBox();
  if (box === null) return;
  const rows = shownRows();
  const at = id === triggerKey ? 0 : rows.findIndex(({ node }) => node.id === id) + 1;
  const height = box.clientHeight - axisHeight;
  box.scrollTop = scrolledTo(at, { scrollTop: box.scrollTop, height });
  if (!focus) return;
  const row = [...box.querySelectorAll('[data-id]')].find(
    (one) => one.getAttribute('data-id') === id,
  );
  if (row instanceof HTMLElement) row.focus({ preventScroll: true });
}

/** Keys as in every tree of VS Code. */
function handleKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = shownRows();
  const page = Math.max(1, Math.floor(sight.height / rowHeight) - 1);
  const row = event.target instanceof Element ? event.target.closest('[data-id]') : null;
  const move = moveIn(rows, row?.getAttribute('data-id') ?? state.current, event.key, page);
  if (move === undefined) return;
  event.preventDefault();
  if (move.do === 'choose') return choose(move.id);
  const toggled = move.do === 'toggle' ? toggle(state.toggled, move.id) : state.toggled;
  keep({ ...state, toggled, current: move.id });
  queueMicrotask(() => scrollTo(move.id, true));
}

host.listen((message) => {
  if (message.t === 'choose') return select(message.key);
  const isFirst = state.head === null && message.t === 'execution';
  show(withMessage(state, message));
  if (!isFirst) return;
  const known = wanted === triggerKey || state.steps.some(({ key }) => key === wanted);
  select(wanted !== null && known ? wanted : firstSelection(state.steps));
  wanted = null;
});
setInterval(() => {
  const status = state.head?.status;
  if (status === 'running' || status === 'queued') show({ ...state });
}, growMs);
draw();
host.post({ t: 'ready' });
