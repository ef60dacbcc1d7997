import * as vscode from 'vscode';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { coalesce, every } from '../timing.ts';
import { isStepFile } from '../workflows/workflow-files.ts';
import { areLensesWanted, registerLenses, scriptFiles } from '../lenses.ts';
import type { ComponentChecks } from './component-checks.ts';
import type { DevMode } from './dev-mode.ts';
import { findComponent } from './find-component.ts';
import { lensesFor, type Lens } from './lenses-for.ts';

/** How often lenses are refreshed at most, in ms: they show how many events there are. */
const refreshMs = 1000;
/** How often "2 min ago" is refreshed, in ms. */
const agesMs = 30_000;

/** Above the default export of a component: what can be done with it, and its state. */
export class ComponentLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #checks: ComponentChecks;
  readonly #dev: DevMode;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  /** The lenses shown last, by document: showing the same ones again would only flicker. */
  readonly #shown = new Map<string, string>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(folders: Folders, checks: ComponentChecks, dev: DevMode, clock: Clock) {
    this.#folders = folders;
    this.#checks = checks;
    this.#dev = dev;
    this.#clock = clock;
    const refresh = coalesce(clock, refreshMs, () => this.#refresh());
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      refresh,
      every(clock, agesMs, refresh.request),
      folders.onDidChange(refresh.request),
      checks.onDidChange(refresh.request),
      dev.onDidChange(refresh.request),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())),
      registerLenses(scriptFiles, this, () => this.#changed.fire()),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { line, lenses } = this.#lensesOf(document);
    this.#shown.set(document.uri.toString(), JSON.stringify(lenses));
    const range = new vscode.Range(line, 0, line, 0);
    return lenses.map(
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

  #refresh(): void {
    const isOutdated = vscode.window.visibleTextEditors.some(({ document }) => {
      const shown = this.#shown.get(document.uri.toString());
      return shown !== undefined && shown !== JSON.stringify(this.#lensesOf(document).lenses);
    });
    if (isOutdated) this.#changed.fire();
  }

  #lensesOf(document: vscode.TextDocument): { readonly line: number; readonly lenses: Lens[] } {
    // The code of a step has lenses of its own.
    const isComponent = areLensesWanted(document) && !isStepFile(document.uri.fsPath);
    const component = isComponent ? findComponent(document.getText()) : undefined;
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
      this.#clock.now(),
    );
    return { line: component.line, lenses };
  }
}
