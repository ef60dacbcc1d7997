import * as vscode from 'vscode';
import type { Invocation } from '../../protocol/catalogue.ts';
import { placeOfThrow } from './place-of-throw.ts';

/** The last failure: of a source a run, of a workflow an execution. */
export interface Failed {
  /** Key of the failure, unique in the window. */
  readonly key: string;
  /** `inv_…` or `exec_…` */
  readonly run: string;
  readonly error: Invocation['error'];
  /** Whether a file is the author's own code. */
  readonly isOwn: (file: string) => boolean;
  /** Says what failed at the marked line. */
  readonly sentence: string;
  /** The document of the run. */
  readonly target: vscode.Uri;
}

interface Mark {
  readonly run: string;
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

/** Marks at the lines that threw. A mark is set once: while a file is edited, VS Code moves it along. */
export class ThrowMarks implements vscode.Disposable {
  readonly #collection: vscode.DiagnosticCollection;
  /** By key. */
  #marks = new Map<string, Mark>();

  /** @param name of the collection */
  constructor(name: string) {
    this.#collection = vscode.languages.createDiagnosticCollection(name);
  }

  /** Marks these, and takes away the marks of all that is not among them. */
  show(failed: readonly Failed[]): void {
    const before = this.#marks;
    this.#marks = new Map();
    for (const one of failed) {
      const known = before.get(one.key);
      const mark = known?.run === one.run ? known : markOf(one);
      if (mark !== undefined) this.#marks.set(one.key, mark);
    }
    const changed = [...before.keys(), ...this.#marks.keys()]
      .filter((key) => before.get(key) !== this.#marks.get(key))
      .flatMap((key) => [before.get(key)?.uri, this.#marks.get(key)?.uri])
      .filter((uri) => uri !== undefined);
    for (const uri of new Set(changed.map(String))) this.#set(uri);
  }

  dispose(): void {
    this.#collection.dispose();
  }

  #set(uri: string): void {
    const marks = [...this.#marks.values()].filter((mark) => mark.uri.toString() === uri);
    this.#collection.set(
      vscode.Uri.parse(uri, true),
      marks.map(({ diagnostic }) => diagnostic),
    );
  }
}

/** Undefined where no line of the author's own code threw. */
function markOf({ run, error, isOwn, sentence, target }: Failed): Mark | undefined {
  if (error?.stack === undefined) return undefined;
  const place = placeOfThrow(error.stack, isOwn);
  if (place === undefined) return undefined;
  const line = place.line - 1;
  const range = new vscode.Range(line, place.column - 1, line, Number.MAX_SAFE_INTEGER);
  const diagnostic = new vscode.Diagnostic(range, `${error.name}: ${error.message}\n${sentence}`);
  diagnostic.source = 'Weir';
  diagnostic.code = { value: run, target };
  return { run, uri: vscode.Uri.file(place.file), diagnostic };
}
