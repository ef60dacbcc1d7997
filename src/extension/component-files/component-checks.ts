import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import type { ComponentProblems } from '../problems/component-problems.ts';
import { ComponentWarnings } from '../problems/component-warnings.ts';
import { debounce, type Debounced } from '../timing.ts';
import { isStepFile } from '../workflows/workflow-files.ts';
import { findComponent, mayBeComponent, mayBePart } from './find-component.ts';

/** The runtime's findings about a component file as it is on disk. */
export interface Check {
  /** Hash of the code as it would be deployed; undefined if it does not load, or could not be checked. */
  readonly hash: string | undefined;
  /** It does not compile or load. */
  readonly isBroken: boolean;
}

interface RunningCheck {
  readonly abort: AbortController;
  readonly result: Promise<Check | undefined>;
}

/** How long files have to be left alone before they are checked, in ms. */
const pauseMs = 250;

/**
 * Has the runtime check the component files in visible editors, when a deployed file is shown and whenever something is
 * saved: differences and errors show without a deploy. A check runs the component's code, so an untrusted workspace has
 * no checks; and no check starts a runtime.
 */
export class ComponentChecks implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #problems: ComponentProblems;
  readonly #warnings = new ComponentWarnings();
  readonly #checks = new Map<string, Check>();
  readonly #running = new Map<string, RunningCheck>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #disposables: vscode.Disposable;
  /** Files in visible editors. */
  #visible: readonly string[] = [];
  /** Files to check when the pause is over. */
  readonly #due = new Set<string>();
  readonly #pause: Debounced;

  /** Fires with the file that was checked. */
  readonly onDidChange = this.#changed.event;

  constructor(folders: Folders, problems: ComponentProblems, clock: Clock) {
    this.#folders = folders;
    this.#problems = problems;
    this.#pause = debounce(clock, () => {
      const due = [...this.#due];
      this.#due.clear();
      for (const file of due) void this.check(file);
    });
    const checkDeployed = (): void =>
      this.#checkSoon(visibleComponents().filter((file) => this.#isDeployed(file)));
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      this.#warnings,
      this.#pause,
      vscode.window.onDidChangeVisibleTextEditors(() => this.#checkAppeared()),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (mayBePart(uri.path)) this.#checkSoon(visibleComponents());
      }),
      // When another program writes the file, the editor reloads it without a save.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty && document.uri.scheme === 'file') {
          this.#checkSoon(visibleComponents().filter((file) => file === document.uri.fsPath));
        }
      }),
      folders.onDidChangeState(checkDeployed),
      folders.onDidChange(({ touched }) => {
        if (touched.emitterList) checkDeployed();
      }),
    );
  }

  /** The last check of a file. */
  of(file: string): Check | undefined {
    return this.#checks.get(file);
  }

  /**
   * Checks a file now, whether it is visible or not. A later check of the same file replaces this one
   * and gives the result of both.
   * @returns undefined when it could not be checked
   */
  check(file: string): Promise<Check | undefined> {
    this.#running.get(file)?.abort.abort();
    const abort = new AbortController();
    const result = this.#inspect(file, abort.signal).then((check) => {
      const latest = this.#running.get(file);
      if (latest === undefined) return this.#checks.get(file);
      if (latest.abort !== abort) return latest.result;
      this.#running.delete(file);
      if (check !== undefined) {
        this.#checks.set(file, check);
        this.#changed.fire(file);
      }
      return check;
    });
    this.#running.set(file, { abort, result });
    return result;
  }

  dispose(): void {
    for (const { abort } of this.#running.values()) abort.abort();
    this.#disposables.dispose();
  }

  /** @returns undefined when it could not be checked */
  async #inspect(file: string, signal: AbortSignal): Promise<Check | undefined> {
    const { client } = this.#folders.of(file).link;
    if (client === undefined || !vscode.workspace.isTrusted) return undefined;
    try {
      const found = await this.#problems.during(file, () =>
        client.call(
          'components.inspect',
          // Nobody asked for a check, so it must not ask whether packages may be installed.
          { component_path: file, install: false },
          { signal },
        ),
      );
      await this.#warnings.show(file, found.warnings);
      return { hash: found.code_hash, isBroken: false };
    } catch (error) {
      if (WeirError.is(error, 'cancelled')) return undefined;
      return { hash: undefined, isBroken: WeirError.is(error, 'bad_component') };
    }
  }

  #checkSoon(files: readonly string[]): void {
    for (const file of files) this.#due.add(file);
    if (this.#due.size > 0) this.#pause.request(pauseMs);
  }

  /** A file may have been written while it was not visible, so it is checked when it appears. */
  #checkAppeared(): void {
    const visible = visibleComponents();
    this.#checkSoon(
      visible.filter((file) => !this.#visible.includes(file) && this.#isDeployed(file)),
    );
    this.#visible = visible;
  }

  #isDeployed(file: string): boolean {
    const { mirror } = this.#folders.of(file);
    return mirror.sources().some((source) => source.path === file);
  }
}

/** The component files in visible editors. */
function visibleComponents(): string[] {
  return (
    vscode.window.visibleTextEditors
      .map(({ document }) => document)
      .filter(({ uri }) => uri.scheme === 'file' && mayBeComponent(uri.path))
      // A step has no key and no version, and is checked with its workflow.
      .filter(({ uri }) => !isStepFile(uri.fsPath))
      .filter((document) => findComponent(document.getText()) !== undefined)
      .map(({ uri }) => uri.fsPath)
  );
}
