import * as vscode from 'vscode';
import type { Webhook } from '../../protocol/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { whileVisible } from './ages.ts';
import { subscriptionDrop } from './drag-and-drop.ts';
import { titleOf } from './event-line.ts';
import { deliveryLine, healthOf, subscriptionLine, webhookLine } from './listener-line.ts';
import {
  folderItem,
  itemOf,
  NodeCache,
  rowId,
  type DeliveryNode,
  type FolderNode,
  type SubscriptionNode,
  type WebhookNode,
} from './nodes.ts';
import { webhookTooltip } from './tooltips.ts';

type SubscriptionsNode = FolderNode | WebhookNode | SubscriptionNode | DeliveryNode;

/** Webhooks, below each its subscriptions and deliveries; and the subscriptions of sources. */
export class SubscriptionsView
  implements vscode.TreeDataProvider<SubscriptionsNode>, vscode.Disposable
{
  readonly #folders: Folders;
  readonly #clock: Clock;
  readonly #changed = new vscode.EventEmitter<
    SubscriptionsNode | SubscriptionsNode[] | undefined
  >();
  readonly #disposables: vscode.Disposable[];
  readonly #webhooks = new NodeCache<WebhookNode>();
  readonly view: vscode.TreeView<SubscriptionsNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(folders: Folders, output: vscode.LogOutputChannel, clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
    const drop = subscriptionDrop(folders, output);
    this.view = vscode.window.createTreeView<SubscriptionsNode>('weir.subscriptions', {
      treeDataProvider: this,
      canSelectMany: true,
      dragAndDropController: drop,
    });
    this.#disposables = [
      this.view,
      this.#changed,
      folders.onDidChangeState(() => this.#changed.fire(undefined)),
      folders.onDidChange(({ folder, touched }) => {
        if (touched.listenerList || touched.webhooks.size > 0) this.#count();
        if (touched.listenerList || touched.emitterList) this.#changed.fire(undefined);
        // A busy webhook is repainted alone: the whole tree, two levels deep, could not keep up.
        else if (touched.webhooks.size > 0) this.#refresh(folder, touched.webhooks);
      }),
      whileVisible(clock, this.view, () => this.#changed.fire(undefined)),
    ];
  }

  getChildren(node?: SubscriptionsNode): SubscriptionsNode[] {
    if (node === undefined) {
      if (this.#folders.all.length === 1) return this.#topOf(this.#folders.first);
      const used = this.#folders.all.filter((folder) => this.#topOf(folder).length > 0);
      return used.map((folder) => ({ kind: 'folder', folder }));
    }
    if (node.kind === 'folder') return this.#topOf(node.folder);
    if (node.kind !== 'webhook') return [];
    const { folder, webhook } = node;
    const { subscriptions, deliveries } = folder.mirror.state;
    const own = [...subscriptions.values()].filter((one) => one.listener_id === webhook.id);
    return [
      ...own.map((subscription) => ({ kind: 'subscription' as const, folder, subscription })),
      ...(deliveries.get(webhook.id) ?? []).map((delivery) => ({
        kind: 'delivery' as const,
        folder,
        delivery,
      })),
    ];
  }

  getTreeItem(node: SubscriptionsNode): vscode.TreeItem {
    if (node.kind === 'folder') return folderItem(node);
    if (node.kind === 'subscription') return subscriptionItem(node);
    if (node.kind === 'delivery') return deliveryItem(node, this.#clock.now());
    const { Expanded } = vscode.TreeItemCollapsibleState;
    const health = healthOf(node.folder.mirror.state.deliveries.get(node.webhook.id) ?? []);
    const id = rowId(node.folder, node.webhook.id);
    return itemOf(webhookLine(node.webhook, health), id, Expanded);
  }

  resolveTreeItem(item: vscode.TreeItem, node: SubscriptionsNode): vscode.TreeItem {
    if (node.kind === 'webhook') item.tooltip = webhookTooltip(node.webhook);
    return item;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** Webhooks, then the subscriptions whose listener is a source. */
  #topOf(folder: Folder): SubscriptionsNode[] {
    const { webhooks, subscriptions } = folder.mirror.state;
    return [
      ...[...webhooks.values()].map((webhook) => this.#nodeOf(folder, webhook)),
      ...[...subscriptions.values()]
        .filter((one) => !webhooks.has(one.listener_id))
        .map((subscription) => ({ kind: 'subscription' as const, folder, subscription })),
    ];
  }

  #nodeOf(folder: Folder, webhook: Webhook): WebhookNode {
    return this.#webhooks.put(webhook.id, { kind: 'webhook', folder, webhook });
  }

  #refresh(folder: Folder, ids: ReadonlySet<string>): void {
    const nodes = [...ids].flatMap((id) => {
      const webhook = folder.mirror.state.webhooks.get(id);
      return webhook === undefined ? [] : [this.#nodeOf(folder, webhook)];
    });
    if (nodes.length > 0) this.#changed.fire(nodes);
  }

  /** On the view's icon: how many deliveries were given up and need a person. */
  #count(): void {
    const exhausted = this.#folders.all
      .flatMap(({ mirror }) => [...mirror.state.deliveries.values()])
      .reduce((sum, deliveries) => sum + healthOf(deliveries).exhausted, 0);
    const noun = exhausted === 1 ? 'delivery' : 'deliveries';
    const tooltip = `${exhausted} exhausted ${noun}: redeliver when the webhook answers again`;
    this.view.badge = exhausted === 0 ? undefined : { value: exhausted, tooltip };
  }
}

function subscriptionItem({ subscription, folder }: SubscriptionNode): vscode.TreeItem {
  const { emitter_id: emitterId, listener_id: listenerId } = subscription;
  const emitter = folder.mirror.emitter(emitterId)?.name ?? emitterId;
  // A subscription of a source is not below its listener, so it names it.
  const listener = folder.mirror.source(listenerId)?.name;
  const line = subscriptionLine(subscription, emitter);
  const label = listener === undefined ? line.label : `${line.label} → ${listener}`;
  return itemOf({ ...line, label }, rowId(folder, subscription.id));
}

function deliveryItem(node: DeliveryNode, now: number): vscode.TreeItem {
  const { delivery, folder } = node;
  const events = folder.mirror.events(delivery.emitter_id);
  const event = events.find((one) => one.id === delivery.event_id);
  const title = event === undefined ? delivery.event_id : titleOf(event);
  const item = itemOf(deliveryLine(delivery, now, title), rowId(folder, delivery.id));
  item.command = { command: 'weir.showDelivery', title: 'Show Delivery', arguments: [node] };
  return item;
}
