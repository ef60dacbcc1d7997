import * as vscode from 'vscode';
import type { Execution, Workflow } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { placeOfThrow } from '../problems/place-of-throw.ts';
import { executionUri } from './execution-documents.ts';
import { titleOfExecution } from './execution-line.ts';
import { isFailingWorkflow } from './workflow-line.ts';

interface Mark {
  readonly execution: string;
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

/**
 * Marks the line where the last execution of a workflow threw, until one goes well or the workflow is deployed anew. A
 * mark is set once: while a file is edited, VS Code moves it along.
 */
export class ExecutionProblems implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #collection = vscode.languages.createDiagnosticCollection('weir-execution');
  readonly #disposables: vscode.Disposable;
  /** By data folder and workflow. */
  #marks = new Map<string, Mark>();

  constructor(folders: Folders) {
    this.#folders = folders;
    this.#disposables = vscode.Disposable.from(
      this.#collection,
      folders.onDidChange(({ touched }) => {
        if (touched.workflowList || touched.workflows.size > 0) this.#show();
      }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #show(): void {
    const before = this.#marks;
    this.#marks = new Map();
    for (const folder of this.#folders.all) {
      for (const workflow of folder.mirror.workflows()) {
        const [last] = folder.mirror.executions(workflow.id);
        if (last === undefined || !isFailingWorkflow(workflow, last)) continue;
        if (last.deployment_id !== workflow.deployment_id) continue;
        const key = `${folder.dataFolder} ${workflow.id}`;
        const known = before.get(key);
        const mark = known?.execution === last.id ? known : markOf(folder, workflow, last);
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

function markOf(folder: Folder, workflow: Workflow, last: Execution): Mark | undefined {
  const { error } = last;
  if (error?.stack === undefined) return undefined;
  const isOurs = (file: string): boolean => file.startsWith(workflow.path) || folder.holds(file);
  const place = placeOfThrow(error.stack, isOurs);
  if (place === undefined) return undefined;
  const line = place.line - 1;
  const range = new vscode.Range(line, place.column - 1, line, Number.MAX_SAFE_INTEGER);
  const where = `The last execution of ${workflow.name} failed here (${titleOfExecution(last)}).`;
  const diagnostic = new vscode.Diagnostic(range, `${error.name}: ${error.message}\n${where}`);
  diagnostic.source = 'Weir';
  diagnostic.code = { value: last.id, target: executionUri(folder, last) };
  return { execution: last.id, uri: vscode.Uri.file(place.file), diagnostic };
}
