import * as vscode from 'vscode';
import type { StaleStep } from '../../client/stale-reason.ts';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { Signal, type Disposable } from '../signal.ts';
import { debounce } from '../timing.ts';
import type { ExecutionKey, WholeExecutions } from './whole-executions.ts';

/** By path of the step run. */
export type StaleSteps = ReadonlyMap<string, StaleStep>;

/** How long after a save the marks are looked at again, in ms: formatters save, too. */
const settleMs = 300;
const none: StaleSteps = new Map();

/**
 * Which results were made with something older than what the files say now. The runtime is asked about executions that
 * somebody looks at, and again when a file was saved, or something was deployed or has run.
 */
export class StaleMarks implements Disposable {
  /** Its staleness may have changed. */
  readonly onDidChange = new Signal<ExecutionKey>();
  readonly #known = new Map<string, { key: ExecutionKey; steps: Promise<StaleSteps> }>();
  readonly #disposables: vscode.Disposable;

  constructor(folders: Folders, whole: Pick<WholeExecutions, 'onDidChange'>, clock: Clock) {
    const saved = debounce(clock, () => this.#forget(() => true));
    this.#disposables = vscode.Disposable.from(
      saved,
      vscode.workspace.onDidSaveTextDocument(() => {
        if (this.#known.size > 0) saved.request(settleMs);
      }),
      whole.onDidChange.on((changed) => this.#forget(({ id }) => id === changed.id)),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.workflowList) this.#forget((key) => key.folder === folder);
      }),
    );
  }

  /** Empty if it is unknown: no runtime runs, or the file has errors. Never rejects. */
  of(key: ExecutionKey): Promise<StaleSteps> {
    const { client } = key.folder.link;
    if (client === undefined) return Promise.resolve(none);
    const name = `${key.folder.key} ${key.id}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known.steps;
    const steps = client.call('executions.stale', { id: key.id }).then(
      ({ data }): StaleSteps => new Map(data.map((one) => [one.path, one])),
      () => none,
    );
    this.#known.set(name, { key, steps });
    return steps;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #forget(isAbout: (key: ExecutionKey) => boolean): void {
    const gone = [...this.#known].filter(([, { key }]) => isAbout(key));
    for (const [name] of gone) this.#known.delete(name);
    for (const [, { key }] of gone) this.onDidChange.fire(key);
  }
}
