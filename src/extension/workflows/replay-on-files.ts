import path from 'node:path';
import * as vscode from 'vscode';
import { comparisonSummary } from '../../client/comparison-text.ts';
import {
  executionsOf,
  originals,
  replayOnFiles as replayOne,
  type Comparison,
} from '../../client/past-executions.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { inView, withProgress } from '../notify.ts';
import { comparedOutcomes } from './compared-outcomes.ts';
import { chosenExecutions, type ChosenExecutions } from './chosen-executions.ts';
import { pickWorkflow, pickWorkflowFile } from './pick-workflow.ts';
import { workflowFileName } from './workflow-files.ts';

/**
 * Runs the triggers of executions on the current files, as tests, and shows the new results beside the old ones: of the
 * selected rows, of a page, otherwise of the newest of a workflow.
 */
export const replayOnFiles: Command = async (context, arg, selection) => {
  const chosen = (await chosenExecutions(context, arg, selection)) ?? (await newest(context, arg));
  if (chosen === undefined) return;
  const { folder, workflow, executions } = chosen;
  const file = await pickWorkflowFile(path.join(workflow.path, workflowFileName), title);
  if (file === undefined) return;
  const client = await folder.link.ready();
  const compared: Comparison[] = [];
  const count = executions.length;
  await withProgress(`Running ${workflow.name} on its files`, async ({ signal, progress }) => {
    try {
      for (const [at, { id }] of executions.entries()) {
        progress(count === 1 ? id : `${at + 1} of ${count}: ${id}`);
        const given = { workflow_path: file, execution: id };
        compared.push(
          await context.workflows.problems.during(file, () =>
            replayOne(client.call, given, signal),
          ),
        );
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });
  if (compared.length === 0) return;
  const differing = compared.filter(({ same }) => !same);
  const cut = compared.length < count ? `Cancelled after ${compared.length} of ${count}. ` : '';
  void vscode.window.showInformationMessage(cut + comparisonSummary(compared));
  if (differing.length === 0) return;
  const whole = (id: string) => context.workflows.whole.of({ folder, id });
  const pairs = [];
  for (const one of differing) {
    const [before, after] = [await whole(one.before.id), await whole(one.after.id)];
    pairs.push({ comparison: one, before, after });
  }
  const { before, after } = comparedOutcomes(pairs);
  await context.results.diff(`${workflow.name} as it ran ↔ on its files`, before, after);
};

const title = 'Replay with Edited Files';
const counts = [1, 5, 10, 25, 50, 100];

async function newest(
  context: CommandContext,
  arg: unknown,
): Promise<ChosenExecutions | undefined> {
  const target = await pickWorkflow(context, arg, title);
  if (target === undefined) return undefined;
  const { folder, workflow } = target;
  const client = await folder.link.ready();
  const all = await inView(() => executionsOf(client.call, workflow.id), 'weir.workflows');
  const past = originals(all);
  if (past.length === 0) {
    throw new WeirError(
      'not_found',
      `${workflow.name} has no execution yet that could be replayed.`,
    );
  }
  const items = [...counts.filter((count) => count < past.length), past.length]
    .filter((count) => count <= (counts.at(-1) ?? 0))
    .map((count) => ({
      label: count === 1 ? 'The Last Execution' : `The Last ${count} Executions`,
      description: count === past.length ? 'all that are kept' : '',
      count,
    }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `${title}: ${workflow.name}`,
    placeHolder: 'Dry runs of your files: requests are answered from each execution',
  });
  if (picked === undefined) return undefined;
  return { folder, workflow, executions: past.slice(0, picked.count).toReversed() };
}
