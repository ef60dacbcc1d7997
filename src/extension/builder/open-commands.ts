import * as vscode from 'vscode';
import type { Command } from '../commands/context.ts';
import { findWorkflowFile } from '../workflows/pick-workflow.ts';
import { openWith } from './builder-editor.ts';

/** Shows a `workflow.yaml` in the builder instead of as text. */
export const openInBuilder: Command = async (_context, arg) => {
  const file = await findWorkflowFile(arg, 'Open in Builder');
  if (file !== undefined) await openWith(vscode.Uri.file(file), true);
};

/** Shows a `workflow.yaml` as text instead of in the builder. */
export const openAsText: Command = async (_context, arg) => {
  const file = await findWorkflowFile(arg, 'Open as Text');
  if (file !== undefined) await openWith(vscode.Uri.file(file), false);
};
