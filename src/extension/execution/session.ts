import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { WholeExecution } from '../../protocol/catalogue.ts';
import { messageOf } from '../../protocol/errors.ts';
import type {
  ExecutionAction,
  HostMessage,
  PageMessage,
  StepAction,
  StepSummary,
} from '../../webview/execution/messages.ts';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import type { CommandId } from '../commands/ids.ts';
import { copyFor } from '../copy.ts';
import { openFrame } from '../documents/open-frame.ts';
import type { StackFrame } from '../documents/stack-frames.ts';
import { coalesce, type Coalesced } from '../timing.ts';
import { showPage } from '../webview-page.ts';
import { pageRuntime } from '../connection/page-runtime.ts';
import { codeOf, executionOf } from '../workflows/execution-documents.ts';
import type { StaleMarks, StaleSteps } from '../workflows/stale-marks.ts';
import type { ExecutionKey, WholeExecutions } from '../workflows/whole-executions.ts';
import { stepKey } from '../workflows/step-line.ts';
import type { StepNode } from '../workflows/workflow-nodes.ts';
import { parsePageMessage } from './page-message.ts';
import { detailsOf, headOf, summariesOf, unchanged, type Abilities } from './page-model.ts';

/** Parts that the pages of executions work with. */
export interface ExecutionPageParts {
  readonly folders: Folders;
  readonly whole: WholeExecutions;
  readonly stale: Pick<StaleMarks, 'of' | 'onDidChange'>;
  readonly extensionUri: vscode.Uri;
  readonly output: vscode.LogOutputChannel;
  readonly clock: Clock;
}

/** How often a running execution is shown again at most, in ms. */
const liveMs = 250;

/**
 * Shows an execution in a panel until that is closed.
 * @param first key of the run of a step that is shown first
 */
export function openExecutionPage(
  parts: ExecutionPageParts,
  uri: vscode.Uri,
  panel: vscode.WebviewPanel,
  first: string | undefined,
): ExecutionSession {
  const session = new ExecutionSession(parts, uri, panel, first);
  panel.onDidDispose(() => session.dispose());
  showPage(panel.webview, vscode.Uri.joinPath(parts.extensionUri, 'dist', 'webview'), 'execution');
  return session;
}

/**
 * An open page. It may go away and come back (a hidden tab, a reload of the window), so it gets everything again on
 * each `ready`, and otherwise only changes.
 */
export class ExecutionSession {
  readonly #parts: ExecutionPageParts;
  readonly #uri: vscode.Uri;
  readonly #panel: vscode.WebviewPanel;
  readonly #copy: (text: string) => Promise<void>;
  readonly #disposables: vscode.Disposable;
  readonly #refresh: Coalesced;
  #isOpen = true;
  #isReady = false;
  /** Whether the page has the execution. */
  #hasShown = false;
  #first: string | undefined;
  /** The steps that the page has. */
  #steps: readonly StepSummary[] = [];
  #selected: string | undefined;
  #details: HostMessage | undefined;
  /** Counts what was read: marks that come late are not shown. */
  #turn = 0;
  /** Staleness of the shown steps. */
  #stale: StaleSteps = new Map();
  /** The frames of the stack that is shown. */
  #frames: readonly StackFrame[] = [];

  constructor(
    parts: ExecutionPageParts,
    uri: vscode.Uri,
    panel: vscode.WebviewPanel,
    first: string | undefined,
  ) {
    this.#parts = parts;
    this.#uri = uri;
    this.#panel = panel;
    this.#copy = copyFor(panel);
    this.#first = first;
    this.#refresh = coalesce(parts.clock, liveMs, () => void this.#send());
    this.#disposables = vscode.Disposable.from(
      this.#refresh,
      parts.whole.onDidChange.on((changed) => this.#changed(changed)),
      parts.stale.onDidChange.on((changed) => this.#changed(changed)),
      // The possible actions may be different then.
      vscode.workspace.onDidGrantWorkspaceTrust(this.#refresh.request),
      parts.folders.onDidChange(({ touched }) => {
        if (touched.workflowList) this.#refresh.request();
      }),
      panel.webview.onDidReceiveMessage((sent: unknown) => {
        const message = parsePageMessage(sent);
        if (message === undefined)
          parts.output.warn('The page of an execution sent an unknown message.');
        else void this.#receive(message);
      }),
    );
  }

  /** Shows the details of a step. */
  choose(key: string): void {
    if (this.#isReady) this.#post({ t: 'choose', key });
    else this.#first = key;
  }

  dispose(): void {
    this.#isOpen = false;
    this.#disposables.dispose();
  }

  #changed({ folder, id }: ExecutionKey): void {
    const shown = this.#shown();
    if (shown?.folder === folder && shown.id === id) this.#refresh.request();
  }

  #shown(): ExecutionKey | undefined {
    return executionOf(this.#parts.folders, this.#uri);
  }

  #post(message: HostMessage): void {
    // An answer may arrive after the tab was closed, and a disposed panel throws.
    if (this.#isOpen) void this.#panel.webview.postMessage(message);
  }

  async #receive(message: PageMessage): Promise<void> {
    try {
      switch (message.t) {
        case 'ready':
          this.#steps = [];
          this.#details = undefined;
          this.#isReady = true;
          this.#hasShown = false;
          return await this.#send();
        case 'select':
          this.#selected = message.key;
          this.#details = undefined;
          return this.#sendDetails(await this.#read());
        case 'do':
          return await this.#do(message.action);
        case 'doStep':
          return await this.#doStep(message.action, message.key);
        case 'copy':
          return await this.#copy(message.text);
        case 'openFrame':
          return await this.#openFrame(message.at);
        default:
          return message satisfies never;
      }
    } catch (error) {
      this.#post({ t: 'problem', problem: messageOf(error) });
    }
  }

  async #openFrame(at: number): Promise<void> {
    const frame = this.#frames[at];
    if (frame !== undefined) await openFrame(frame);
  }

  async #read(): Promise<WholeExecution> {
    const shown = this.#shown();
    if (shown === undefined) throw new Error('This folder is no longer part of the workspace.');
    return this.#parts.whole.of(shown);
  }

  /** Sends the changes since the last message to the page. */
  async #send(): Promise<void> {
    // A page that is hidden is gone, and says that it is ready when it is back.
    if (!this.#isReady || !this.#isOpen || !this.#panel.visible) return;
    try {
      const turn = (this.#turn += 1);
      const execution = await this.#read();
      this.#show(execution);
      // It takes a moment to tell: the files are built.
      const shown = this.#shown();
      const stale = shown === undefined ? undefined : await this.#parts.stale.of(shown);
      if (turn !== this.#turn || stale === undefined || isDeepStrictEqual(stale, this.#stale))
        return;
      this.#stale = stale;
      this.#show(execution);
    } catch (error) {
      const folder = this.#shown()?.folder;
      // The banner says why there is nothing new.
      const isKnown =
        this.#hasShown && folder !== undefined && pageRuntime(folder).problem !== null;
      if (!isKnown) this.#post({ t: 'problem', problem: messageOf(error) });
    }
  }

  #show(execution: WholeExecution): void {
    this.#hasShown = true;
    const now = this.#parts.clock.now();
    const steps = summariesOf(execution, now, this.#stale);
    const from = unchanged(this.#steps, steps);
    this.#steps = steps;
    const head = headOf(execution, this.#abilities(execution), now);
    this.#post({ t: 'execution', head, from, steps: steps.slice(from) });
    if (this.#first !== undefined) this.#post({ t: 'choose', key: this.#first });
    this.#first = undefined;
    this.#sendDetails(execution);
  }

  #sendDetails(execution: WholeExecution): void {
    const of = this.#selected;
    if (of === undefined) return;
    const found = detailsOf(execution, of, this.#abilities(execution), this.#stale);
    if (found === undefined) return;
    this.#frames = found.frames;
    const message = { t: 'details', of, details: found.details } as const;
    if (isDeepStrictEqual(message, this.#details)) return;
    this.#details = message;
    this.#post(message);
  }

  #abilities({ workflow_id: id }: WholeExecution): Abilities {
    const workflow = this.#shown()?.folder.mirror.workflow(id);
    return {
      isTrusted: vscode.workspace.isTrusted,
      workflow,
      hasCode: (step) => workflow !== undefined && codeOf(workflow, step) !== undefined,
    };
  }

  async #do(action: ExecutionAction): Promise<void> {
    if (action === 'openText') {
      await vscode.commands.executeCommand('vscode.openWith', this.#uri, 'default');
    } else {
      this.#shown()?.folder.requireCurrent();
      await run(`weir.${action}`, this.#uri);
    }
  }

  async #doStep(action: StepAction, key: string): Promise<void> {
    const shown = this.#shown();
    shown?.folder.requireCurrent();
    const execution = await this.#read();
    const step = execution.steps.find((one) => stepKey(one) === key);
    if (shown === undefined || step === undefined) return;
    if (action === 'copyResumeUrl') {
      if (step.pause !== null) await this.#copy(step.pause.resume_url);
      return;
    }
    if (action === 'openCode') {
      const workflow = shown.folder.mirror.workflow(execution.workflow_id);
      const code = workflow && codeOf(workflow, step);
      await run('weir.openStep', code);
      return;
    }
    const node: StepNode = { kind: 'step', folder: shown.folder, execution, step };
    await run(`weir.${action}`, node);
  }
}

async function run(command: CommandId, arg: unknown): Promise<void> {
  await vscode.commands.executeCommand(command, arg);
}
