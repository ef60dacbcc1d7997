import * as vscode from 'vscode';

export const resultScheme = 'weir-result';

/** Results of runs, as read-only JSON documents that exist in this window only. */
export class ResultDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #disposables: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#disposables = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(resultScheme, this),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#texts.delete(document.uri.toString());
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** @param title of the tab */
  async show(title: string, value: unknown): Promise<void> {
    await vscode.window.showTextDocument(this.#add(title, value), {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  /** Two results side by side, with what differs. @param title of the tab */
  async diff(title: string, before: unknown, after: unknown): Promise<void> {
    const [left, right] = [this.#add('before', before), this.#add('after', after)];
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  }

  #add(title: string, value: unknown): vscode.Uri {
    this.#count += 1;
    const name = title.replaceAll(/[^\p{L}\p{N} _.-]/gu, ' ').trim();
    const uri = vscode.Uri.from({
      scheme: resultScheme,
      path: `/${name}.json`,
      query: String(this.#count),
    });
    this.#texts.set(uri.toString(), `${JSON.stringify(value, null, 2)}\n`);
    return uri;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
