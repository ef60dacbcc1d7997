import * as vscode from 'vscode';
import { findComponent } from '../component-files/find-component.ts';
import { findProblems, propPlaces } from './find-problems.ts';

/** find-problems.ts shows it already, while the text is typed. */
const shownAlready = /has no name/;
/** Not mistakes, only worth knowing. */
const informational = /^The (?:source|action) has no /;

/** Warnings of the runtime about a component, each shown at the prop it is about. */
export class ComponentWarnings implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('weir-warnings');

  /** @param warnings one sentence each; those about a prop start with its name and a colon */
  async show(file: string, warnings: readonly string[]): Promise<void> {
    const uri = vscode.Uri.file(file);
    if (warnings.every((warning) => shownAlready.test(warning))) {
      this.#collection.delete(uri);
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    const slips = findProblems(text, '').flatMap(({ code, message }) =>
      code === 'unknown-type' ? [message.slice(0, message.indexOf(';'))] : [],
    );
    const shown = warnings.filter(
      (warning) => !shownAlready.test(warning) && !slips.some((slip) => warning.includes(slip)),
    );
    const places = propPlaces(text);
    this.#collection.set(
      uri,
      shown.map((warning) => {
        const prop = places.get(warning.slice(0, warning.indexOf(':')));
        const range =
          prop === undefined
            ? topOf(document)
            : new vscode.Range(document.positionAt(prop.start), document.positionAt(prop.end));
        const { Information, Warning } = vscode.DiagnosticSeverity;
        const severity = informational.test(warning) ? Information : Warning;
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
