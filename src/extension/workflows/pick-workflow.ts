import path from 'node:path';
import * as vscode from 'vscode';
import type { Workflow } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { kindOf } from '../../protocol/ids.ts';
import type { CommandContext } from '../commands/context.ts';
import { connectedFolders } from '../commands/pick-target.ts';
import type { Folder } from '../connection/folder.ts';
import { isNode } from '../views/nodes.ts';
import { executionOf, executionScheme } from './execution-documents.ts';
import { endpointOf } from './workflow-line.ts';
import { shownUri } from './shown-uri.ts';
import { deployedFrom, workflowFileName, workflowFileOf } from './workflow-files.ts';

const ignored = '**/{node_modules,.weir,dist,out,build}/**';
const maxFiles = 500;

export interface WorkflowTarget {
  readonly folder: Folder;
  readonly workflow: Workflow;
}

/** Whether what a command was given, else what the active editor shows, is about a workflow. */
export function isAboutWorkflow(arg: unknown): boolean {
  if (isNode(arg, 'workflow') || isNode(arg, 'execution') || isNode(arg, 'step')) return true;
  if (typeof arg === 'string' && kindOf(arg) === 'workflow') return true;
  const uri = arg ?? shownUri();
  if (uri instanceof vscode.Uri && uri.scheme === executionScheme) return true;
  return fileOf(arg) !== undefined;
}

/** The `workflow.yaml` that an argument is, or is a step of; without one the active editor's. */
function fileOf(arg: unknown): string | undefined {
  const uri = arg ?? shownUri();
  if (uri instanceof vscode.Uri) {
    return uri.scheme === 'file' ? workflowFileOf(withFile(uri.fsPath)) : undefined;
  }
  return typeof uri === 'string' && path.isAbsolute(uri)
    ? workflowFileOf(withFile(uri))
    : undefined;
}

/** The `workflow.yaml` of a folder in the explorer. */
function withFile(file: string): string {
  return path.extname(file) === '' ? path.join(file, workflowFileName) : file;
}

/**
 * The `workflow.yaml` a command is about: of the row, lens or file it was given, else of the active editor, else
 * chosen among the workspace's.
 * @returns undefined when the user cancelled
 */
export async function findWorkflowFile(arg: unknown, title: string): Promise<string | undefined> {
  if (isNode(arg, 'workflow')) return path.join(arg.workflow.path, workflowFileName);
  return fileOf(arg) ?? chooseFile(title);
}

/** The same for commands that read the files: unsaved files of the workflow are saved. */
export async function pickWorkflowFile(arg: unknown, title: string): Promise<string | undefined> {
  const file = await findWorkflowFile(arg, title);
  if (file === undefined) return undefined;
  const folder = path.dirname(file) + path.sep;
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && document.uri.fsPath.startsWith(folder)) await document.save();
  }
  return file;
}

async function chooseFile(title: string): Promise<string | undefined> {
  const uris = await vscode.workspace.findFiles(`**/${workflowFileName}`, ignored, maxFiles);
  if (uris.length === 0) {
    throw new WeirError(
      'not_found',
      'This workspace has no workflow: a folder with workflow.yaml.',
    );
  }
  const items = uris
    .map((uri) => ({
      label: `$(type-hierarchy-sub) ${path.basename(path.dirname(uri.fsPath))}`,
      description: vscode.workspace.asRelativePath(uri),
      file: uri.fsPath,
    }))
    .sort((a, b) => a.description.localeCompare(b.description));
  const [only, another] = items;
  if (only !== undefined && another === undefined) return only.file;
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.file;
}

/**
 * The deployed workflow a command is about: of the row, lens, document or file it was given, else of the active
 * editor, else chosen.
 * @param fits leaves out those the command cannot work with
 * @returns undefined when the user cancelled
 */
export async function pickWorkflow(
  { folders }: Pick<CommandContext, 'folders'>,
  arg: unknown,
  title: string,
  fits: (workflow: Workflow) => boolean = () => true,
): Promise<WorkflowTarget | undefined> {
  if (isNode(arg, 'workflow') || isNode(arg, 'pins') || isNode(arg, 'pin')) return arg;
  const bound = boundFolder(folders, arg);
  await bound?.link.ready();
  const searched = bound === undefined ? await connectedFolders(folders) : [bound];
  const all = searched.flatMap((folder) =>
    folder.mirror.workflows().map((workflow) => ({ folder, workflow })),
  );
  const id = idOf(folders, arg ?? shownUri());
  const file = id === undefined ? fileOf(arg) : undefined;
  if (id !== undefined || file !== undefined) {
    const named = all.find(
      ({ folder, workflow }) =>
        workflow.id === id ||
        workflow.name_slug === id ||
        (file !== undefined && deployedFrom(folder, file) === workflow),
    );
    if (named !== undefined) return named;
    if (arg !== undefined) throw new WeirError('not_found', 'This workflow is not deployed.');
  }
  const fitting = all.filter(({ workflow }) => fits(workflow));
  if (fitting.length === 0) {
    throw new WeirError(
      'not_found',
      all.length === 0
        ? 'No workflow is deployed here yet; run Weir: Deploy Workflow… first.'
        : 'No deployed workflow fits this command.',
    );
  }
  const items = fitting.map((target) => ({
    label: `$(${endpointOf(target.workflow) === undefined ? 'play-circle' : 'globe'}) ${target.workflow.name}`,
    description: `${target.workflow.name_slug} · ${target.workflow.id}`,
    detail: vscode.workspace.asRelativePath(target.workflow.path),
    target,
  }));
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.target;
}

/** The folder at the runtime that a row or document belongs to: the same id may be another workflow elsewhere. */
function boundFolder(folders: CommandContext['folders'], arg: unknown): Folder | undefined {
  if (isNode(arg, 'execution') || isNode(arg, 'step')) return arg.folder;
  return arg instanceof vscode.Uri ? executionOf(folders, arg)?.folder : undefined;
}

function idOf(folders: CommandContext['folders'], arg: unknown): string | undefined {
  if (isNode(arg, 'execution') || isNode(arg, 'step')) return arg.execution.workflow_id;
  if (typeof arg === 'string' && !path.isAbsolute(arg)) return arg;
  if (!(arg instanceof vscode.Uri)) return undefined;
  const shown = executionOf(folders, arg);
  if (shown?.folder.isCurrent !== true) return undefined;
  return shown.folder.mirror
    .workflows()
    .find(({ id }) => shown.folder.mirror.executions(id).some((one) => one.id === shown.id))?.id;
}
