import * as vscode from 'vscode';
import type { Execution, Pin, Workflow } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { whileVisible } from '../views/ages.ts';
import { folderItem, itemOf, NodeCache, rowId, type FolderNode } from '../views/nodes.ts';
import { moreLine } from '../views/line.ts';
import { executionLine } from './execution-line.ts';
import { pinLine, pinsLine } from './pin-line.ts';
import type { StaleMarks } from './stale-marks.ts';
import { stepLine } from './step-line.ts';
import type { WholeExecutions } from './whole-executions.ts';
import type { WorkflowDevMode } from './workflow-dev-mode.ts';
import { isFailingWorkflow, workflowLine } from './workflow-line.ts';
import { pinGlob } from './workflow-files.ts';
import type {
  ExecutionNode,
  MoreExecutionsNode,
  PinNode,
  PinsNode,
  StepNode,
  WorkflowNode,
} from './workflow-nodes.ts';
import { executionTooltip, stepTooltip, workflowTooltip } from './workflow-tooltips.ts';

type WorkflowsNode =
  | FolderNode
  | WorkflowNode
  | PinsNode
  | PinNode
  | ExecutionNode
  | StepNode
  | MoreExecutionsNode;

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** The deployed workflows, below each its pins and executions, and below each of those its steps. */
export class WorkflowsView implements vscode.TreeDataProvider<WorkflowsNode>, vscode.Disposable {
  readonly #folders: Folders;
  readonly #whole: WholeExecutions;
  readonly #stale: Pick<StaleMarks, 'of' | 'onDidChange'>;
  readonly #dev: Pick<WorkflowDevMode, 'followed' | 'onDidChange'>;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<WorkflowsNode | WorkflowsNode[] | undefined>();
  readonly #workflows = new NodeCache<WorkflowNode>();
  readonly #executions = new NodeCache<ExecutionNode>();
  readonly #disposables: vscode.Disposable;
  readonly view: vscode.TreeView<WorkflowsNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    folders: Folders,
    whole: WholeExecutions,
    stale: Pick<StaleMarks, 'of' | 'onDidChange'>,
    dev: Pick<WorkflowDevMode, 'followed' | 'onDidChange'>,
    clock: Clock,
  ) {
    this.#folders = folders;
    this.#whole = whole;
    this.#stale = stale;
    this.#dev = dev;
    this.#clock = clock;
    this.view = vscode.window.createTreeView<WorkflowsNode>('weir.workflows', {
      treeDataProvider: this,
      canSelectMany: true,
    });
    const pins = vscode.workspace.createFileSystemWatcher(pinGlob);
    const pinsChanged = (): void => this.#changed.fire(undefined);
    this.#disposables = vscode.Disposable.from(
      pins,
      pins.onDidCreate(pinsChanged),
      pins.onDidDelete(pinsChanged),
      stale.onDidChange.on(({ folder, id }) => {
        const node = this.#executions.get(folder, id);
        if (node !== undefined) this.#changed.fire(node);
      }),
      this.view,
      this.#changed,
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      dev.onDidChange(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.workflowList || touched.workflows.size > 0) this.#showFailing();
        if (touched.workflowList) this.#changed.fire(undefined);
        else if (touched.workflows.size > 0) this.#refresh(folder, touched.workflows);
      }),
      // The times in the descriptions move on.
      whileVisible(clock, this.view, () => this.#changed.fire(undefined)),
    );
  }

  getChildren(node?: WorkflowsNode): WorkflowsNode[] | Promise<WorkflowsNode[]> {
    if (node?.kind === 'folder') return this.#workflowsOf(node.folder);
    if (node?.kind === 'workflow') return this.#belowWorkflow(node);
    if (node?.kind === 'execution') return this.#stepsOf(node);
    if (node?.kind === 'pins') {
      return node.pins.map((pin) => ({ ...node, kind: 'pin', pin }));
    }
    if (node !== undefined) return [];
    const used = this.#folders.all.filter(({ mirror }) => mirror.workflows().length > 0);
    if (this.#folders.all.length > 1) return used.map((folder) => ({ kind: 'folder', folder }));
    return used.flatMap((folder) => this.#workflowsOf(folder));
  }

  getParent(node: WorkflowsNode): WorkflowsNode | undefined {
    if (node.kind === 'step') return this.#executions.get(node.folder, node.execution.id);
    if (node.kind === 'execution') {
      return this.#workflows.get(node.folder, node.execution.workflow_id);
    }
    if (node.kind === 'moreExecutions' || node.kind === 'pins' || node.kind === 'pin') {
      return this.#workflows.get(node.folder, node.workflow.id);
    }
    if (node.kind !== 'workflow' || this.#folders.all.length < 2) return undefined;
    return { kind: 'folder', folder: node.folder };
  }

  getTreeItem(node: WorkflowsNode): vscode.TreeItem {
    const now = this.#clock.now();
    switch (node.kind) {
      case 'folder':
        return folderItem(node);
      case 'workflow': {
        const { folder, workflow } = node;
        const [last] = folder.mirror.executions(workflow.id);
        const isStopped = folder.link.state === 'stopped';
        const isFollowed = this.#dev.followed.has(workflow.id);
        const line = workflowLine(workflow, last, now, { isStopped, isFollowed });
        return itemOf(line, rowId(folder, workflow.id), last === undefined ? None : Collapsed);
      }
      case 'execution': {
        const { folder, execution } = node;
        const item = itemOf(executionLine(execution, now), rowId(folder, execution.id), Collapsed);
        item.command = {
          command: 'weir.showExecution',
          title: 'Show Execution',
          arguments: [node],
        };
        return item;
      }
      case 'step': {
        const { folder, execution, step, stale } = node;
        const id = `${rowId(folder, execution.id)} ${step.path} ${step.run} ${step.attempt}`;
        const item = itemOf(stepLine(step, now, stale), id);
        item.command = { command: 'weir.showExecution', title: 'Show Step', arguments: [node] };
        return item;
      }
      case 'pins': {
        const { folder, workflow, pins } = node;
        return itemOf(pinsLine(pins), rowId(folder, `pins ${workflow.id}`), Collapsed);
      }
      case 'pin': {
        const { folder, workflow, pin } = node;
        const item = itemOf(pinLine(pin), rowId(folder, `${workflow.id} ${pin.file}`));
        const file = vscode.Uri.file(pin.file);
        item.command = { command: 'vscode.open', title: 'Edit Pin', arguments: [file] };
        item.tooltip = pin.file;
        return item;
      }
      case 'moreExecutions': {
        const { folder, workflow } = node;
        const left = leftOf(folder, workflow);
        const item = itemOf(
          moreLine('moreExecutions', String(left)),
          rowId(folder, `more ${workflow.id}`),
        );
        item.command = {
          command: 'weir.showMoreExecutions',
          title: 'Show more',
          arguments: [node],
        };
        return item;
      }
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: WorkflowsNode): vscode.TreeItem {
    const now = this.#clock.now();
    if (node.kind === 'workflow') item.tooltip = workflowTooltip(node.workflow);
    if (node.kind === 'execution') item.tooltip = executionTooltip(node.execution, now);
    if (node.kind === 'step') item.tooltip = stepTooltip(node.step, now);
    return item;
  }

  async reveal(folder: Folder, id: string): Promise<void> {
    const node = this.#workflowsOf(folder).find(({ workflow }) => workflow.id === id);
    if (node !== undefined) await this.view.reveal(node, { select: true, expand: true });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #workflowsOf(folder: Folder): WorkflowNode[] {
    return [...folder.mirror.workflows()]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((workflow) => this.#nodeOf(folder, workflow));
  }

  async #belowWorkflow(node: WorkflowNode): Promise<WorkflowsNode[]> {
    const { folder, workflow } = node;
    const pins = await pinsOf(node);
    const above: PinsNode[] = pins.length === 0 ? [] : [{ kind: 'pins', folder, workflow, pins }];
    return [...above, ...this.#executionsOf(node)];
  }

  #executionsOf({ folder, workflow }: WorkflowNode): (ExecutionNode | MoreExecutionsNode)[] {
    const rows = folder.mirror
      .executions(workflow.id)
      .map((execution) => this.#executionNode(folder, execution));
    return leftOf(folder, workflow) > 0
      ? [...rows, { kind: 'moreExecutions', folder, workflow }]
      : rows;
  }

  /** Unfolding a row does not start a runtime. */
  async #stepsOf({ folder, execution }: ExecutionNode): Promise<StepNode[]> {
    if (folder.link.client === undefined) return [];
    const key = { folder, id: execution.id };
    const [{ steps }, stale] = await Promise.all([this.#whole.of(key), this.#stale.of(key)]);
    return steps.map((step) => ({
      kind: 'step',
      folder,
      execution,
      step,
      stale: stale.get(step.path),
    }));
  }

  #nodeOf(folder: Folder, workflow: Workflow): WorkflowNode {
    return this.#workflows.put(workflow.id, { kind: 'workflow', folder, workflow });
  }

  #executionNode(folder: Folder, execution: Execution): ExecutionNode {
    const node = { kind: 'execution', folder, execution } as const;
    return this.#executions.put(execution.id, node);
  }

  #refresh(folder: Folder, ids: ReadonlySet<string>): void {
    const nodes = [...ids].flatMap((id) => {
      const workflow = folder.mirror.workflow(id);
      return workflow === undefined ? [] : [this.#nodeOf(folder, workflow)];
    });
    if (nodes.length > 0) this.#changed.fire(nodes);
  }

  #showFailing(): void {
    const names = this.#folders.all.flatMap(({ mirror }) =>
      mirror
        .workflows()
        .filter((workflow) => isFailingWorkflow(workflow, mirror.executions(workflow.id)[0]))
        .map(({ name }) => name),
    );
    const tooltip = `The last execution failed: ${names.join(', ')}`;
    this.view.badge = names.length === 0 ? undefined : { value: names.length, tooltip };
  }
}

/** None where they cannot be read: no runtime runs, or it is on another machine. */
async function pinsOf({ folder, workflow }: WorkflowNode): Promise<readonly Pin[]> {
  const { client } = folder.link;
  if (client === undefined) return [];
  const read = client.call('workflows.pins', { id: workflow.id });
  return read.then(
    ({ data }) => data,
    () => [],
  );
}

function leftOf({ mirror }: Folder, { id }: Workflow): number {
  return mirror.executionCount(id) - mirror.executions(id).length;
}
