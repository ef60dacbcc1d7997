import * as vscode from 'vscode';
import { findSource } from '../component-file.ts';
import type { Folders } from '../connection/folders.ts';

/** Deploy above the default export of a source; once deployed Update, Run, Debug and a quiet status. */
export class ComponentLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(folders: Folders) {
    this.#folders = folders;
    this.#disposables = [
      this.#changed,
      folders.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('weir.codeLens')) this.#changed.fire();
      }),
      vscode.languages.registerCodeLensProvider(
        [
          { scheme: 'file', language: 'javascript' },
          { scheme: 'file', language: 'typescript' },
        ],
        this,
      ),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const settings = vscode.workspace.getConfiguration('weir', document.uri);
    if (!settings.get('codeLens.enabled', true)) return [];
    const line = findSource(document.getText());
    if (line === undefined) return [];
    const range = new vscode.Range(line, 0, line, 0);
    const file = document.uri.fsPath;
    const { mirror } = this.#folders.of(file);
    const deployed = mirror.sources().filter((source) => source.path === file);
    const lens = (title: string, command: string, arg: string): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, command, arguments: [arg] });

    const [source, another] = deployed;
    if (source === undefined) {
      return [lens('Deploy', 'weir.deploy', file), lens('Debug', 'weir.debug', file)];
    }
    const events = deployed.reduce((sum, { id }) => sum + mirror.eventCount(id), 0);
    const counted = events === 1 ? '1 event' : `${events} events`;
    if (another !== undefined) {
      // The commands ask which one, as a file path names them all.
      return [
        lens('Update…', 'weir.update', file),
        lens('Run…', 'weir.invoke', file),
        lens('Debug…', 'weir.debug', file),
        lens(`deployed ${deployed.length} times · ${counted}`, 'weir.revealSource', file),
      ];
    }
    const state = source.active ? 'deployed' : 'deployed, inactive';
    return [
      lens('Update', 'weir.update', source.id),
      lens('Run', 'weir.invoke', source.id),
      lens('Debug', 'weir.debug', source.id),
      lens(`${state} · ${counted}`, 'weir.revealSource', source.id),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }
}
