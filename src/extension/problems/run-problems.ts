import * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { runUri } from '../documents/run-documents.ts';
import { titleOfRun } from '../views/invocation-line.ts';
import { isFailing } from '../views/source-line.ts';
import { placeOfThrow } from './place-of-throw.ts';

interface Mark {
  /** The run that failed. */
  readonly run: string;
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

/**
 * Marks the line where the last run of a source threw, until a run goes well or the code is another. A mark
 * is set once: while a file is edited, VS Code moves it along.
 */
export class RunProblems implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #collection = vscode.languages.createDiagnosticCollection('weir-run');
  readonly #disposables: vscode.Disposable;
  /** By data folder and source. */
  #marks = new Map<string, Mark>();

  constructor(folders: Folders) {
    this.#folders = folders;
    this.#disposables = vscode.Disposable.from(
      this.#collection,
      folders.onDidChange(({ touched }) => {
        if (touched.emitterList || touched.emitters.size > 0) this.#show();
      }),
      folders.onDidChangeState(() => this.#show()),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #show(): void {
    const before = this.#marks;
    this.#marks = new Map();
    for (const folder of this.#folders.all) {
      for (const source of folder.mirror.sources().filter(isFailing)) {
        const key = `${folder.dataFolder} ${source.id}`;
        const known = before.get(key);
        const isKnown = known?.run === source.last_invocation?.id && !isOlderThanCode(source);
        const mark = isKnown ? known : markOf(folder, source);
        if (mark !== undefined) this.#marks.set(key, mark);
      }
    }
    const changed = [...before.keys(), ...this.#marks.keys()]
      .filter((key) => before.get(key) !== this.#marks.get(key))
      .flatMap((key) => [before.get(key)?.uri, this.#marks.get(key)?.uri])
      .filter((uri) => uri !== undefined);
    for (const uri of new Set(changed.map(String))) this.#set(uri);
  }

  #set(uri: string): void {
    const marks = [...this.#marks.values()].filter((mark) => mark.uri.toString() === uri);
    this.#collection.set(
      vscode.Uri.parse(uri, true),
      marks.map(({ diagnostic }) => diagnostic),
    );
  }
}

function markOf(folder: Folder, source: Source): Mark | undefined {
  const run = source.last_invocation;
  const stack = run?.error?.stack;
  if (run === null || stack === undefined || isOlderThanCode(source)) return undefined;
  const place = placeOfThrow(stack, (file) => file === source.path || folder.holds(file));
  if (place === undefined) return undefined;
  const line = place.line - 1;
  const range = new vscode.Range(line, place.column - 1, line, Number.MAX_SAFE_INTEGER);
  const why = `${run.error?.name}: ${run.error?.message}`;
  const where = `The last run of ${source.name} failed here (${titleOfRun(run)}).`;
  const diagnostic = new vscode.Diagnostic(range, `${why}\n${where}`);
  diagnostic.source = 'Weir';
  diagnostic.code = { value: run.id, target: runUri(folder, run) };
  return { run: run.id, uri: vscode.Uri.file(place.file), diagnostic };
}

/** The source was changed since: the place may be another one by now, and the error mended. */
function isOlderThanCode({ updated_at: updatedAt, last_invocation: run }: Source): boolean {
  return run?.ended_at !== null && run?.ended_at !== undefined && updatedAt * 1000 > run.ended_at;
}
