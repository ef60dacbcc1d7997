import * as vscode from 'vscode';
import type { Webhook } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import { titleOf } from './event-line.ts';
import { deliveryLine, subscriptionLine, webhookLine } from './listener-line.ts';
import { NodeCache } from './node-cache.ts';
import {
  folderItem,
  itemOf,
  type DeliveryNode,
  type FolderNode,
  type SubscriptionNode,
  type WebhookNode,
} from './nodes.ts';
import { subscriptionDrop } from './subscription-drop.ts';
import { webhookTooltip } from './tooltips.ts';
import { healthOf } from './webhook-health.ts';
import { whileVisible } from './while-visible.ts';

type ListenerNode = FolderNode | WebhookNode | SubscriptionNode | DeliveryNode;

/** Webhooks, below each what it listens to and what was sent to it; and sources that listen. */
export class SubscriptionsView implements vscode.TreeDataProvider<ListenerNode>, vscode.Disposable {
  readonly #folders: Folders;
  readonly #changed = new vscode.EventEmitter<ListenerNode | ListenerNode[] | undefined>();
  readonly #disposables: vscode.Disposable[];
  readonly #webhooks = new NodeCache<WebhookNode>();
  readonly view: vscode.TreeView<ListenerNode>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(folders: Folders, output: vscode.LogOutputChannel) {
    this.#folders = folders;
    const drop = subscriptionDrop(folders, output);
    this.view = vscode.window.createTreeView<ListenerNode>('weir.subscriptions', {
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
        if (touched.listenerList || touched.sourceList) this.#changed.fire(undefined);
        // A busy webhook is repainted alone: a whole tree, two levels deep, would never catch up.
        else if (touched.webhooks.size > 0) this.#refresh(folder, touched.webhooks);
      }),
      whileVisible(this.view, () => this.#changed.fire(undefined)),
    ];
  }

  getChildren(node?: ListenerNode): ListenerNode[] {
    if (node === undefined) {
      if (this.#folders.all.length === 1) return this.#topOf(this.#folders.first);
      const used = this.#folders.all.filter((folder) => this.#topOf(folder).length > 0);
      return used.map((folder) => ({ kind: 'folder', folder }));
    }
    if (node.kind === 'folder') return this.#topOf(node.folder);
    if (node.kind !== 'webhook') return [];
    const { folder, webhook } = node;
    const { subscriptions, deliveries } = folder.mirror.state;
    const listening = [...subscriptions.values()].filter((one) => one.listener_id === webhook.id);
    return [
      ...listening.map((subscription) => ({ kind: 'subscription' as const, folder, subscription })),
      ...(deliveries.get(webhook.id) ?? []).map((delivery) => ({
        kind: 'delivery' as const,
        folder,
        delivery,
      })),
    ];
  }

  getTreeItem(node: ListenerNode): vscode.TreeItem {
    if (node.kind === 'folder') return folderItem(node);
    if (node.kind === 'subscription') return subscriptionItem(node);
    if (node.kind === 'delivery') return deliveryItem(node);
    const { Expanded } = vscode.TreeItemCollapsibleState;
    const health = healthOf(node.folder.mirror.state.deliveries.get(node.webhook.id) ?? []);
    return itemOf(webhookLine(node.webhook, health), node.webhook.id, Expanded);
  }

  resolveTreeItem(item: vscode.TreeItem, node: ListenerNode): vscode.TreeItem {
    if (node.kind === 'webhook') item.tooltip = webhookTooltip(node.webhook);
    return item;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** Webhooks, then the subscriptions whose listener is a source. */
  #topOf(folder: Folder): ListenerNode[] {
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

  /** On the view's icon: how many deliveries wait for a person. */
  #count(): void {
    const given = this.#folders.all
      .flatMap(({ mirror }) => [...mirror.state.deliveries.values()])
      .reduce((sum, deliveries) => sum + healthOf(deliveries).exhausted, 0);
    const noun = given === 1 ? 'delivery' : 'deliveries';
    const tooltip = `${given} exhausted ${noun}: redeliver when the webhook answers again`;
    this.view.badge = given === 0 ? undefined : { value: given, tooltip };
  }
}

function subscriptionItem({ subscription, folder }: SubscriptionNode): vscode.TreeItem {
  const name = (id: string): string | undefined => folder.mirror.source(id)?.name;
  const emitter = name(subscription.emitter_id) ?? subscription.emitter_id;
  // At the top stands what a source listens to; say which source.
  const listener = name(subscription.listener_id);
  const line = subscriptionLine(subscription, emitter);
  const label = listener === undefined ? line.label : `${line.label} → ${listener}`;
  return itemOf({ ...line, label }, subscription.id);
}

function deliveryItem(node: DeliveryNode): vscode.TreeItem {
  const { delivery, folder } = node;
  const events = folder.mirror.events(delivery.emitter_id);
  const event = events.find((one) => one.id === delivery.event_id);
  const title = event === undefined ? delivery.event_id : titleOf(event);
  const item = itemOf(deliveryLine(delivery, Date.now(), title), delivery.id);
  item.command = { command: 'weir.showDelivery', title: 'Show Delivery', arguments: [node] };
  return item;
}
