/** A new execution that begins in the middle, with results of another one or of pins (pure; P25.81, P25.91). */
import { WeirError } from '../../../protocol/errors.ts';
import { own } from '../../../protocol/own.ts';
import type { WorkflowDeploymentRecord } from '../../store/configuration/workflows.ts';
import type { NewJournal, Pin, StepRun } from '../../store/history/executions.ts';
import { parsePath } from '../../../protocol/step-path.ts';
import { Walk } from '../walk/walk.ts';
import { isContinued, resultOf } from './step-outcome.ts';

export interface ReplayFrom {
  /** Id of the execution whose results are copied, for messages; undefined without one. */
  readonly id?: string;
  /** The first step that runs. */
  readonly path: string;
  readonly props?: Readonly<Record<string, unknown>>;
  /** Name of the override; unique. */
  readonly name?: string;
  /** The results that replace steps, by their names (`pinsBeside`). */
  readonly pins?: Readonly<Record<string, Pin>>;
  /** Epoch ms, of the results that replace steps. */
  readonly at?: number;
}

/**
 * The journal that it begins with: what ended before that step was reached, as it ended.
 * @param rows of the execution that is replayed, in order
 * @throws WeirError `bad_input` when the step was not reached, or when the steps before it are others now
 */
export function replayFrom(
  { id: deploymentId, definition }: Pick<WorkflowDeploymentRecord, 'id' | 'definition'>,
  rows: readonly StepRun[],
  { id, path, props, name = '', pins = {}, at = 0 }: ReplayFrom,
): NewJournal {
  const walk = new Walk(definition.steps);
  const newest = new Map(rows.map((row) => [row.path, row]));
  const steps: StepRun[] = [];
  const take = (row: StepRun): void => {
    try {
      walk.ended(row.path, resultOf(row));
    } catch {
      throw new WeirError('bad_input', `${row.path} is another kind of step than when ${id} ran.`);
    }
    const seq = steps.length + 1;
    steps.push({ ...row, seq, run: 1, attempt: 1, leg: 1, pause: null, sends: null });
  };
  const takePins = (): void => {
    for (let found = pinnedTask(walk, pins); found !== undefined;) {
      take(pinnedRow(found.task, found.pin, at));
      found = pinnedTask(walk, pins);
    }
  };
  /** The step, or what is in its way. */
  const unreached = (otherwise: string): WeirError => {
    const missing = walk.ready().find((task) => task.path !== path && !newest.has(task.path));
    if (missing === undefined) return new WeirError('bad_input', otherwise);
    const message = `There are no results of ${missing.path} ${id === undefined ? 'yet' : `in ${id}`}, which comes before ${path}: run the workflow once more, or pin results of that step.`;
    return new WeirError('bad_input', message);
  };
  takePins();
  for (const row of rows) {
    if (row.path === path) break;
    if (newest.get(row.path) !== row || !hasEnded(row) || isPinned(row.path, pins)) continue;
    if (walk.task(row.path) === undefined) {
      throw unreached(
        `The steps of the workflow are not the steps that ${id} ran: ${row.path} is not there any more. Replay it from its trigger.`,
      );
    }
    take(row);
    takePins();
  }
  const task = walk.task(path);
  if (task === undefined) {
    const came = id === undefined ? 'Nothing has come' : `${id} did not come`;
    throw unreached(`${came} to a step ${path}.`);
  }
  if (props !== undefined && task.kind === 'block') {
    throw new WeirError('bad_input', `${path} is a block, and has no props.`);
  }
  return {
    deploymentId,
    steps,
    ...(props !== undefined && { override: { path, props, name } }),
  };
}

/**
 * Path of the step that an execution failed at: of several branches side by side the first that did.
 * @param rows of the execution, in order
 */
export function failedStep(rows: readonly StepRun[]): string | undefined {
  const newest = new Map(rows.map((row) => [row.path, row]));
  return [...newest.values()].find((row) => row.status === 'failed' && !hasEnded(row))?.path;
}

/** The journal row of a pin: the step ended successfully, and at once. */
export function pinnedRow(
  { path, namespace }: { readonly path: string; readonly namespace: string },
  { exports, returnValue }: Pin,
  at: number,
): StepRun {
  return {
    seq: 1,
    path,
    namespace,
    run: 1,
    attempt: 1,
    status: 'succeeded',
    startedAt: at,
    endedAt: at,
    leg: 1,
    exports,
    returnValue,
    decision: null,
    error: null,
    pause: null,
    sends: null,
    props: null,
  };
}

/** Without those of the step that runs, and of the blocks that it is inside of. */
export function pinsBeside(
  path: string,
  pins: Readonly<Record<string, Pin>>,
): Readonly<Record<string, Pin>> {
  const names = namesOn(path);
  return Object.fromEntries(Object.entries(pins).filter(([name]) => !names.includes(name)));
}

function pinnedTask(walk: Walk, pins: Readonly<Record<string, Pin>>) {
  for (const task of walk.ready()) {
    const pin = own(pins, task.namespace);
    if (pin !== undefined) return { task, pin };
  }
  return undefined;
}

/** It, or a block that it is inside of, is pinned. */
function isPinned(path: string, pins: Readonly<Record<string, Pin>>): boolean {
  return namesOn(path).some((name) => own(pins, name) !== undefined);
}

/** The step and the blocks around it. */
function namesOn(path: string): string[] {
  const parsed = parsePath(path);
  if (parsed === undefined) return [path];
  return [...parsed.blocks.map((one) => one.namespace), parsed.namespace];
}

function hasEnded(row: StepRun): boolean {
  return row.status === 'succeeded' || (row.status === 'failed' && isContinued(row));
}
