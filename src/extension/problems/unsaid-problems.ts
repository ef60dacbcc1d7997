import * as vscode from 'vscode';

/** Sources of the messages of VS Code's own TypeScript, for both languages. */
const ofTypeScript = new Set<string | undefined>(['ts', 'js']);

/**
 * Diagnostics of ours, without those on a line where TypeScript shows an error: what does not parse, is not found
 * or is misspelt is known to both, and would be listed twice. They come as soon as TypeScript has nothing to say there.
 */
export class UnsaidProblems implements vscode.Disposable {
  readonly #collection: vscode.DiagnosticCollection;
  readonly #disposables: vscode.Disposable;
  /** By URI: all that was found. */
  readonly #found = new Map<string, readonly vscode.Diagnostic[]>();
  /** By URI: what is shown of it. */
  readonly #shown = new Map<string, readonly vscode.Diagnostic[]>();

  /** @param name of the collection */
  constructor(name: string) {
    this.#collection = vscode.languages.createDiagnosticCollection(name);
    this.#disposables = vscode.Disposable.from(
      this.#collection,
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) if (this.#found.has(uri.toString())) this.#show(uri);
      }),
    );
  }

  /** Replaces what was found in a file. */
  set(uri: vscode.Uri, found: readonly vscode.Diagnostic[]): void {
    this.#found.set(uri.toString(), found);
    this.#show(uri);
    if (found.length > 0) return;
    this.#found.delete(uri.toString());
    this.#shown.delete(uri.toString());
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #show(uri: vscode.Uri): void {
    const key = uri.toString();
    const found = this.#found.get(key) ?? [];
    const said = found.length === 0 ? [] : linesOfTypeScript(uri);
    const shown = found.filter(({ range }) => !said.includes(range.start.line));
    const before = this.#shown.get(key) ?? [];
    // The event also reports the diagnostics that are set here.
    if (shown.length === before.length && shown.every((one, at) => one === before[at])) return;
    this.#shown.set(key, shown);
    if (shown.length === 0) this.#collection.delete(uri);
    else this.#collection.set(uri, shown);
  }
}

/** Lines where TypeScript's errors begin. */
function linesOfTypeScript(uri: vscode.Uri): number[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source, severity }) => {
      return ofTypeScript.has(source) && severity === vscode.DiagnosticSeverity.Error;
    })
    .map(({ range }) => range.start.line);
}
