import type { Execution, Workflow } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { nodesOf } from '../views/nodes.ts';
import { executionKey } from './pick-execution.ts';

/** Executions of one workflow that a command was called on. */
export interface ChosenExecutions {
  readonly folder: Folder;
  readonly workflow: Workflow;
  readonly executions: readonly Execution[];
}

/**
 * The executions of the selected rows, or of the page or document that the command was called on.
 * @returns undefined if it was called on none
 * @throws WeirError `bad_input` for executions of several workflows, `not_found` if the workflow was deleted
 */
export async function chosenExecutions(
  context: CommandContext,
  arg: unknown,
  selection: unknown,
): Promise<ChosenExecutions | undefined> {
  const rows = nodesOf(arg, selection, 'execution');
  const [first, ...others] = rows;
  if (first !== undefined) {
    const { folder, execution } = first;
    folder.requireCurrent();
    const isSame = (one: (typeof rows)[number]): boolean =>
      one.folder === folder && one.execution.workflow_id === execution.workflow_id;
    if (!others.every(isSame)) {
      throw new WeirError('bad_input', 'Choose executions of one workflow.');
    }
    // As the tree shows them, newest first.
    const executions = rows.map((row) => row.execution).toReversed();
    return { folder, workflow: workflowOf(folder, execution), executions };
  }
  const key = arg === undefined ? undefined : executionKey(context, arg);
  if (key === undefined) return undefined;
  const execution = await context.workflows.whole.of(key);
  const { folder } = key;
  return { folder, workflow: workflowOf(folder, execution), executions: [execution] };
}

function workflowOf(folder: Folder, { id, workflow_id }: Execution): Workflow {
  const workflow = folder.mirror.workflow(workflow_id);
  if (workflow !== undefined) return workflow;
  throw new WeirError('not_found', `The workflow of ${id} is not deployed any more.`);
}
