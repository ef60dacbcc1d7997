import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { messageOf } from '../../protocol/errors.ts';
import { addressesIn, endpointsOf } from './endpoint-addresses.ts';
import { requestFiles, requestsFileOf } from './request-files.ts';
import { knownEndpoints } from './request-lenses.ts';

/**
 * Writes new addresses into a file, and saves it when nothing else in it waited to be saved.
 * @param addressOf the address that is true now, by `hi_…`; undefined leaves what is written
 */
export async function setAddresses(
  uri: vscode.Uri,
  addressOf: (id: string) => string | undefined,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  for (;;) {
    const { version } = document;
    const change = new vscode.WorkspaceEdit();
    for (const { id, url, line, from, to } of addressesIn(document.getText())) {
      const now = addressOf(id);
      if (now !== undefined && now !== url) {
        change.replace(uri, new vscode.Range(line, from, line, to), now);
      }
    }
    if (change.size === 0) return;
    const wasSaved = !document.isDirty;
    if (await vscode.workspace.applyEdit(change)) {
      if (wasSaved) await document.save();
      return;
    }
    // Refused, because the file was changed meanwhile in the editor or on the disk. The new text is checked.
    if (document.version === version) return;
  }
}

/**
 * Endpoints move: another port after a restart, or a configured tunnel. Files beside deployed components, and open
 * files, are updated at once, so that other REST clients reach the endpoint as well.
 */
export function keepAddresses(
  folders: Folders,
  output: vscode.LogOutputChannel,
): vscode.Disposable {
  const follow = (uri: vscode.Uri, known = knownEndpoints(folders)): void => {
    setAddresses(uri, (id) => known.get(id)?.url).then(undefined, (error: unknown) =>
      output.warn(
        `The addresses in ${uri.fsPath} could not be brought up to date: ${messageOf(error)}`,
      ),
    );
  };
  const isOfRequests = (document: vscode.TextDocument): boolean =>
    vscode.languages.match(requestFiles, document) > 0;
  const followAllOf = ({ mirror }: Folder): void => {
    const sources = mirror.sources();
    const beside = sources
      .flatMap(({ path }) => (path === null ? [] : [requestsFileOf(path)]))
      .filter((file) => existsSync(file));
    const open = vscode.workspace.textDocuments.filter(isOfRequests).map(({ uri }) => uri.fsPath);
    const known = endpointsOf(sources);
    for (const file of new Set([...beside, ...open])) follow(vscode.Uri.file(file), known);
  };
  // What was there before this was loaded.
  for (const folder of folders.all) followAllOf(folder);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isOfRequests(document)) follow(document.uri);
    }),
    // Read again from the disk, where another branch may have another address.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isOfRequests(document) && !document.isDirty) follow(document.uri);
    }),
    folders.onDidChange(({ folder, touched }) => {
      if (touched.emitterList) followAllOf(folder);
    }),
  );
}
