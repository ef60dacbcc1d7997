import * as vscode from 'vscode';
import { agentsLogFile } from '../../protocol/agents.ts';
import type { Clock } from '../clock.ts';
import type { Folders } from '../connection/folders.ts';
import { whileVisible } from '../views/ages.ts';
import type { AgentsNode } from '../views/nodes.ts';

export const agentScheme = 'weir-agent';

/** The code of this view and its documents: a bundle of its own, as few windows show them. */
const load = () => import('./agents.ts');
type Rows = ReturnType<Awaited<ReturnType<typeof load>>['createAgentRows']>;

/**
 * The offers to agents, their calls, and the runs of actions. They are not in the mirror, but read only while somebody
 * looks.
 */
export class AgentsView
  implements
    vscode.TreeDataProvider<AgentsNode>,
    vscode.TextDocumentContentProvider,
    vscode.Disposable
{
  readonly #folders: Folders;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<AgentsNode[] | undefined>();
  readonly #documentChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #disposables: vscode.Disposable[];
  readonly #watched = new Map<string, vscode.Disposable>();
  #rows: Promise<Rows> | undefined;
  readonly view: vscode.TreeView<AgentsNode>;
  readonly onDidChangeTreeData = this.#changed.event;
  readonly onDidChange = this.#documentChanged.event;

  constructor(folders: Folders, clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
    this.view = vscode.window.createTreeView<AgentsNode>('weir.agents', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    this.#disposables = [
      this.view,
      this.#changed,
      this.#documentChanged,
      vscode.workspace.registerTextDocumentContentProvider(agentScheme, this),
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ touched }) => {
        // Offers name their accounts.
        if (touched.agents || touched.accountList) void this.#lookAgain();
        if (touched.actionRuns) void this.#readAgain();
      }),
      // Offered files may be other actions now.
      vscode.workspace.onDidSaveTextDocument(() => void this.#lookAgain()),
      whileVisible(clock, this.view, () => void this.#age()),
    ];
  }

  async getChildren(node?: AgentsNode): Promise<AgentsNode[]> {
    this.#watchLogs();
    return (await this.#loaded()).childrenOf(node);
  }

  async getTreeItem(node: AgentsNode): Promise<vscode.TreeItem> {
    return (await this.#loaded()).itemFor(node, this.#clock.now());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.#loaded()).documentText(uri);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables, ...this.#watched.values()).dispose();
  }

  #loaded(): Promise<Rows> {
    return (this.#rows ??= load().then(({ createAgentRows }) => createAgentRows(this.#folders)));
  }

  async #lookAgain(): Promise<void> {
    (await this.#rows)?.forgetOffered();
    await this.#refresh();
  }

  async #readAgain(): Promise<void> {
    // A run that was opened before its end has more to say now.
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === agentScheme) this.#documentChanged.fire(uri);
    }
    await this.#refresh();
  }

  /** Nothing is read for a view that nobody has looked at. */
  async #refresh(): Promise<void> {
    // After a broken connection, the next one reads everything again.
    const groups = await (await this.#rows)?.changed().catch(() => undefined);
    if (groups === undefined || groups.length > 0) this.#changed.fire(groups);
  }

  async #age(): Promise<void> {
    const groups = (await this.#rows)?.dated() ?? [];
    if (groups.length > 0) this.#changed.fire(groups);
  }

  /** Calls over stdio reach no runtime, so the file of their log is watched. */
  #watchLogs(): void {
    for (const { dataFolder, link } of this.#folders.all) {
      if (link.client === undefined || this.#watched.has(dataFolder)) continue;
      const pattern = new vscode.RelativePattern(vscode.Uri.file(dataFolder), agentsLogFile);
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      watcher.onDidChange(() => void this.#refresh());
      watcher.onDidCreate(() => void this.#refresh());
      this.#watched.set(dataFolder, watcher);
    }
  }
}
