import path from 'node:path';
import * as vscode from 'vscode';
import { sourceOfTest } from '../../protocol/source-of-test.ts';

/** Tests of the workspace, without installed packages and data folders. */
const pattern = '**/tests/*.test.{yaml,yml}';
const without = '**/{node_modules,.weir,.git}/**';

/**
 * The tests of workflows and sources as VS Code shows them: a row for each of these that has tests, with a row for each
 * file below it.
 * Followed from the first time that somebody asks for them.
 */
export class TestItems implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  #watcher: vscode.FileSystemWatcher | undefined;

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** Reads which tests there are; resolves when all are shown. */
  async find(): Promise<void> {
    this.#watch();
    const files = await vscode.workspace.findFiles(pattern, without);
    await Promise.all(files.map((file) => this.add(file)));
  }

  /** Shows a file, if it is the test of a workflow or source. */
  async add(file: vscode.Uri): Promise<vscode.TestItem | undefined> {
    if (!isTestFile(file)) return undefined;
    const subject = await subjectOf(file);
    if (subject === undefined) return undefined;
    const { items } = this.#controller;
    let parent = items.get(subject.toString());
    if (parent === undefined) {
      // Not as a description, because a screen reader would read only that.
      const isWorkflow = subject.path.endsWith('/workflow.yaml');
      const place = isWorkflow ? vscode.Uri.joinPath(subject, '..') : subject;
      const shown = vscode.workspace.asRelativePath(place);
      parent = this.#controller.createTestItem(subject.toString(), shown, subject);
      items.add(parent);
    }
    const label = path.posix.basename(file.path).replace(/\.test\.ya?ml$/, '');
    const item = this.#controller.createTestItem(file.toString(), label, file);
    item.range = new vscode.Range(0, 0, 0, 0);
    parent.children.add(item);
    return item;
  }

  remove(file: vscode.Uri): void {
    for (const [id, parent] of this.#controller.items) {
      parent.children.delete(file.toString());
      if (parent.children.size === 0) this.#controller.items.delete(id);
    }
  }

  dispose(): void {
    this.#watcher?.dispose();
  }

  #watch(): void {
    if (this.#watcher !== undefined) return;
    this.#watcher = vscode.workspace.createFileSystemWatcher(pattern);
    this.#watcher.onDidCreate((file) => void this.add(file));
    this.#watcher.onDidDelete((file) => this.remove(file));
    this.#watcher.onDidChange((file) => {
      for (const [, parent] of this.#controller.items) {
        const item = parent.children.get(file.toString());
        // The results were of the old file.
        if (item !== undefined) this.#controller.invalidateTestResults(item);
      }
    });
  }
}

export function isTestFile({ scheme, path: file }: vscode.Uri): boolean {
  return scheme === 'file' && /\/tests\/[^/]+\.test\.ya?ml$/.test(file);
}

/** The tests at and below these rows, or all; without the excluded ones. */
export function chosenTests(
  { include, exclude = [] }: vscode.TestRunRequest,
  all: vscode.TestItemCollection,
): vscode.TestItem[] {
  const leaves = (item: vscode.TestItem): vscode.TestItem[] => {
    if (exclude.includes(item)) return [];
    const below = [...item.children].map(([, child]) => child);
    return item.parent === undefined ? below.flatMap(leaves) : [item];
  };
  const chosen = include ?? [...all].map(([, item]) => item);
  return [...new Set(chosen.flatMap(leaves))];
}

/** The subject of a test: `workflow.yaml`, or the file of a source. Undefined for the test of another tool. */
async function subjectOf(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  const bytes = await vscode.workspace.fs.readFile(file).then(
    (read) => read,
    () => new Uint8Array(),
  );
  // A source may be in the same folder as a workflow.yaml.
  const source = sourceOfTest(Buffer.from(bytes).toString('utf8'));
  if (source) return vscode.Uri.file(path.resolve(path.dirname(file.fsPath), source));
  const workflow = vscode.Uri.joinPath(file, '..', '..', 'workflow.yaml');
  return (await exists(workflow)) ? workflow : undefined;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
