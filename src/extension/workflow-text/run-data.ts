import type * as vscode from 'vscode';
import type { WholeExecution } from '../../protocol/catalogue.ts';
import { dataOf } from '../builder/last-run.ts';
import type { Folders } from '../connection/folders.ts';
import { deployedFrom } from '../workflows/workflow-files.ts';
import type { WholeExecutions } from '../workflows/whole-executions.ts';
import { namesSeenAt } from './workflow-model.ts';

export interface RunDataParts {
  readonly folders: Folders;
  readonly whole: WholeExecutions;
}

/** How many executions are looked at: a value that is not always there is seen in one of them. */
const mostRuns = 5;

/**
 * The values that the expressions of the step at a line read, in the newest executions of its workflow. Does not start
 * a runtime.
 */
export async function runDataAt(
  { folders, whole }: RunDataParts,
  document: vscode.TextDocument,
  line: number,
): Promise<Readonly<Record<string, unknown>>[]> {
  const file = document.uri.fsPath;
  const folder = folders.of(file);
  const workflow = deployedFrom(folder, file);
  const place = namesSeenAt(document, line);
  const env = await variables(folder);
  // Also what no execution has shown yet.
  const named = Object.fromEntries(
    [...place.sees].map((name) => [name, place.loops.has(name) ? { item: {}, index: 0 } : {}]),
  );
  const base = { steps: { ...named, trigger: { event: {} } }, event: {}, process: { env } };
  if (workflow === undefined || folder.link.client === undefined) return [base];
  const newest = folder.mirror.executions(workflow.id).slice(0, mostRuns);
  const read = await Promise.allSettled(newest.map(({ id }) => whole.of({ folder, id })));
  const runs = read.flatMap((one) => {
    if (one.status === 'rejected') return [];
    const steps = dataOf(one.value, place);
    const trigger = steps['trigger'] as { readonly event?: unknown };
    return [{ steps, event: trigger.event, process: { env } }];
  });
  return [...runs, base];
}

/**
 * The shape of `steps` in the newest executions of a workflow, newest first; the items of loops are entries of their
 * own. Does not start a runtime.
 */
export async function runsOf(
  { folders, whole }: RunDataParts,
  file: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  const folder = folders.of(file);
  const workflow = deployedFrom(folder, file);
  if (workflow === undefined || folder.link.client === undefined) return [];
  const newest = folder.mirror.executions(workflow.id).slice(0, mostRuns);
  const read = await Promise.allSettled(newest.map(({ id }) => whole.of({ folder, id })));
  const blocks = new Set(
    workflow.steps.flatMap(({ type, namespace }) => (type === 'block' ? [namespace] : [])),
  );
  return read.flatMap((one) => {
    if (one.status === 'rejected') return [];
    return shapesOf(one.value, blocks);
  });
}

/** How many items of a loop are read. */
const mostItems = 50;

/**
 * The shapes of one execution: of each loop its result, which later steps read, and each item, which its own steps
 * read.
 */
function shapesOf(
  whole: WholeExecution,
  blocks: ReadonlySet<string>,
): Readonly<Record<string, unknown>>[] {
  const names = new Set(whole.steps.map(({ namespace }) => namespace));
  const data = { ...dataOf(whole, { sees: names, loops: new Set() }) };
  const withItems = whole.steps.flatMap(({ namespace, props }) => {
    const list = props?.['on'];
    if (!blocks.has(namespace) || !Array.isArray(list)) return [];
    const outcome = Object(data[namespace]) as object;
    delete data[namespace];
    return list
      .slice(0, mostItems)
      .map((item: unknown, index) => ({ [namespace]: { ...outcome, item, index } }));
  });
  return [data, ...withItems];
}

/** Names only: values are never shown. */
async function variables(folder: ReturnType<Folders['of']>): Promise<Record<string, string>> {
  const { client } = folder.link;
  if (client === undefined) return {};
  try {
    const { data } = await client.call('environment.list', {});
    return Object.fromEntries(data.map(({ name, from }) => [name, from]));
  } catch {
    return {};
  }
}
