import * as vscode from 'vscode';
import type { Folders } from '../connection/folders.ts';
import { areLensesWanted, registerLenses } from '../lenses.ts';
import { endpointsOf, ownRequests } from './endpoint-addresses.ts';
import { parseHttpFile } from './http-file.ts';
import { requestFiles } from './request-files.ts';

/** Every endpoint that this window knows. */
export function knownEndpoints(folders: Folders): ReturnType<typeof endpointsOf> {
  return endpointsOf(folders.all.flatMap(({ mirror }) => mirror.sources()));
}

/** The argument of a lens's command: the request to send. */
export interface RequestPlace {
  readonly uri: vscode.Uri;
  /** Number of the request line, 0-based. */
  readonly line: number;
}

/** Above each request to an endpoint of ours. Other hosts are left to other REST clients, whose lens reads "Send Request". */
export class RequestLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(folders: Folders) {
    this.#folders = folders;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      folders.onDidChange(({ touched }) => {
        if (touched.emitterList) this.#changed.fire();
      }),
      registerLenses(requestFiles, this, () => this.#changed.fire()),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!areLensesWanted(document)) return [];
    const file = parseHttpFile(document.getText());
    return ownRequests(file, knownEndpoints(this.#folders)).map(({ line }) => {
      const place: RequestPlace = { uri: document.uri, line };
      return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
        title: 'Send with Weir',
        tooltip: 'Sends this request and shows its answer and its run.',
        command: 'weir.sendRequest',
        arguments: [place],
      });
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
