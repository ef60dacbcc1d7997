/** Steps as the code of another step reads them: their places, and other names for them. */
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import { workflowFileOf } from '../workflows/workflow-files.ts';
import { readsOf } from './code-reads.ts';
import { renameEdit } from './rename-step.ts';
import { modelOf } from './workflow-model.ts';

interface StepRead {
  readonly name: string;
  readonly range: vscode.Range;
  /** `workflow.yaml` */
  readonly file: string;
}

/** The step that code reads at a place. */
export function stepReadAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): StepRead | undefined {
  const file = workflowFileOf(document.uri.fsPath);
  const range = document.getWordRangeAtPosition(position, /[A-Za-z_$][\w$]*/);
  if (file === undefined || range === undefined) return undefined;
  const name = document.getText(range);
  const start = document.offsetAt(range.start);
  const isRead = [...readsOf(document.getText(), name)].includes(start);
  return isRead ? { name, range, file } : undefined;
}

/** @throws WeirError if no step is read; then another provider may rename the name */
export function readToRename(
  document: vscode.TextDocument,
  position: vscode.Position,
): { readonly range: vscode.Range; readonly placeholder: string } {
  const { range, name } = required(stepReadAt(document, position));
  return { range, placeholder: name };
}

/** @throws WeirError with what is wrong with the name */
export async function renameRead(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
): Promise<vscode.WorkspaceEdit> {
  const read = required(stepReadAt(document, position));
  const workflow = await vscode.workspace.openTextDocument(read.file);
  const place = modelOf(workflow)?.steps.find(({ namespace }) => namespace === read.name);
  return renameEdit(workflow, required(place).path, name);
}

function required<T>(found: T | undefined): T {
  if (found !== undefined) return found;
  throw new WeirError('bad_input', 'Put the cursor on the name of a step to rename it.');
}
