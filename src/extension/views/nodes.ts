import * as vscode from 'vscode';
import type {
  Account,
  AgentCall,
  AgentOffer,
  DataStore,
  Delivery,
  EmittedEvent,
  Invocation,
  KeptActionRun,
  OfferedAction,
  Source,
  Subscription,
  Webhook,
} from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Holder, KeptValue } from '../model/kept-values.ts';
import type { Scheduled } from '../model/scheduled-events.ts';
import type {
  ExecutionNode,
  MoreExecutionsNode,
  PinNode,
  PinsNode,
  StepNode,
  WorkflowNode,
} from '../workflows/workflow-nodes.ts';
import type { AgentGroup } from './agent-line.ts';
import type { Line } from './line.ts';

/** The rows of the trees, and what a command gets when it is run from one. */
export interface FolderNode {
  readonly kind: 'folder';
  readonly folder: Folder;
}
export interface SourceNode {
  readonly kind: 'source';
  readonly folder: Folder;
  readonly source: Source;
}
export interface InvocationNode {
  readonly kind: 'invocation';
  readonly folder: Folder;
  readonly invocation: Invocation;
  /** Below the failed runs of its source, where it is shown a second time. */
  readonly isBelowFailed?: true;
}
/** Above the failed runs of a source. */
export interface FailedRunsNode {
  readonly kind: 'failedRuns';
  readonly folder: Folder;
  readonly source: Source;
}
export interface MoreRunsNode {
  readonly kind: 'moreRuns';
  readonly folder: Folder;
  readonly source: Source;
  readonly hidden: number;
}
export interface EventNode {
  readonly kind: 'event';
  readonly folder: Folder;
  readonly event: EmittedEvent;
}
/** The events of a source that wait for their time. */
export interface ScheduledNode {
  readonly kind: 'scheduled';
  readonly folder: Folder;
  readonly source: Source;
  readonly scheduled: Scheduled;
}
export interface ScheduledEventNode {
  readonly kind: 'scheduledEvent';
  readonly folder: Folder;
  readonly event: EmittedEvent;
}
export interface MoreNode {
  readonly kind: 'more';
}
export interface WebhookNode {
  readonly kind: 'webhook';
  readonly folder: Folder;
  readonly webhook: Webhook;
}
export interface SubscriptionNode {
  readonly kind: 'subscription';
  readonly folder: Folder;
  readonly subscription: Subscription;
}
export interface DeliveryNode {
  readonly kind: 'delivery';
  readonly folder: Folder;
  readonly delivery: Delivery;
}
/** The accounts of one app. */
export interface AppNode {
  readonly kind: 'app';
  readonly folder: Folder;
  readonly app: Account['app'];
}
export interface AccountNode {
  readonly kind: 'account';
  readonly folder: Folder;
  readonly account: Account;
}
/** A user of an account. */
export interface AccountUserNode {
  readonly kind: 'accountUser';
  readonly folder: Folder;
  readonly account: Account;
  readonly user: NonNullable<Account['used_by']>[number];
}
/** The db of a source. */
export interface DbNode {
  readonly kind: 'db';
  readonly folder: Folder;
  readonly source: Source;
  readonly prop: string;
}
export interface DataStoreNode {
  readonly kind: 'dataStore';
  readonly folder: Folder;
  readonly store: DataStore;
}
export interface ValueNode {
  readonly kind: 'value';
  readonly folder: Folder;
  readonly holder: Holder;
  /** Name of the holder. */
  readonly name: string;
  readonly kept: KeptValue;
}
export interface MoreValuesNode {
  readonly kind: 'moreValues';
  readonly of: DbNode | DataStoreNode;
  readonly hidden: number;
}
/** A group of the view: offers, calls of agents, or runs of actions. */
export interface AgentGroupNode {
  readonly kind: 'agentGroup';
  readonly folder: Folder;
  readonly group: AgentGroup;
  /** Newest first, but for offers. */
  rows: readonly (AgentOfferNode | AgentCallNode | ActionRunNode)[];
}
export interface AgentOfferNode {
  readonly kind: 'agentOffer';
  readonly folder: Folder;
  readonly offer: AgentOffer;
}
export interface OfferedActionNode {
  readonly kind: 'offeredAction';
  readonly folder: Folder;
  readonly offer: AgentOffer;
  readonly action: OfferedAction;
}
/** Why something of an offer is not offered, in one sentence. */
export interface OfferProblemNode {
  readonly kind: 'offerProblem';
  readonly folder: Folder;
  readonly offer: AgentOffer;
  readonly problem: string;
}
export interface AgentCallNode {
  readonly kind: 'agentCall';
  readonly folder: Folder;
  readonly call: AgentCall;
  /** The same at each refresh: calls have no id, and several may end in one millisecond. */
  readonly id: string;
}
export interface ActionRunNode {
  readonly kind: 'actionRun';
  readonly folder: Folder;
  readonly run: KeptActionRun;
}
export type AgentsNode =
  | FolderNode
  | AgentGroupNode
  | AgentOfferNode
  | OfferedActionNode
  | OfferProblemNode
  | AgentCallNode
  | ActionRunNode;
export type Node =
  | FolderNode
  | SourceNode
  | InvocationNode
  | FailedRunsNode
  | MoreRunsNode
  | WorkflowNode
  | ExecutionNode
  | StepNode
  | MoreExecutionsNode
  | PinsNode
  | PinNode
  | EventNode
  | ScheduledNode
  | ScheduledEventNode
  | MoreNode
  | WebhookNode
  | SubscriptionNode
  | DeliveryNode
  | AppNode
  | AccountNode
  | AccountUserNode
  | DbNode
  | DataStoreNode
  | ValueNode
  | MoreValuesNode
  | AgentsNode;

export function isNode<K extends Node['kind']>(
  value: unknown,
  kind: K,
): value is Extract<Node, { kind: K }> {
  return typeof value === 'object' && value !== null && (value as Partial<Node>).kind === kind;
}

/**
 * The rows a command is about. VS Code passes the row it was called on, and the selection when that
 * row is part of it.
 */
export function nodesOf<K extends Node['kind']>(
  clicked: unknown,
  selection: unknown,
  kind: K,
): Extract<Node, { kind: K }>[] {
  const all = Array.isArray(selection) ? selection.filter((one) => isNode(one, kind)) : [];
  if (all.length > 0) return all;
  return isNode(clicked, kind) ? [clicked] : [];
}

/** A workspace folder, where a window has several. */
export function folderItem({ folder }: FolderNode): vscode.TreeItem {
  const item = new vscode.TreeItem(folder.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = folder.key;
  item.iconPath = vscode.ThemeIcon.Folder;
  return item;
}

/** Folders of one window may be copies of each other: what is in them has the same ids then. */
export function rowId(folder: Folder, id: string): string {
  return `${folder.key} ${id}`;
}

/** @param id stable across refreshes, unique in its view: {@link rowId} makes one */
export function itemOf(
  line: Line,
  id: string,
  collapsible = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
  const item = new vscode.TreeItem(line.label, collapsible);
  item.id = id;
  item.description = line.description;
  item.contextValue = line.contextValue;
  item.iconPath = new vscode.ThemeIcon(
    line.icon,
    line.colour === undefined ? undefined : new vscode.ThemeColor(line.colour),
  );
  item.accessibilityInformation = { label: line.accessible };
  return item;
}

/** VS Code identifies a row by its object: each resource keeps one object, however often it changes. */
export class NodeCache<N extends { readonly folder: Folder }> {
  readonly #nodes = new Map<string, N>();

  get(folder: Folder, id: string): N | undefined {
    return this.#nodes.get(rowId(folder, id));
  }

  /** The row of a resource, updated to what is known of it now. */
  put(id: string, node: N): N {
    const key = rowId(node.folder, id);
    const known = this.#nodes.get(key);
    if (known === undefined || known.folder !== node.folder) {
      this.#nodes.set(key, node);
      return node;
    }
    return Object.assign(known, node);
  }
}
