import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Execution } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { confirm } from '../commands/confirm.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import type { Folder } from '../connection/folder.ts';
import { startDebugger, type LaunchConfiguration } from '../debug/launch-configuration.ts';
import { readEventFile } from '../debug/run-choice.ts';
import { chooseAddress } from '../external-url.ts';
import { curlOf, sampleCurl, sentTo } from '../inspector/curl.ts';
import { inView, withProgress } from '../notify.ts';
import { isNode, nodesOf } from '../views/nodes.ts';
import { chooseWorkflowInput, type WorkflowInput } from './choose-event.ts';
import { executionKey } from './pick-execution.ts';
import { pickWorkflow, pickWorkflowFile, type WorkflowTarget } from './pick-workflow.ts';
import { deployedFrom, workflowFileName } from './workflow-files.ts';
import { endpointOf } from './workflow-line.ts';

/** Deploys a folder, or updates its deployment to its files. */
export const deployWorkflow: Command = async (context, arg) => {
  const file = await pickWorkflowFile(arg, 'Deploy Workflow');
  if (file !== undefined) await deployFile(context, file);
};

async function deployFile(context: CommandContext, file: string): Promise<WorkflowTarget> {
  const folder = context.folders.of(file);
  const client = await folder.link.ready();
  const known = deployedFrom(folder, file);
  const name = known?.name ?? path.basename(path.dirname(file));
  const workflow = await withProgress(
    `${known === undefined ? 'Deploying' : 'Updating'} ${name}`,
    (options) =>
      context.workflows.problems.during(file, () =>
        client.call('workflows.deploy', { workflow_path: file }, options),
      ),
  );
  const said = known === undefined ? 'deployed' : 'updated';
  context.output.info(`${said} ${workflow.name} (${workflow.id}) from ${file}.`);
  vscode.window.setStatusBarMessage(`$(check) ${workflow.name} ${said}`, 5000);
  return { folder, workflow };
}

/** Starts dev mode for a workflow, which is deployed as its files are; stops it where it is on. */
export const devWorkflow: Command = async (context, arg) => {
  const file = await pickWorkflowFile(arg, 'Dev Mode');
  if (file === undefined) return;
  const { dev } = context.workflows;
  const known = deployedFrom(context.folders.of(file), file);
  if (known !== undefined && dev.followed.has(known.id)) return dev.stop(known.id);
  const { folder, workflow } = await deployFile(context, file);
  dev.start(folder, workflow.id);
};

/** The workflow a command is about; one whose file is shown and that is not deployed yet is deployed. */
async function deployedTarget(
  context: CommandContext,
  arg: unknown,
  title: string,
): Promise<WorkflowTarget | undefined> {
  if (isAboutFile(arg)) {
    const file = await pickWorkflowFile(arg, title);
    if (file === undefined) return undefined;
    const folder = context.folders.of(file);
    await folder.link.ready();
    const workflow = deployedFrom(folder, file);
    return workflow === undefined ? deployFile(context, file) : { folder, workflow };
  }
  return pickWorkflow(context, arg, title);
}

/** A `workflow.yaml` that is shown or named and not deployed: running it tests its files, and deploys nothing. */
async function undeployedFile(
  { folders }: CommandContext,
  arg: unknown,
  title: string,
): Promise<string | undefined> {
  if (!isAboutFile(arg)) return undefined;
  const file = await pickWorkflowFile(arg, title);
  if (file === undefined) return undefined;
  const folder = folders.of(file);
  await folder.link.ready();
  return deployedFrom(folder, file) === undefined ? file : undefined;
}

function isAboutFile(arg: unknown): boolean {
  if (arg instanceof vscode.Uri || (typeof arg === 'string' && path.isAbsolute(arg))) return true;
  const editor = vscode.window.activeTextEditor?.document.uri;
  return arg === undefined && editor?.fsPath.endsWith(workflowFileName) === true;
}

/** Starts an execution of what is deployed with what the user chooses, and shows it. */
export const runWorkflow: Command = async (context, arg) => {
  const title = 'Run with Event';
  const undeployed = await undeployedFile(context, arg, title);
  if (undeployed !== undefined) {
    const test = { file: undeployed, choosesEvent: true };
    return void (await vscode.commands.executeCommand('weir.testWorkflow', test));
  }
  const target = await deployedTarget(context, arg, title);
  if (target === undefined) return;
  const { folder, workflow } = target;
  const now = context.clock.now();
  const input = await chooseWorkflowInput(
    `${title}: ${workflow.name}`,
    folder,
    workflow,
    false,
    now,
    'Runs the deployed version. Test runs your files.',
  );
  const started = input && (await startExecution(folder, workflow.id, input));
  if (started !== undefined) await context.workflows.executions.show(folder, started);
};

/** @returns undefined where it waits for its own trigger */
async function startExecution(
  folder: Folder,
  id: string,
  input: WorkflowInput,
): Promise<Execution | undefined> {
  if (input.kind === 'wait') return undefined;
  const client = await folder.link.ready();
  return inView(
    () =>
      input.kind === 'replay'
        ? client.call('executions.replay', { id: input.executionId })
        : client.call('executions.start', { id, event: input.event }),
    'weir.workflows',
  );
}

/** Asks what it is run with, and starts it under the debugger once that is attached. */
export const debugWorkflow: Command = async (context, arg) => {
  const title = 'Debug Workflow';
  const target = await deployedTarget(context, arg, title);
  if (target === undefined) return;
  const { folder, workflow } = target;
  const now = context.clock.now();
  const asked = `${title}: ${workflow.name}`;
  const input = await chooseWorkflowInput(asked, folder, workflow, true, now);
  if (input === undefined) return;
  await startDebugger({
    name: `Debug ${workflow.name}`,
    workflow: workflow.id,
    ...(input.kind === 'event' && { event: input.event }),
    ...(input.kind === 'replay' && { execution: input.executionId }),
  });
};

/**
 * Deploys a workflow under the debugger: its process waits for it before it loads a step. Then it is run with what
 * was wanted, or waits for its own trigger.
 */
export async function launchWorkflow(
  context: CommandContext,
  { workflow: wanted, execution, event }: LaunchConfiguration & { readonly workflow: string },
): Promise<vscode.DebugConfiguration | undefined> {
  const file = await fileOfWorkflow(context, wanted);
  if (file === undefined) return undefined;
  const input: WorkflowInput =
    execution !== undefined
      ? { kind: 'replay', executionId: execution }
      : event === undefined
        ? { kind: 'wait' }
        : { kind: 'event', event: typeof event === 'string' ? await readEventFile(event) : event };
  const folder = context.folders.of(file);
  const client = await folder.link.ready();
  const known = deployedFrom(folder, file);
  const name = known?.name ?? path.basename(path.dirname(file));
  // A workflow that is not deployed yet has no id: its process is found by its file, with links resolved.
  const target = known?.id ?? (await realpath(file));
  return context.debug.begin(folder, target, name, async () => {
    const { id } = await context.workflows.problems.during(file, () =>
      client.call('workflows.deploy', { workflow_path: file, debug: true }),
    );
    await startExecution(folder, id, input);
  });
}

/** The file of a path, or of the id or name slug of a deployed workflow; saved. Undefined if the user cancelled. */
async function fileOfWorkflow(
  context: CommandContext,
  wanted: string,
): Promise<string | undefined> {
  if (path.isAbsolute(wanted)) return pickWorkflowFile(wanted, 'Debug Workflow');
  const target = await pickWorkflow(context, wanted, 'Debug Workflow');
  return (
    target && pickWorkflowFile(path.join(target.workflow.path, workflowFileName), 'Debug Workflow')
  );
}

/** Opens `workflow.yaml`, of a step at its line. */
export const openWorkflow: Command = async (context, arg) => {
  const target = await pickWorkflow(context, arg, 'Open Workflow');
  if (target === undefined) return;
  const { workflow } = target;
  const namespace = isNode(arg, 'step') ? arg.step.namespace : undefined;
  const line = workflow.steps.find((step) => step.namespace === namespace)?.line;
  await openAt(path.join(workflow.path, workflowFileName), line);
};

/** Opens a file; run by lenses. */
export const openStep: Command = async (_context, file) => {
  if (typeof file === 'string') await openAt(file, undefined);
};

/** @param line from 1 */
async function openAt(file: string, line: number | undefined): Promise<void> {
  const at = line === undefined ? {} : { selection: new vscode.Range(line - 1, 0, line - 1, 0) };
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, ...at });
}

/** Shows how a workflow does: its page, with plots of its last executions. */
export const openWorkflowPage: Command = async (context, arg) => {
  const target = await pickWorkflow(context, arg, 'Show Workflow Page');
  if (target !== undefined) context.workflows.pages.show(target.folder, target.workflow);
};

/** Shows a workflow in the tree; run by the lens. */
export const revealWorkflow: Command = async (context, arg) => {
  const target = await pickWorkflow(context, arg, 'Show Workflow');
  if (target === undefined) return;
  await vscode.commands.executeCommand('weir.workflows.focus');
  await context.workflows.view.reveal(target.folder, target.workflow.id);
};

export const activateWorkflow: Command = (context, arg) => setActive(context, arg, true);
export const deactivateWorkflow: Command = (context, arg) => setActive(context, arg, false);

async function setActive(context: CommandContext, arg: unknown, active: boolean): Promise<void> {
  const title = `Switch Workflow ${active ? 'On' : 'Off'}`;
  const target = await pickWorkflow(context, arg, title, (one) => one.active !== active);
  if (target === undefined) return;
  const client = await target.folder.link.ready();
  await inView(
    () => client.call('workflows.update', { id: target.workflow.id, active }),
    'weir.workflows',
  );
}

/** Asks first, as its executions are deleted with it. Its files stay. */
export const deleteWorkflow: Command = async (context, arg, selection) => {
  const rows = nodesOf(arg, selection, 'workflow');
  const picked = rows.length > 0 ? undefined : await pickWorkflow(context, arg, 'Delete Workflow');
  const targets: readonly WorkflowTarget[] = picked === undefined ? rows : [picked];
  const [first, another] = targets;
  if (first === undefined) return;
  const what = another === undefined ? first.workflow.name : `${targets.length} workflows`;
  const count = targets.reduce(
    (sum, { folder, workflow }) => sum + folder.mirror.executionCount(workflow.id),
    0,
  );
  const whose = another === undefined ? 'Its' : 'Their';
  const sure = await confirm(
    `Delete ${what}?`,
    `${whose} executions (${count}), also paused ones, state and endpoints are deleted. ${whose} files stay.`,
    'Delete',
  );
  if (!sure) return;
  for (const { folder, workflow } of targets) {
    const client = await folder.link.ready();
    await inView(() => client.call('workflows.delete', { id: workflow.id }), 'weir.workflows');
  }
};

/** Copies the URL of a workflow's endpoint as it works where it is pasted. */
export const copyWorkflowEndpoint: Command = async (context, arg) => {
  const found = await endpointFor(context, arg, 'Copy Endpoint URL');
  if (found === undefined) return;
  await vscode.env.clipboard.writeText(found.address);
  vscode.window.setStatusBarMessage('$(check) Endpoint URL copied', 3000);
};

/** The request of an execution, or of the newest one of a workflow: what is pasted sends it once more. */
export const copyWorkflowCurl: Command = async (context, arg) => {
  const found = await endpointFor(context, arg, 'Copy as cURL');
  if (found === undefined) return;
  const { target, address } = found;
  const { folder, workflow } = target;
  const newest = folder.mirror.executions(workflow.id).find(({ request }) => request !== null);
  const key = executionKey(context, arg) ?? (newest && { folder, id: newest.id });
  const trigger = key && (await context.workflows.whole.of(key)).trigger;
  const text = trigger?.kind === 'http' ? curlOf(sentTo(address, trigger)) : sampleCurl(address);
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage('$(check) curl command copied', 3000);
};

async function endpointFor(
  context: CommandContext,
  arg: unknown,
  title: string,
): Promise<{ readonly target: WorkflowTarget; readonly address: string } | undefined> {
  const target = await pickWorkflow(context, arg, title, (one) => endpointOf(one) !== undefined);
  if (target === undefined) return undefined;
  const url = endpointOf(target.workflow);
  if (url === undefined) {
    throw new WeirError('not_found', `${target.workflow.name} has no HTTP trigger.`);
  }
  const address = await chooseAddress(url, title);
  return address === undefined ? undefined : { target, address };
}
