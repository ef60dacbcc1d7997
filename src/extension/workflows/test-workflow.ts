/** *Test*: runs the files of a workflow as they are, deployed or not. Nothing is deployed. */
import path from 'node:path';
import type { Command, CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { isNode } from '../views/nodes.ts';
import { chooseWorkflowInput, type WorkflowInput } from './choose-event.ts';
import { pickWorkflowFile } from './pick-workflow.ts';
import { runTest } from './test-mode.ts';
import { deployedFrom, workflowFileName } from './workflow-files.ts';

/** How another command or a page asks for a test. */
export interface TestOfFile {
  readonly file: string;
  /** The cards of the builder show how it goes: no other page opens. */
  readonly isInBuilder?: boolean;
  /** Whether the user chooses the event; otherwise it is the last one, where there is one. */
  readonly choosesEvent?: boolean;
}

export const testWorkflow: Command = async (context, arg) => {
  const asked = isTestOfFile(arg) ? arg : undefined;
  const given = isNode(arg, 'workflow')
    ? path.join(arg.workflow.path, workflowFileName)
    : (asked?.file ?? arg);
  const file = await pickWorkflowFile(given, 'Test Workflow');
  if (file === undefined) return;
  const folder = context.folders.of(file);
  await folder.link.ready();
  const name = deployedFrom(folder, file)?.name ?? path.basename(path.dirname(file));
  const last = asked?.choosesEvent === true ? undefined : lastExecution(context, folder, file);
  const input: WorkflowInput | undefined =
    last === undefined
      ? await chosenInput(context, folder, file, `Test: ${name}`)
      : { kind: 'replay', executionId: last };
  if (input === undefined || input.kind === 'wait') return;
  await runTest(context, {
    file,
    title: `Testing ${name}`,
    params: input.kind === 'event' ? { event: input.event } : { execution: input.executionId },
    begun: async (test) => {
      if (asked?.isInBuilder !== true) await context.workflows.executions.show(folder, test);
    },
  });
};

/** Number of the newest execution that an event started. */
function lastExecution(
  { workflows }: CommandContext,
  folder: Folder,
  file: string,
): string | undefined {
  const id = deployedFrom(folder, file)?.id ?? workflows.tested.get(file);
  if (id === undefined) return undefined;
  return folder.mirror.executions(id).find(({ cause }) => cause !== 'hook')?.id;
}

function chosenInput(
  { clock, workflows }: CommandContext,
  folder: Folder,
  file: string,
  title: string,
): Promise<WorkflowInput | undefined> {
  const id = workflows.tested.get(file) ?? '';
  const workflow = deployedFrom(folder, file) ?? { id, triggers: [] };
  return chooseWorkflowInput(title, folder, workflow, false, clock.now());
}

function isTestOfFile(arg: unknown): arg is TestOfFile {
  return typeof arg === 'object' && arg !== null && typeof (arg as TestOfFile).file === 'string';
}
