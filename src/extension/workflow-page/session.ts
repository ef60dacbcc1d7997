import * as vscode from 'vscode';
import { allPages } from '../../client/pages.ts';
import { originals } from '../../client/past-executions.ts';
import type { Execution, Workflow } from '../../protocol/catalogue.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { HostMessage, PageMessage, WorkflowPage } from '../../webview/workflow/messages.ts';
import type { Folder } from '../connection/folder.ts';
import { pageRuntime } from '../connection/page-runtime.ts';
import { titleAt } from '../connection/runtime-identity.ts';
import { coalesce, type Coalesced } from '../timing.ts';
import { showPage } from '../webview-page.ts';
import { pinGlob } from '../workflows/workflow-files.ts';
import type { ExecutionNode, WorkflowNode } from '../workflows/workflow-nodes.ts';
import { parsePageMessage } from './page-message.ts';
import { mostPoints, workflowPage } from './page-model.ts';
import type { WorkflowPageContext } from './workflow-pages.ts';

export { parseSubject } from './page-message.ts';

/** How often a page is refreshed at most, in ms. */
const liveMs = 500;
/** How many executions are read to find enough to draw, because tests are left out. */
const mostRead = 3 * mostPoints;

/** Shows a workflow in a panel until that is closed. */
export function openWorkflowPage(
  context: WorkflowPageContext,
  panel: vscode.WebviewPanel,
  folder: Folder,
  workflowId: string,
): void {
  const session = new WorkflowPageSession(context, panel, folder, workflowId);
  panel.onDidDispose(() => session.dispose());
  const pages = vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview');
  showPage(panel.webview, pages, 'workflow');
}

class WorkflowPageSession {
  readonly #context: WorkflowPageContext;
  readonly #panel: vscode.WebviewPanel;
  readonly #folder: Folder;
  readonly #workflowId: string;
  readonly #disposables: vscode.Disposable;
  readonly #refresh: Coalesced;
  #isOpen = true;
  #isReady = false;
  /** Counts what was read: an answer that comes late is not shown. */
  #turn = 0;
  #shown: WorkflowPage | undefined;
  #executions: readonly Execution[] = [];

  constructor(
    context: WorkflowPageContext,
    panel: vscode.WebviewPanel,
    folder: Folder,
    workflowId: string,
  ) {
    this.#context = context;
    this.#panel = panel;
    this.#folder = folder;
    this.#workflowId = workflowId;
    this.#refresh = coalesce(context.clock, liveMs, () => void this.#send());
    const pins = vscode.workspace.createFileSystemWatcher(pinGlob);
    this.#disposables = vscode.Disposable.from(
      this.#refresh,
      pins,
      pins.onDidCreate(this.#refresh.request),
      pins.onDidDelete(this.#refresh.request),
      vscode.workspace.onDidGrantWorkspaceTrust(this.#refresh.request),
      context.folders.onDidChange((change) => {
        const { touched } = change;
        const isAbout = touched.workflowList || touched.workflows.has(workflowId);
        if (change.folder === folder && isAbout) this.#refresh.request();
      }),
      panel.onDidChangeViewState(() => {
        if (panel.visible) this.#refresh.request();
      }),
      panel.webview.onDidReceiveMessage((sent: unknown) => {
        const message = parsePageMessage(sent);
        if (message !== undefined) void this.#receive(message);
        else context.output.warn('The page of a workflow sent an unknown message.');
      }),
    );
  }

  dispose(): void {
    this.#isOpen = false;
    this.#disposables.dispose();
  }

  #post(message: HostMessage): void {
    // An answer may arrive after the tab was closed, and a disposed panel throws.
    if (this.#isOpen) void this.#panel.webview.postMessage(message);
  }

  async #receive(message: PageMessage): Promise<void> {
    try {
      switch (message.t) {
        case 'ready':
          this.#isReady = true;
          return await this.#send();
        case 'open': {
          const execution = this.#executions.find(({ id }) => id === message.id);
          if (execution === undefined) return;
          return await this.#context.executions.show(this.#folder, execution);
        }
        case 'cancel':
          this.#folder.requireCurrent();
          return await run('weir.cancelExecution', this.#rows([message.id])[0]);
        case 'retry': {
          this.#folder.requireCurrent();
          const rows = this.#rows(this.#shown?.failures[message.at]?.open ?? []);
          // As the tree passes a selection: newest first.
          if (rows.length > 0) await run('weir.retryFailed', rows[0], rows.toReversed());
          return;
        }
        case 'openPin': {
          const pin = this.#shown?.pins[message.at];
          if (pin !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(pin.file));
          return;
        }
        case 'do': {
          // Only its own runtime can say that it was deleted.
          await this.#folder.link.ready();
          const node: WorkflowNode = {
            kind: 'workflow',
            folder: this.#folder,
            workflow: this.#workflow(),
          };
          await run(`weir.${message.action}`, node);
          // In a busy window, a watcher may miss changes of files, such as removed pins.
          if (this.#isOpen) this.#refresh.request();
          return;
        }
        default:
          return message satisfies never;
      }
    } catch (error) {
      this.#post({ t: 'problem', problem: messageOf(error) });
    }
  }

  #rows(ids: readonly string[]): ExecutionNode[] {
    return ids.flatMap((id): ExecutionNode[] => {
      const execution = this.#executions.find((one) => one.id === id);
      return execution === undefined
        ? []
        : [{ kind: 'execution', folder: this.#folder, execution }];
    });
  }

  /** @throws WeirError `not_found` */
  #workflow(): Workflow {
    const workflow = this.#folder.mirror.workflow(this.#workflowId);
    if (workflow !== undefined) return workflow;
    throw new WeirError('not_found', 'This workflow was deleted.');
  }

  async #send(): Promise<void> {
    if (!this.#isReady || !this.#isOpen || !this.#panel.visible) return;
    const turn = (this.#turn += 1);
    try {
      const client = await this.#folder.link.ready();
      const workflow = this.#workflow();
      const { id } = workflow;
      const list = (page: { limit: number; after?: string }) =>
        client.call('executions.list', { id, ...page });
      let executions = await allPages(list, mostPoints);
      if (executions.length === mostPoints && originals(executions).length < mostPoints) {
        executions = await allPages(list, mostRead);
      }
      // On another machine nobody can tell.
      const pins = await client.call('workflows.pins', { id }).then(
        ({ data }) => data,
        () => [],
      );
      if (turn !== this.#turn || !this.#isOpen) return;
      this.#executions = executions;
      const { key: runtime, mirror } = this.#folder;
      const parts = {
        runtime,
        workflow,
        executions,
        total: mirror.executionCount(id),
        pins,
        isTrusted: vscode.workspace.isTrusted,
      };
      this.#shown = workflowPage(parts, this.#context.clock.now());
      this.#panel.title = titleAt(this.#folder, workflow.name);
      this.#post({ t: 'workflow', page: this.#shown });
    } catch (error) {
      // The banner says why there is nothing new.
      const isKnown = this.#shown !== undefined && pageRuntime(this.#folder).problem !== null;
      if (!isKnown) this.#post({ t: 'problem', problem: messageOf(error) });
    }
  }
}

async function run(command: string, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
