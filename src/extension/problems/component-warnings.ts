import * as vscode from 'vscode';
import { findComponent } from '../component-file.ts';
import { propPlaces } from './find-problems.ts';

/** The text's own look says it already, while it is typed. */
const saidBefore = /has no name/;
/** Nothing is wrong with these: they are only good to know. */
const goodToKnow = /^The (?:source|action) has no /;

/** What the runtime would not like about a component, at the prop it speaks of. */
export class ComponentWarnings implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('weir-warnings');

  /** @param warnings one sentence each; those about a prop start with its name and a colon */
  async show(file: string, warnings: readonly string[]): Promise<void> {
    const uri = vscode.Uri.file(file);
    const told = warnings.filter((warning) => !saidBefore.test(warning));
    if (told.length === 0) {
      this.#collection.delete(uri);
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const places = propPlaces(document.getText());
    this.#collection.set(
      uri,
      told.map((warning) => {
        const prop = places.get(warning.slice(0, warning.indexOf(':')));
        const range =
          prop === undefined
            ? topOf(document)
            : new vscode.Range(document.positionAt(prop.start), document.positionAt(prop.end));
        const { Information, Warning } = vscode.DiagnosticSeverity;
        const severity = goodToKnow.test(warning) ? Information : Warning;
        const diagnostic = new vscode.Diagnostic(range, warning, severity);
        diagnostic.source = 'Weir';
        return diagnostic;
      }),
    );
  }

  dispose(): void {
    this.#collection.dispose();
  }
}

function topOf(document: vscode.TextDocument): vscode.Range {
  const line = findComponent(document.getText())?.line ?? 0;
  return document.lineAt(line).range;
}
