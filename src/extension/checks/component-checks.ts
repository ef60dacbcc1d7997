import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import { componentExtensions, findComponent } from '../component-file.ts';
import type { ComponentProblems } from '../component-problems.ts';
import type { Folders } from '../connection/folders.ts';
import { ComponentWarnings } from '../problems/component-warnings.ts';

/** What the runtime makes of a component file as it is on disk. */
export interface Check {
  /** Of the code as it would be deployed; undefined when it does not load, or nobody could look. */
  readonly hash: string | undefined;
  /** It does not compile or load. */
  readonly isBroken: boolean;
}

interface Look {
  readonly abort: AbortController;
  readonly answer: Promise<Check | undefined>;
}

/** How long files have to be left alone before they are looked at, in ms. */
const pauseMs = 250;
const related = /\.(?:[cm]?[jt]s|json)$/;

/**
 * Has the runtime look at the component files that can be seen, when one is opened that is deployed
 * and whenever something is saved: what changed, and what is wrong, shows without a deploy. A look runs
 * the component's code, so nothing is looked at in an untrusted workspace; and none starts a runtime.
 */
export class ComponentChecks implements vscode.Disposable {
  readonly #folders: Folders;
  readonly #problems: ComponentProblems;
  readonly #warnings = new ComponentWarnings();
  readonly #checks = new Map<string, Check>();
  readonly #looking = new Map<string, Look>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #disposables: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  /** Files that can be seen. */
  #seen: readonly string[] = [];
  /** Files to look at when the pause is over. */
  readonly #due = new Set<string>();

  /** The file that was looked at. */
  readonly onDidChange = this.#changed.event;

  constructor(folders: Folders, problems: ComponentProblems) {
    this.#folders = folders;
    this.#problems = problems;
    const deployed = (): void => this.#soon(seen().filter((file) => this.#isDeployed(file)));
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      this.#warnings,
      vscode.window.onDidChangeVisibleTextEditors(() => this.#come()),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (related.test(uri.path)) this.#soon(seen());
      }),
      // Another program wrote the file: the editor takes it in without a save.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (!document.isDirty && document.uri.scheme === 'file') {
          this.#soon(seen().filter((file) => file === document.uri.fsPath));
        }
      }),
      folders.onDidChangeState(deployed),
      folders.onDidChange(({ touched }) => {
        if (touched.sourceList) deployed();
      }),
    );
  }

  of(file: string): Check | undefined {
    return this.#checks.get(file);
  }

  /** Looks at a file now, whether it can be seen or not. Of two looks the later answers both. */
  look(file: string): Promise<Check | undefined> {
    this.#looking.get(file)?.abort.abort();
    const abort = new AbortController();
    const answer = this.#ask(file, abort.signal).then((check) => {
      const latest = this.#looking.get(file);
      if (latest === undefined) return this.#checks.get(file);
      if (latest.abort !== abort) return latest.answer;
      this.#looking.delete(file);
      if (check !== undefined) this.#set(file, check);
      return check;
    });
    this.#looking.set(file, { abort, answer });
    return answer;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const { abort } of this.#looking.values()) abort.abort();
    this.#disposables.dispose();
  }

  /** @returns undefined when nobody could look */
  async #ask(file: string, signal: AbortSignal): Promise<Check | undefined> {
    const { client } = this.#folders.of(file).link;
    if (client === undefined || !vscode.workspace.isTrusted) return undefined;
    try {
      const found = await this.#problems.during(file, () =>
        client.call(
          'components.inspect',
          // Nobody asked for anything: this is not the time for a question.
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

  #set(file: string, check: Check): void {
    this.#checks.set(file, check);
    this.#changed.fire(file);
  }

  #soon(files: readonly string[]): void {
    for (const file of files) this.#due.add(file);
    if (this.#due.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const due = [...this.#due];
      this.#due.clear();
      for (const file of due) void this.look(file);
    }, pauseMs);
  }

  /** Whoever wrote a file while nobody saw it: it is looked at when it comes into sight. */
  #come(): void {
    const now = seen();
    this.#soon(now.filter((file) => !this.#seen.includes(file) && this.#isDeployed(file)));
    this.#seen = now;
  }

  #isDeployed(file: string): boolean {
    const { mirror } = this.#folders.of(file);
    return mirror.sources().some((source) => source.path === file);
  }
}

/** The component files in the editors that can be seen. */
function seen(): string[] {
  return vscode.window.visibleTextEditors
    .map(({ document }) => document)
    .filter(
      ({ uri }) =>
        uri.scheme === 'file' &&
        componentExtensions.some((extension) => uri.path.endsWith(extension)),
    )
    .filter((document) => findComponent(document.getText()) !== undefined)
    .map(({ uri }) => uri.fsPath);
}
