import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import {
  componentExtensions,
  findComponent,
  mayBeComponent,
  type ComponentKind,
} from '../component-files/find-component.ts';
import type { Folders } from '../connection/folders.ts';
import { componentName } from '../problems/find-problems.ts';
import { fileItem, type PickItem } from './pick-items.ts';

const ignored = '**/{node_modules,.weir,dist,out,build}/**';
const maxFiles = 500;

/**
 * The component file a command is about: what the lens or the explorer gave, else the active
 * editor's when it looks like one, else chosen among the workspace's. Saved first.
 * @returns undefined when the user cancelled
 */
export async function pickFile(
  folders: Folders,
  arg: unknown,
  title = 'Deploy Component',
  kind: ComponentKind = 'source',
): Promise<string | undefined> {
  const uri = asUri(arg) ?? activeUri(kind) ?? (await chooseFile(folders, title, kind));
  if (uri === undefined) return undefined;
  if (uri.scheme !== 'file') {
    throw new WeirError('bad_input', 'Save the component to a file first.');
  }
  const document = vscode.workspace.textDocuments.find(
    (one) => one.uri.toString() === uri.toString(),
  );
  if (document?.isDirty === true && !(await document.save())) {
    throw new WeirError('cancelled', 'The file could not be saved; VS Code has said why.');
  }
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

/** Files of the workspace that look like components of a kind, as far as their text shows it. */
export async function componentFiles(kind: ComponentKind): Promise<readonly ComponentFile[]> {
  const extensions = componentExtensions.map((extension) => extension.slice(1)).join(',');
  const uris = await vscode.workspace.findFiles(`**/*.{${extensions}}`, ignored, maxFiles);
  const read = await Promise.all(uris.map((uri) => readComponent(uri, kind)));
  return read.filter((file) => file !== undefined);
}

async function chooseFile(
  folders: Folders,
  title: string,
  kind: ComponentKind,
): Promise<vscode.Uri | undefined> {
  const files = await componentFiles(kind);
  if (files.length === 0) {
    throw new WeirError(
      'not_found',
      `No file of this workspace looks like ${kind === 'action' ? 'an action' : 'a source'}; run Weir: New Component… to write one.`,
    );
  }
  // The list opens at once; its rows wait for the runtimes, which know what is deployed.
  const chosen = await vscode.window.showQuickPick(asItems(folders, files, kind), {
    title,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.uri;
}

export interface ComponentFile {
  readonly uri: vscode.Uri;
  /** Undefined where its text does not say. */
  readonly name: string | undefined;
}

async function readComponent(
  uri: vscode.Uri,
  kind: ComponentKind,
): Promise<ComponentFile | undefined> {
  const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  return findComponent(text)?.kind === kind ? { uri, name: componentName(text) } : undefined;
}

async function asItems(
  folders: Folders,
  files: readonly ComponentFile[],
  kind: ComponentKind,
): Promise<(PickItem & { readonly uri: vscode.Uri })[]> {
  const used = new Set(files.map(({ uri }) => folders.of(uri.fsPath)));
  // An action is never deployed.
  if (kind === 'source') await Promise.all([...used].map((folder) => folder.link.ready()));
  const items = files.map(({ uri, name }) => {
    const { fsPath } = uri;
    const deployed = folders
      .of(fsPath)
      .mirror.sources()
      .filter(({ path }) => path === fsPath);
    return { ...fileItem(name, kind, vscode.workspace.asRelativePath(uri), deployed), uri };
  });
  return items.sort((a, b) => a.description.localeCompare(b.description));
}
