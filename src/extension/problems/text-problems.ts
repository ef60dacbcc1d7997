import path from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import { mayBeComponent } from '../component-files/find-component.ts';
import { isStepFile } from '../workflows/workflow-files.ts';
import { findProblems } from './find-problems.ts';
import type { TextProblem } from './problem.ts';
import { UnsaidProblems } from './unsaid-problems.ts';
import { watchTexts } from './watch-texts.ts';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

const selector: vscode.DocumentSelector = ['javascript', 'typescript'].map((language) => ({
  scheme: 'file',
  language,
}));

/** Marks in open component files what is wrong judging by the text alone, and offers quick fixes. */
export class TextProblems implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #shown = new UnsaidProblems('weir-text');
  readonly #disposables: vscode.Disposable;

  constructor(clock: Clock) {
    this.#disposables = vscode.Disposable.from(
      this.#shown,
      watchTexts(clock, {
        isWanted: isCandidate,
        check: (document) => this.#check(document),
        forget: (uri) => this.#shown.set(uri, []),
      }),
      vscode.languages.registerCodeActionsProvider(selector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const ours = diagnostics.filter(({ source }) => source === 'Weir');
    if (ours.length === 0) return [];
    return problemsOf(document).flatMap((problem) => {
      const range = rangeOf(document, problem);
      const shown = ours.find((one) => one.code === problem.code && one.range.isEqual(range));
      return shown === undefined ? [] : actionsFor(document, problem, shown);
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #check(document: vscode.TextDocument): void {
    this.#shown.set(
      document.uri,
      problemsOf(document).map((problem) => {
        const diagnostic = new vscode.Diagnostic(
          rangeOf(document, problem),
          problem.message,
          severities[problem.severity],
        );
        diagnostic.source = 'Weir';
        diagnostic.code = problem.code;
        return diagnostic;
      }),
    );
  }
}

function isCandidate({ uri }: vscode.TextDocument): boolean {
  const { scheme, path: file, fsPath } = uri;
  if (scheme !== 'file' || !mayBeComponent(file) || file.includes('/node_modules/')) return false;
  // A step needs no key and no version.
  return !isStepFile(fsPath);
}

function problemsOf(document: vscode.TextDocument): TextProblem[] {
  return findProblems(document.getText(), path.parse(document.uri.fsPath).name);
}

function rangeOf(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function actionsFor(
  document: vscode.TextDocument,
  { fixes }: TextProblem,
  diagnostic: vscode.Diagnostic,
): vscode.CodeAction[] {
  return fixes.map(({ title, edit }, at) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    action.isPreferred = at === 0 && fixes.length === 1;
    action.edit = new vscode.WorkspaceEdit();
    const snippet = new vscode.SnippetString(edit.snippet);
    action.edit.set(document.uri, [
      vscode.SnippetTextEdit.replace(rangeOf(document, edit), snippet),
    ]);
    return action;
  });
}
