/** Step runs as a tree: runs in a branch or for an item are below its block (pure). */
import { formatBlock, formatName, parsePath } from '../../../protocol/step-path.ts';
import type { StepSummary, TriggerKey } from '../messages.ts';

/** Id and key of the row above all steps. */
export const triggerKey: TriggerKey = 'trigger';

export interface TimelineNode {
  readonly id: string;
  readonly name: string;
  readonly kind: 'step' | 'branch' | 'item';
  /** Undefined of a branch or item, and of a block that has not ended. */
  run: StepSummary | undefined;
  readonly children: TimelineNode[];
  /** Of all runs in it. */
  from: number | null;
  to: number | null;
  status: StepSummary['status'];
  /** Runs of steps in it that have failed for good, its own included. */
  failed: number;
}

export interface TimelineRow {
  readonly node: TimelineNode;
  /** From 1. */
  readonly level: number;
  /** Null where there is nothing to unfold. */
  readonly isOpen: boolean | null;
  /** Among those beside it, from 1. */
  readonly place: number;
  readonly siblings: number;
  readonly parent: string | undefined;
}

/** So many items of a block start folded, but those in which something failed, runs or waits. */
const manyItems = 20;

export function timelineTree(steps: readonly StepSummary[]): readonly TimelineNode[] {
  const roots: TimelineNode[] = [];
  const byPath = new Map<string, TimelineNode>();
  const nodeFor = (
    id: string,
    name: string,
    kind: TimelineNode['kind'],
    beside: TimelineNode[],
  ): TimelineNode => {
    const known = byPath.get(id);
    if (known !== undefined) return known;
    const node = newNode(id, name, kind);
    byPath.set(id, node);
    beside.push(node);
    return node;
  };
  for (const step of steps) {
    const { blocks, namespace } = parsePath(step.path) ?? { blocks: [], namespace: step.path };
    const above: TimelineNode[] = [];
    let beside = roots;
    let path = '';
    for (const block of blocks) {
      const outer = nodeFor(path + formatName(block.namespace), block.namespace, 'step', beside);
      path += formatBlock(block);
      const isItem = 'index' in block;
      const name = isItem ? `[${block.index}]` : block.branch === '$else' ? 'else' : block.branch;
      const inner = nodeFor(path, name, isItem ? 'item' : 'branch', outer.children);
      above.push(outer, inner);
      beside = inner.children;
    }
    let node = nodeFor(path + formatName(namespace), namespace, 'step', beside);
    // Another run or attempt of the same step.
    if (node.run !== undefined) node = nodeFor(step.key, namespace, 'step', beside);
    node.run = step;
    above.push(node);
    for (const one of above) count(one, step);
  }
  // Those that run side by side come in any order.
  for (const { children } of byPath.values()) {
    if (children[0]?.kind === 'item') children.sort((a, b) => indexOf(a) - indexOf(b));
  }
  return roots;
}

function indexOf({ name }: TimelineNode): number {
  return Number(name.slice(1, -1));
}

function newNode(id: string, name: string, kind: TimelineNode['kind']): TimelineNode {
  const nothing = { from: null, to: null, status: 'succeeded', failed: 0 } as const;
  return { id, name, kind, run: undefined, children: [], ...nothing };
}

/** The status of a branch: the first of these that one of its steps has. */
const ranks: readonly StepSummary['status'][] = [
  'running',
  'failed',
  'paused',
  'retrying',
  'cancelled',
  'succeeded',
];

function count(node: TimelineNode, step: StepSummary): void {
  const { startedAt, endedAt } = step;
  if (startedAt !== null) node.from = Math.min(node.from ?? startedAt, startedAt);
  if (endedAt !== null) node.to = Math.max(node.to ?? endedAt, endedAt);
  // An attempt that was followed by another one has not failed its block.
  if (!step.isLast) return;
  if (step.status === 'failed') node.failed += 1;
  // Nor has a step that the execution continued from.
  if (step.continued) return;
  if (ranks.indexOf(step.status) < ranks.indexOf(node.status)) node.status = step.status;
}

/** Of a row: of a block that of what is in it, as only its beginning is a run of its own. */
export function statusOf({ run, status, children }: TimelineNode): StepSummary['status'] {
  return run === undefined || children.length > 0 ? status : run.status;
}

/**
 * The rows that can be seen.
 * @param toggled ids of nodes that are not as they start
 * @param filter shows only what has this text in its path or words, with what it is in
 */
export function rowsOf(
  roots: readonly TimelineNode[],
  toggled: ReadonlySet<string>,
  filter: string,
): TimelineRow[] {
  const wanted = filter.trim().toLowerCase();
  const rows: TimelineRow[] = [];
  const add = (nodes: readonly TimelineNode[], level: number, parent: string | undefined): void => {
    const shown = wanted === '' ? nodes : nodes.filter((node) => matches(node, wanted));
    for (const [at, node] of shown.entries()) {
      const isOpen = node.children.length === 0 ? null : isUnfolded(node, nodes, toggled, wanted);
      rows.push({ node, level, isOpen, place: at + 1, siblings: shown.length, parent });
      if (isOpen === true) add(node.children, level + 1, node.id);
    }
  };
  add(roots, 1, undefined);
  return rows;
}

/** With a filter everything starts unfolded. */
function isUnfolded(
  node: TimelineNode,
  beside: readonly TimelineNode[],
  toggled: ReadonlySet<string>,
  filter: string,
): boolean {
  const isOneOfMany = node.kind === 'item' && beside.length > manyItems;
  const startsFolded = filter === '' && isOneOfMany && statusOf(node) === 'succeeded';
  return startsFolded === toggled.has(node.id);
}

/** Those who look for a failed step write `failed`. */
function matches(node: TimelineNode, wanted: string): boolean {
  const { run } = node;
  const text = run === undefined ? node.id : `${run.path} ${run.words ?? ''} ${run.status}`;
  return (
    text.toLowerCase().includes(wanted) || node.children.some((child) => matches(child, wanted))
  );
}

export interface Way {
  /** Id of the row of the run. */
  readonly id: string;
  /** With all its parents unfolded. */
  readonly toggled: ReadonlySet<string>;
}

/** What has to be unfolded for a run to be seen; undefined for a key of none. */
export function wayTo(
  nodes: readonly TimelineNode[],
  key: string,
  toggled: ReadonlySet<string>,
): Way | undefined {
  for (const node of nodes) {
    if (node.run?.key === key) return { id: node.id, toggled };
    const way = wayTo(node.children, key, toggled);
    if (way === undefined) continue;
    return isUnfolded(node, nodes, toggled, '')
      ? way
      : { ...way, toggled: toggle(way.toggled, node.id) };
  }
  return undefined;
}

/** Folds what is unfolded, and unfolds what is folded. */
export function toggle(toggled: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(toggled);
  if (!next.delete(id)) next.add(id);
  return next;
}
