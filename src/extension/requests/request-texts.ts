import * as vscode from 'vscode';
import type { Folders } from '../connection/folders.ts';
import { answerScheme } from './answer-document.ts';
import { keepAddresses } from './keep-addresses.ts';
import { colourRequests } from './request-colours.ts';
import { completeRequests } from './request-completion.ts';
import { RequestLenses } from './request-lenses.ts';

/** Lenses, completion, colors and current addresses, in the files that are open already, too. */
export function provideRequestTexts(
  folders: Folders,
  output: vscode.LogOutputChannel,
): vscode.Disposable {
  return vscode.Disposable.from(
    new RequestLenses(folders),
    completeRequests(folders),
    colourRequests(answerScheme),
    keepAddresses(folders, output),
  );
}
