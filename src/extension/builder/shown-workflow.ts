import path from 'node:path';
import * as vscode from 'vscode';
import type { StepRun, WholeExecution } from '../../protocol/catalogue.ts';
import type { Path } from '../../webview/builder/messages.ts';
import { stepsIn, type StepPlace } from '../../workflow-file/steps-in.ts';
import { recentValues } from '../../workflow-file/recent-values.ts';
import { relativeTime } from '../views/line.ts';
import { chosenMode } from '../workflows/test-mode.ts';
import { deployedFrom } from '../workflows/workflow-files.ts';
import { isRecord } from '../../protocol/record.ts';
import type { BuilderParts } from './builder-parts.ts';
import { valuesOf } from './edits.ts';
import { dataOf, lastRuns, withoutItems } from './last-run.ts';
import { marksOf } from './marks.ts';

/** Sends the page the current workflow, its problems, and its last run. */
export class ShownWorkflow {
  readonly #parts: BuilderParts;
  #looked: Path | undefined;

  constructor(parts: BuilderParts) {
    this.#parts = parts;
  }

  /** @param isUnchanged it answers an edit that left the text as it was */
  postModel(isUnchanged = false): void {
    const text = this.#parts.document.getText();
    const { root, problems } = recentValues(text);
    const error = problems.find(({ severity }) => severity === 'error');
    const isEmpty = text.replaceAll(/^\s*#.*$/gm, '').trim() === '';
    const values = error === undefined && isRecord(root?.value) ? root.value : null;
    const line = error === undefined ? 0 : this.#parts.document.positionAt(error.span.start).line;
    this.#parts.post({
      t: 'model',
      model: {
        version: this.#parts.document.version,
        folder: path.basename(path.dirname(this.#parts.file)),
        values,
        isEmpty,
        problem:
          values === null
            ? {
                message: error?.message ?? 'The file is not a mapping of keys to values.',
                line: line + 1,
              }
            : null,
        isDeployed: deployedFrom(this.#parts.folder, this.#parts.file) !== undefined,
        isDry: chosenMode(this.#parts.context.memory, this.#parts.file) === 'dry',
        mayEdit: vscode.workspace.isTrusted,
      },
      ...(isUnchanged && { isUnchanged }),
    });
  }

  postMarks(): void {
    const severities = ['error', 'warning', 'info', 'info'] as const;
    const found = vscode.languages.getDiagnostics(this.#parts.document.uri).map((one) => ({
      severity: severities[one.severity],
      message: one.message,
      offset: this.#parts.document.offsetAt(one.range.start),
      line: one.range.start.line + 1,
    }));
    this.#parts.post({ t: 'marks', marks: marksOf(this.#parts.document.getText(), found) });
  }

  postEmitters(): void {
    const { mirror } = this.#parts.folder;
    const emitters = [...mirror.sources(), ...mirror.workflows()].map(({ id, name }) => ({
      id,
      name,
    }));
    this.#parts.post({ t: 'emitters', emitters });
  }

  async #newest(): Promise<WholeExecution | undefined> {
    const { context, file, folder } = this.#parts;
    const id = deployedFrom(folder, file)?.id ?? context.workflows.tested.get(file);
    const last = id === undefined ? undefined : folder.mirror.executions(id)[0];
    // Looking at a file does not start a runtime.
    if (last === undefined || this.#parts.folder.link.client === undefined) return undefined;
    return this.#parts.context.workflows.whole
      .of({ folder: this.#parts.folder, id: last.id })
      .catch(() => undefined);
  }

  async postRuns(): Promise<void> {
    const whole = await this.#newest();
    if (whole === undefined) return;
    const now = this.#parts.context.clock.now();
    const version = whole.test ? 'Test of your files' : 'Deployed version';
    const about = `${version}: ${whole.status} ${relativeTime(whole.created_at, now)}`;
    this.#parts.post({ t: 'runs', runs: lastRuns(whole.steps, now), about });
    await this.#postData();
  }

  /** From now on the page gets what the newest execution had for this part of the workflow. */
  look(at: Path | undefined): void {
    this.#looked = at;
    void this.#postData();
  }

  /** The newest run of a step in the newest execution. */
  async lastRunOf(
    at: Path,
  ): Promise<{ readonly execution: WholeExecution; readonly step: StepRun } | undefined> {
    const execution = await this.#newest();
    const place = placeOf(valuesOf(this.#parts.document.getText()), at);
    const step = execution?.steps.findLast((one) => withoutItems(one.path) === place?.runPath);
    return execution && step && { execution, step };
  }

  async #postData(): Promise<void> {
    const looked = this.#looked;
    const whole = looked && (await this.#newest());
    if (looked === undefined || whole === undefined || looked !== this.#looked) return;
    const place = placeOf(valuesOf(this.#parts.document.getText()), looked);
    const run = place && whole.steps.findLast((one) => withoutItems(one.path) === place.runPath);
    const steps = dataOf(whole, place ?? { sees: new Set(), loops: new Set() });
    const given = place?.path.length === looked.length ? (run?.props ?? null) : null;
    this.#parts.post({ t: 'data', path: looked, steps, given });
  }
}

/** The step at a path, or the block of the branch that is there; undefined of the workflow itself. */
function placeOf(values: unknown, path: Path): StepPlace | undefined {
  const isBranch = path.at(-2) === 'branches';
  const key = JSON.stringify(isBranch ? path.slice(0, -2) : path);
  return [...stepsIn(values)].find((one) => JSON.stringify(one.path) === key);
}
