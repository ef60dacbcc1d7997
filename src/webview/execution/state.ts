import { startTree, type TreeState } from '../shared/json-rows.ts';
import { bodyOf } from '../shared/trigger-body.ts';
import type { Details, ExecutionHead, HostMessage, StepSummary } from './messages.ts';
import type { Span } from './timeline/time-scale.ts';
import { timeScale, type TimeScale } from './timeline/time-scale.ts';
import {
  rowsOf,
  timelineTree,
  triggerKey,
  wayTo,
  type TimelineNode,
  type TimelineRow,
} from './timeline/tree.ts';

/** What the page knows of the execution it shows. */
export interface ExecutionState {
  /** Null until it has been read. */
  readonly head: ExecutionHead | null;
  readonly steps: readonly StepSummary[];
  readonly roots: readonly TimelineNode[];
  /** Paths of the steps that contain others. */
  readonly blocks: ReadonlySet<string>;
  /** Key of the row whose details are shown; null until one was chosen. */
  readonly selected: string | null;
  /** Id of the row with the keyboard's focus. */
  readonly current: string;
  /** Rows that are not folded or unfolded as they start. */
  readonly toggled: ReadonlySet<string>;
  readonly filter: string;
  /** Of the row that was selected, or of one before as long as these have not come. */
  readonly details: { readonly of: string; readonly about: Details } | null;
  /** The values of the details as trees, by what they are. */
  readonly trees: Readonly<Record<string, TreeState>>;
  readonly bodyRaw: boolean;
  readonly problem: string | null;
}

export const firstState: ExecutionState = {
  head: null,
  steps: [],
  roots: [],
  blocks: new Set(),
  selected: null,
  current: triggerKey,
  toggled: new Set(),
  filter: '',
  details: null,
  trees: {},
  bodyRaw: false,
  problem: null,
};

/** The state after a message from the host. */
export function withMessage(
  state: ExecutionState,
  message: Exclude<HostMessage, { t: 'choose' }>,
): ExecutionState {
  switch (message.t) {
    case 'execution': {
      const steps = [...state.steps.slice(0, message.from), ...message.steps];
      const roots = timelineTree(steps);
      return { ...state, head: message.head, steps, roots, blocks: blocksOf(steps), problem: null };
    }
    case 'details':
      return message.of === state.selected
        ? withDetails(state, message.of, message.details)
        : state;
    case 'problem':
      return { ...state, problem: message.problem };
    default:
      return message satisfies never;
  }
}

/** What is unfolded stays so while more becomes known of the same row. */
function withDetails(state: ExecutionState, of: string, about: Details): ExecutionState {
  const isSame = state.details?.of === of;
  const trees = Object.fromEntries(
    Object.entries(treesOf(about)).map(([name, tree]): [string, TreeState] => {
      const known = isSame ? state.trees[name] : undefined;
      return [name, known === undefined ? tree : { ...known, value: tree.value }];
    }),
  );
  return { ...state, details: { of, about }, trees, bodyRaw: isSame && state.bodyRaw };
}

function treesOf(about: Details): Record<string, TreeState> {
  if (about.kind === 'trigger') {
    const body = bodyOf(about.trigger);
    return body === null ? {} : { body };
  }
  const { props, return_value: value, exports: exported } = about.step;
  const { $summary: _summary, ...rest } = exported;
  return {
    ...(props !== null && Object.keys(props).length > 0 && { props: startTree(props) }),
    ...(value !== null && value !== undefined && { value: startTree(value) }),
    ...(Object.keys(rest).length > 0 && { exports: startTree(rest) }),
    ...Object.fromEntries(about.sends.map(({ id, sent }) => [id, startTree(sent)])),
  };
}

/** The row that is looked at first: what failed, else what waits, else what started it. */
export function firstSelection(steps: readonly StepSummary[]): string {
  const found =
    failedSteps(steps)[0] ??
    steps.findLast(({ status }) => status === 'paused' || status === 'retrying');
  return found?.key ?? triggerKey;
}

/** Unfolds all parents of a row, so that it can be seen. */
export function withSelected(state: ExecutionState, key: string): ExecutionState {
  const { roots, toggled } = state;
  const way = wayTo(roots, key, toggled) ?? { id: triggerKey, toggled };
  return { ...state, selected: key, current: way.id, toggled: way.toggled, filter: '' };
}

/** The steps that failed by themselves: an error of a block is that of a step in it. */
export function failedSteps(steps: readonly StepSummary[]): readonly StepSummary[] {
  const failed = steps.filter(({ status, isLast }) => status === 'failed' && isLast);
  return failed.filter(({ path }) => !failed.some((other) => isWithin(other.path, path)));
}

function isWithin(path: string, block: string): boolean {
  return path.startsWith(`${block}.`) || path.startsWith(`${block}[`);
}

/** Px that the text of a tick takes. */
const tickWidth = 70;

/** The drawing: the rows, and the positions of times. */
export interface Timeline {
  readonly rows: readonly TimelineRow[];
  readonly scale: TimeScale;
  /** Epoch ms: where the line of time ends. */
  readonly end: number;
}

/**
 * The same object until the state changes, or time passes for unfinished steps.
 * @param now epoch ms
 * @param trackWidth px
 */
export function timelineOf(
  { head, steps, roots, blocks, toggled, filter }: ExecutionState,
  now: number,
  trackWidth: number,
): Timeline {
  const start = head?.createdAt ?? now;
  const end = Math.max(start, endOf(head, steps, now));
  const busy: Span[] = steps.flatMap(({ path, startedAt, endedAt, status }) => {
    // A block lasts as long as the pauses in it.
    if (startedAt === null || blocks.has(path)) return [];
    return [{ from: startedAt, to: endedAt ?? (status === 'running' ? end : startedAt) }];
  });
  return {
    rows: rowsOf(roots, toggled, filter),
    scale: timeScale(busy, { from: start, to: end }, Math.max(0.05, tickWidth / trackWidth)),
    end,
  };
}

function endOf(head: ExecutionHead | null, steps: readonly StepSummary[], now: number): number {
  if (head === null) return now;
  if (head.endedAt !== null) return head.endedAt;
  // A waiting step is drawn up to the end of its wait.
  const due = steps.reduce((latest, { pause }) => Math.max(latest, pause?.resumesAt ?? 0), 0);
  return Math.max(now, head.status === 'paused' ? due : 0);
}

/** Everything before a dot or an index is a block, or a branch, which is no path of a step. */
function blocksOf(steps: readonly StepSummary[]): ReadonlySet<string> {
  const above = steps.flatMap(({ path }) =>
    [...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
  );
  return new Set(above);
}
