import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import { debounce, type Debounced } from '../timing.ts';

/** How long nothing has to be typed before a text is checked, in ms. */
const pauseMs = 300;

export interface TextWatcher {
  /** Whether a document is one to look at. */
  readonly isWanted: (document: vscode.TextDocument) => boolean;
  readonly check: (document: vscode.TextDocument) => void;
  /** It was closed: what was shown of it goes. */
  readonly forget: (uri: vscode.Uri) => void;
}

/**
 * Has open documents checked: those already open, newly opened ones, and each one after the user stops typing in it.
 */
export function watchTexts(
  clock: Clock,
  { isWanted, check, forget }: TextWatcher,
): vscode.Disposable {
  /** By document: the check of one that is being edited. */
  const pauses = new Map<string, Debounced>();
  const checkNow = (document: vscode.TextDocument): void => {
    if (isWanted(document) && !document.isClosed) check(document);
  };
  const checkSoon = (document: vscode.TextDocument): void => {
    if (!isWanted(document)) return;
    const key = document.uri.toString();
    const pause = pauses.get(key) ?? debounce(clock, () => checkNow(document));
    pauses.set(key, pause);
    pause.request(pauseMs);
  };
  for (const document of vscode.workspace.textDocuments) checkNow(document);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(checkNow),
    vscode.workspace.onDidChangeTextDocument(({ document }) => checkSoon(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      pauses.get(uri.toString())?.dispose();
      pauses.delete(uri.toString());
      forget(uri);
    }),
    new vscode.Disposable(() => {
      for (const pause of pauses.values()) pause.dispose();
    }),
  );
}
