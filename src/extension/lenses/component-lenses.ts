import * as vscode from 'vscode';
import type { ComponentChecks } from '../checks/component-checks.ts';
import { findComponent } from '../component-file.ts';
import type { Folders } from '../connection/folders.ts';
import type { DevMode } from '../dev/dev-mode.ts';
import { coalesce } from '../model/coalesce.ts';
import { lensesFor, type Lens } from './lenses-for.ts';

/** How often lenses are drawn anew at most, in ms: they say how many events there are. */
const redrawMs = 1000;
/** Every half a minute for "2 min ago". */
const agingMs = 30_000;

/** What can be done with a component above its default export, and how it is. */
export class ComponentLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #checks: ComponentChecks;
  readonly #dev: DevMode;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  /** As they were drawn last, by document: drawing the same again would only flicker. */
  readonly #drawn = new Map<string, string>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(folders: Folders, checks: ComponentChecks, dev: DevMode) {
    this.#folders = folders;
    this.#checks = checks;
    this.#dev = dev;
    const redraw = coalesce(() => this.#redraw(), redrawMs);
    const aging = setInterval(redraw.request, agingMs);
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      redraw,
      new vscode.Disposable(() => clearInterval(aging)),
      folders.onDidChange(redraw.request),
      checks.onDidChange(redraw.request),
      dev.onDidChange(redraw.request),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#drawn.delete(uri.toString())),
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
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const found = this.#lensesOf(document);
    this.#drawn.set(document.uri.toString(), JSON.stringify(found.lenses));
    const range = new vscode.Range(found.line, 0, found.line, 0);
    return found.lenses.map(
      ({ title, command, argument, tooltip }) =>
        new vscode.CodeLens(range, {
          title,
          command,
          arguments: [argument],
          ...(tooltip === undefined ? {} : { tooltip }),
        }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #redraw(): void {
    const isOld = vscode.window.visibleTextEditors.some(({ document }) => {
      const drawn = this.#drawn.get(document.uri.toString());
      return drawn !== undefined && drawn !== JSON.stringify(this.#lensesOf(document).lenses);
    });
    if (isOld) this.#changed.fire();
  }

  #lensesOf(document: vscode.TextDocument): { readonly line: number; readonly lenses: Lens[] } {
    const settings = vscode.workspace.getConfiguration('weir', document.uri);
    // All of them run the component's code, which only a trusted workspace may.
    const isWanted = vscode.workspace.isTrusted && settings.get('codeLens.enabled', true);
    const component = isWanted ? findComponent(document.getText()) : undefined;
    if (component === undefined) return { line: 0, lenses: [] };
    const file = document.uri.fsPath;
    const { mirror } = this.#folders.of(file);
    const deployed = mirror.sources().filter((source) => source.path === file);
    const lenses = lensesFor(
      {
        kind: component.kind,
        file,
        deployed,
        check: this.#checks.of(file),
        events: deployed.reduce((sum, { id }) => sum + mirror.eventCount(id), 0),
        followed: this.#dev.followed,
      },
      Date.now(),
    );
    return { line: component.line, lenses };
  }
}
