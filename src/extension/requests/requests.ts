import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { messageOf } from '../../protocol/errors.ts';
import type { Folders } from '../connection/folders.ts';
import { httpLanguage, requestFiles, requestsFileOf } from './request-files.ts';
import type { provideRequestTexts } from './request-texts.ts';

/**
 * Loads the help for requests once there is something to help with: an open file of requests, an answer, or a file of
 * requests beside a deployed component, whose addresses are kept up to date.
 * @param loadProvider loads the bundle of the help; called at most once
 */
export function knowRequests(
  folders: Folders,
  output: vscode.LogOutputChannel,
  loadProvider: () => Promise<typeof provideRequestTexts>,
): vscode.Disposable {
  let isDisposed = false;
  let provided: vscode.Disposable | undefined;
  const waiting: vscode.Disposable[] = [];
  const stopWaiting = (): void => waiting.splice(0).forEach((one) => void one.dispose());
  const load = (): void => {
    if (waiting.length === 0) return;
    stopWaiting();
    loadProvider().then(
      (provide) => {
        if (!isDisposed) provided = provide(folders, output);
      },
      (error: unknown) => output.error(`The help for requests is missing: ${messageOf(error)}`),
    );
  };
  waiting.push(
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isOfRequests(document)) load();
    }),
    folders.onDidChange(({ folder, touched }) => {
      if (!touched.emitterList) return;
      const files = folder.mirror.sources().flatMap(({ path }) => path ?? []);
      if (files.some((file) => existsSync(requestsFileOf(file)))) load();
    }),
  );
  if (vscode.workspace.textDocuments.some(isOfRequests)) load();
  return new vscode.Disposable(() => {
    isDisposed = true;
    stopWaiting();
    provided?.dispose();
  });
}

function isOfRequests(document: vscode.TextDocument): boolean {
  return document.languageId === httpLanguage || vscode.languages.match(requestFiles, document) > 0;
}
