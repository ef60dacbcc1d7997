import path from 'node:path';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import {
  componentExtensions,
  findComponent,
  mayBeComponent,
  type ComponentKind,
} from '../component-files/find-component.ts';

const ignored = '**/{node_modules,.weir,dist,out,build}/**';
const maxFiles = 500;

/**
 * The component file a command is about: what the lens or the explorer gave, else the active
 * editor's when it looks like one, else chosen among the workspace's. Saved first.
 * @returns undefined when the user cancelled
 */
export async function pickFile(
  arg: unknown,
  title = 'Deploy Component',
  kind: ComponentKind = 'source',
): Promise<string | undefined> {
  const uri = asUri(arg) ?? activeUri(kind) ?? (await chooseFile(title, kind));
  if (uri === undefined) return undefined;
  if (uri.scheme !== 'file') {
    throw new WeirError('bad_input', 'Save the component to a file first.');
  }
  const document = vscode.workspace.textDocuments.find(
    (one) => one.uri.toString() === uri.toString(),
  );
  if (document?.isDirty === true) await document.save();
  return uri.fsPath;
}

/** The file in the active editor, when it is a component of any kind. */
export function activeComponent(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const isComponent =
    document?.uri.scheme === 'file' &&
    mayBeComponent(document.uri.path) &&
    findComponent(document.getText()) !== undefined;
  return isComponent ? document.uri.fsPath : undefined;
}

function asUri(arg: unknown): vscode.Uri | undefined {
  if (arg instanceof vscode.Uri) return arg;
  return typeof arg === 'string' ? vscode.Uri.file(arg) : undefined;
}

function activeUri(kind: ComponentKind): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && findComponent(document.getText())?.kind === kind
    ? document.uri
    : undefined;
}

async function chooseFile(title: string, kind: ComponentKind): Promise<vscode.Uri | undefined> {
  const extensions = componentExtensions.map((extension) => extension.slice(1)).join(',');
  const files = await vscode.workspace.findFiles(`**/*.{${extensions}}`, ignored, maxFiles);
  const found = await Promise.all(files.map((uri) => asItem(uri, kind)));
  const items = found.filter((item) => item !== undefined);
  if (items.length === 0) {
    throw new WeirError(
      'not_found',
      `No file of this workspace looks like ${kind === 'action' ? 'an action' : 'a source'}; run Weir: New Component… to write one.`,
    );
  }
  items.sort((a, b) => a.detail.localeCompare(b.detail));
  return (await vscode.window.showQuickPick(items, { title }))?.uri;
}

async function asItem(
  uri: vscode.Uri,
  kind: ComponentKind,
): Promise<{ label: string; detail: string; uri: vscode.Uri } | undefined> {
  const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  if (findComponent(text)?.kind !== kind) return undefined;
  return {
    label: path.basename(uri.fsPath),
    detail: vscode.workspace.asRelativePath(uri),
    uri,
  };
}
