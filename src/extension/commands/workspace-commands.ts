import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import {
  newComponent as createComponent,
  templates,
  type Template,
} from './component-templates.ts';
import type { Command } from './context.ts';
import { pickFolder } from './pick-target.ts';

/** Writes a small component that works as it is, and opens it. */
export const newComponent: Command = async (context) => {
  const folder = await pickFolder(context, 'New Component');
  if (folder?.root === undefined) {
    throw new WeirError('not_found', 'Open a folder first: the new component is written into it.');
  }
  const items = Object.values(templates).map((template: Template) => ({
    label: template.label,
    detail: template.detail,
    template,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'New Component: what is it?',
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  const name = await vscode.window.showInputBox({
    title: 'New Component: its name',
    value: chosen.template.name,
    validateInput: (text) => (text.trim() === '' ? 'A name is required.' : undefined),
  });
  if (name === undefined) return;
  const made = createComponent(name.trim(), chosen.template);
  const uri = vscode.Uri.joinPath(vscode.Uri.file(folder.root), 'components', made.file);
  if (await exists(uri)) {
    throw new WeirError('conflict', `components/${made.file} already exists; choose another name.`);
  }
  await vscode.workspace.fs.writeFile(uri, Buffer.from(made.text));
  await vscode.window.showTextDocument(uri);
};

export const restartRuntime: Command = async (context) => {
  for (const folder of context.folders.all) {
    if (folder.link.client !== undefined) await folder.link.stop();
    await folder.link.ready();
  }
};

export const stopRuntime: Command = async (context) => {
  for (const folder of context.folders.all) await folder.link.stop();
};

export const showOutput: Command = (context) => context.output.show();

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
