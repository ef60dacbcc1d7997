import path from 'node:path';
import * as vscode from 'vscode';
import { isUnfinished } from '../../client/past-executions.ts';
import type { StepRun, Workflow } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { coalesce, every } from '../timing.ts';
import { relativeTime } from '../views/line.ts';
import { areLensesWanted, registerLenses } from '../lenses.ts';
import { codeOf, executionUri } from './execution-documents.ts';
import { stateInWords } from './execution-line.ts';
import { durationOfStep, stepInWords } from './step-line.ts';
import type { WorkflowDevMode } from './workflow-dev-mode.ts';
import type { WholeExecutions } from './whole-executions.ts';
import {
  deployedFrom,
  isStepFile,
  stepsInText,
  workflowFileName,
  workflowFileOf,
} from './workflow-files.ts';
import { endpointOf } from './workflow-line.ts';

/** How often lenses are refreshed at most, in ms. */
const refreshMs = 1000;
/** How often "2 min ago" is refreshed, in ms. */
const agesMs = 30_000;
const summaryLength = 60;

interface Lens {
  readonly line: number;
  readonly title: string;
  readonly command: string;
  readonly argument: unknown;
  readonly tooltip?: string;
}

/** Above a `workflow.yaml`, each of its steps, and the code of a step: what can be done, and how it went last. */
export class WorkflowLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #whole: WholeExecutions;
  readonly #dev: Pick<WorkflowDevMode, 'followed' | 'onDidChange'>;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;
  /** The lenses shown last, by document: showing the same ones again would only flicker. */
  readonly #shown = new Map<string, string>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(
    folders: Folders,
    whole: WholeExecutions,
    dev: Pick<WorkflowDevMode, 'followed' | 'onDidChange'>,
    clock: Clock,
  ) {
    this.#folders = folders;
    this.#whole = whole;
    this.#dev = dev;
    this.#clock = clock;
    const refresh = coalesce(clock, refreshMs, () => void this.#refresh());
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      refresh,
      every(clock, agesMs, refresh.request),
      folders.onDidChange(refresh.request),
      dev.onDidChange(refresh.request),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())),
      registerLenses(
        [
          { scheme: 'file', pattern: `**/${workflowFileName}` },
          { scheme: 'file', pattern: '**/entry.{js,mjs,cjs,ts,mts,cts,py,sh}' },
        ],
        this,
        () => this.#changed.fire(),
      ),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const lenses = await this.#lensesOf(document);
    this.#shown.set(document.uri.toString(), JSON.stringify(lenses));
    return lenses.map(
      ({ line, title, command, argument, tooltip }) =>
        new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
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

  async #refresh(): Promise<void> {
    for (const { document } of vscode.window.visibleTextEditors) {
      const shown = this.#shown.get(document.uri.toString());
      if (shown === undefined) continue;
      if (shown === JSON.stringify(await this.#lensesOf(document))) continue;
      this.#changed.fire();
      return;
    }
  }

  async #lensesOf(document: vscode.TextDocument): Promise<Lens[]> {
    if (!areLensesWanted(document)) return [];
    const file = workflowFileOf(document.uri.fsPath);
    if (file === undefined) return [];
    const folder = this.#folders.of(file);
    const workflow = deployedFrom(folder, file);
    const steps = workflow === undefined ? [] : await this.#lastSteps(folder, workflow);
    return isStepFile(document.uri.fsPath)
      ? this.#ofCode(document, file, workflow, steps)
      : this.#ofWorkflow(document.getText(), file, folder, workflow, steps);
  }

  /** The steps of the newest execution. Looking at a file does not start a runtime. */
  async #lastSteps(folder: Folder, { id }: Workflow): Promise<readonly StepRun[]> {
    const [last] = folder.mirror.executions(id);
    if (last === undefined || folder.link.client === undefined) return [];
    const whole = this.#whole.of({ folder, id: last.id });
    return whole.then(
      ({ steps }) => steps,
      () => [],
    );
  }

  #ofWorkflow(
    text: string,
    file: string,
    folder: Folder,
    workflow: Workflow | undefined,
    steps: readonly StepRun[],
  ): Lens[] {
    const top = (title: string, command: string, argument: unknown, tooltip?: string): Lens => ({
      line: 0,
      title,
      command,
      argument,
      ...(tooltip === undefined ? {} : { tooltip }),
    });
    const test = top(
      '$(beaker) Test',
      'weir.testWorkflow',
      file,
      'Runs your files with the last event. Nothing is deployed.',
    );
    const run = [
      top('Run with Event…', 'weir.runWithEvent', file),
      top('Debug…', 'weir.debugWorkflow', file),
      top('Open in Builder', 'weir.openInBuilder', file),
    ];
    const ofSteps = stepsInText(text).flatMap(({ namespace, line, uses }) => [
      runLens(file, line, namespace),
      ...codeLens(file, line, namespace, uses),
      ...this.#stateLens(folder, workflow, steps, namespace, line),
    ]);
    if (workflow === undefined) {
      return [test, top('$(cloud-upload) Deploy', 'weir.deployWorkflow', file), ...run, ...ofSteps];
    }
    const url = endpointOf(workflow);
    const isFollowed = this.#dev.followed.has(workflow.id);
    return [
      test,
      ...(isFollowed ? [] : [updateLens(file, 0)]),
      ...run,
      isFollowed
        ? top('$(sync) Dev mode', 'weir.dev', file, 'Each save updates it. Click to stop.')
        : top('Dev mode', 'weir.dev', file, 'Update it with each save.'),
      ...(url === undefined ? [] : [top('Copy Endpoint', 'weir.copyEndpoint', workflow.id, url)]),
      ...(url === undefined ? [] : [top('Copy as cURL', 'weir.copyCurl', workflow.id)]),
      top('Show Page', 'weir.openWorkflowPage', workflow.id, 'How its executions went.'),
      top(statusOf(folder, workflow, this.#clock.now()), 'weir.revealWorkflow', workflow.id),
      ...ofSteps,
    ];
  }

  #ofCode(
    document: vscode.TextDocument,
    file: string,
    workflow: Workflow | undefined,
    steps: readonly StepRun[],
  ): Lens[] {
    const code = document.uri.fsPath;
    const folder = path.basename(path.dirname(code));
    const step = workflow?.steps.find(
      (one) => codeOf({ path: path.dirname(file), steps: [one] }, one) === code,
    );
    const start = /^export\s+default\b|^module\.exports\b|^def handler\b/m.exec(document.getText());
    const line = start === null ? 0 : document.positionAt(start.index).line;
    const title =
      workflow === undefined
        ? `step of ${path.basename(path.dirname(file))}, not deployed`
        : step === undefined
          ? `${folder} is not a step of ${workflow.name} as it is deployed`
          : `${step.namespace} · step of ${workflow.name}`;
    return [
      { line, title, command: 'weir.openStep', argument: file, tooltip: file },
      ...(workflow === undefined || this.#dev.followed.has(workflow.id)
        ? []
        : [updateLens(file, line)]),
      runLens(file, line, step?.namespace ?? folder),
      { line, title: 'Debug…', command: 'weir.debugWorkflow', argument: file },
      ...this.#stateLens(this.#folders.of(file), workflow, steps, step?.namespace, line),
    ];
  }

  /** How a step went in the newest execution. */
  #stateLens(
    folder: Folder,
    workflow: Workflow | undefined,
    steps: readonly StepRun[],
    namespace: string | undefined,
    line: number,
  ): Lens[] {
    const run = steps.findLast((one) => one.namespace === namespace);
    const last = workflow && folder.mirror.executions(workflow.id)[0];
    if (run === undefined || last === undefined) return [];
    const words = [durationOfStep(run), stepInWords(run, this.#clock.now())];
    const about = words.filter((word) => word !== undefined).join(' · ');
    const short = about.length > summaryLength ? `${about.slice(0, summaryLength)}…` : about;
    return [
      {
        line,
        title: `$(${icons[run.status]}) ${short === '' ? run.status : short}`,
        command: 'weir.showExecution',
        argument: executionUri(folder, last),
        tooltip: about,
      },
    ];
  }
}

const icons: Record<StepRun['status'], string> = {
  running: 'loading~spin',
  succeeded: 'pass',
  failed: 'error',
  retrying: 'history',
  paused: 'debug-pause',
  cancelled: 'circle-slash',
};

function updateLens(file: string, line: number): Lens {
  return {
    line,
    title: '$(cloud-upload) Update',
    command: 'weir.deployWorkflow',
    argument: file,
    tooltip: 'A new deployment: executions that have begun go on with their own.',
  };
}

/** A step of a loop needs its item, and its command says so. */
function runLens(file: string, line: number, step: string): Lens {
  const tooltip =
    "Tests the file's step with the last execution's results. You are asked before it sends more than GET requests.";
  return {
    line,
    title: '$(play) Run This Step',
    command: 'weir.runStep',
    argument: { file, step },
    tooltip,
  };
}

function codeLens(file: string, line: number, namespace: string, uses: string | undefined): Lens[] {
  const code = codeOf(
    { path: path.dirname(file), steps: [{ namespace, uses: uses ?? null }] },
    { namespace },
  );
  if (code === undefined) return [];
  return [{ line, title: 'Open code', command: 'weir.openStep', argument: code, tooltip: code }];
}

function statusOf({ mirror }: Folder, { id, active, updated_at }: Workflow, now: number): string {
  const [last] = mirror.executions(id);
  const state = active ? 'deployed' : 'switched off, deployed';
  const deployed = `${state} ${relativeTime(updated_at * 1000, now)}`;
  if (last === undefined) return `${deployed} · no execution yet`;
  const words = stateInWords(last, now) ?? last.status;
  const when = isUnfinished(last) ? words : `${words} ${relativeTime(last.ended_at ?? now, now)}`;
  return `${deployed} · ${when}`;
}
