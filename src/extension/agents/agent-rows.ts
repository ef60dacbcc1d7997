import * as vscode from 'vscode';
import type { AgentOffer, Result } from '../../protocol/catalogue.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';
import {
  actionRunLine,
  agentCallLine,
  type AgentGroup,
  agentGroupLine,
  offerProblemLine,
  offeredActionLine,
  offerLine,
} from '../views/agent-line.ts';
import {
  type ActionRunNode,
  type AgentCallNode,
  type AgentGroupNode,
  type AgentOfferNode,
  type AgentsNode,
  folderItem,
  itemOf,
  type OfferedActionNode,
  type OfferProblemNode,
  rowId,
} from '../views/nodes.ts';
import { agentDocument } from './agent-documents.ts';

/** How many of the newest calls and runs are shown; `weir agents log` and `weir action-runs` have more. */
const shownCalls = 100;
const shownRuns = 50;

/** The rows of the view, and the texts of the documents that they open. */
export interface AgentRows {
  childrenOf(node: AgentsNode | undefined): Promise<AgentsNode[]>;
  itemFor(node: AgentsNode, now: number): vscode.TreeItem;
  documentText(uri: vscode.Uri): Promise<string>;
  /**
   * Reads again what is shown. Rows that are as they were stay: what is rebuilt while somebody opens its menu has none.
   * @returns the groups that are others now; undefined when groups came or went
   */
  changed(): Promise<AgentGroupNode[] | undefined>;
  /** The groups whose rows say how old they are. */
  dated(): AgentGroupNode[];
  /** To look at what is offered is a process for each action, so what was seen is kept until then. */
  forgetOffered(): void;
}

type Described = Result<'agent_offers.describe'>;

export function createAgentRows(folders: Folders): AgentRows {
  let looked = new WeakMap<Folder, Map<string, Promise<Described>>>();
  let isForgotten = false;
  /** As they are shown. */
  const shown = new Map<Folder, readonly AgentGroupNode[]>();
  let last: Promise<unknown> = Promise.resolve();
  /** Runs reads one after the other, so that an older result is never shown, or compared, after a newer one. */
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const turn = last.then(read);
    last = turn.catch(() => undefined);
    return turn;
  };
  const shownIn = (folder: Folder): Promise<AgentGroupNode[]> =>
    inTurn(async () => {
      const groups = await groupsOf(folder);
      shown.set(folder, groups);
      return groups;
    });
  const describe = (folder: Folder, offer: AgentOffer): Promise<Described> => {
    const known = looked.get(folder) ?? new Map<string, Promise<Described>>();
    looked.set(folder, known);
    const key = JSON.stringify(offer);
    const looking = known.get(key) ?? look(folder, offer);
    known.set(key, looking);
    looking.catch(() => known.delete(key));
    return looking;
  };
  return {
    async childrenOf(node) {
      if (node === undefined) {
        const { all, first } = folders;
        if (all.length === 1) return shownIn(first);
        const used = await Promise.all(
          all.map(async (folder) => ((await shownIn(folder)).length > 0 ? folder : undefined)),
        );
        return used.flatMap((folder) => (folder === undefined ? [] : [{ kind: 'folder', folder }]));
      }
      if (node.kind === 'folder')
        return [...(shown.get(node.folder) ?? (await shownIn(node.folder)))];
      if (node.kind === 'agentGroup') return [...node.rows];
      if (node.kind !== 'agentOffer') return [];
      const { folder, offer } = node;
      return offeredRows(node, await describe(folder, offer));
    },
    itemFor,
    documentText: (uri) => agentDocument(folders, uri),
    changed: () =>
      inTurn(async () => {
        const others: AgentGroupNode[] = [];
        for (const folder of folders.all) {
          const before = shown.get(folder) ?? [];
          const now = await groupsOf(folder);
          if (!haveSameRows(before, now)) return undefined;
          for (const [index, group] of before.entries()) {
            const rows = now[index]?.rows ?? [];
            const isLookedAtAgain = isForgotten && group.group === 'offers';
            if (!isLookedAtAgain && contentOf(group.rows) === contentOf(rows)) continue;
            group.rows = rows;
            others.push(group);
          }
        }
        isForgotten = false;
        return others;
      }),
    dated: () => [...shown.values()].flat().filter(({ group }) => group !== 'offers'),
    forgetOffered() {
      looked = new WeakMap();
      isForgotten = true;
    },
  };
}

/**
 * Whether the groups are the same, and the same ones have rows: a group that gets its first row is another kind of row.
 */
function haveSameRows(before: readonly AgentGroupNode[], now: readonly AgentGroupNode[]): boolean {
  const filled = (groups: readonly AgentGroupNode[]) =>
    groups.map(({ group, rows }) => `${group} ${rows.length > 0}`).join();
  return filled(before) === filled(now);
}

function contentOf(rows: AgentGroupNode['rows']): string {
  return JSON.stringify(rows.map(({ folder: _folder, ...row }) => row));
}

async function look(folder: Folder, offer: AgentOffer): Promise<Described> {
  const client = await folder.link.ready();
  return client.call('agent_offers.describe', { offers: [offer] });
}

/** None where there is nothing in any of them: the view says then what could be. Starts no runtime. */
async function groupsOf(folder: Folder): Promise<AgentGroupNode[]> {
  const { client } = folder.link;
  if (client === undefined) return [];
  const [{ data: offers }, { data: calls }, { data: runs }] = await Promise.all([
    client.call('agent_offers.list', {}),
    client.call('agent_calls.list', { limit: shownCalls }),
    client.call('action_runs.list', { limit: shownRuns }),
  ]);
  if (offers.length + calls.length + runs.length === 0) return [];
  const seen = new Map<string, number>();
  const group = (name: AgentGroup, rows: AgentGroupNode['rows']): AgentGroupNode => ({
    kind: 'agentGroup',
    folder,
    group: name,
    rows,
  });
  return [
    group(
      'offers',
      offers.map((offer): AgentOfferNode => ({ kind: 'agentOffer', folder, offer })),
    ),
    group(
      'calls',
      // Counted from the oldest on, so that a call keeps its row when others come.
      calls
        .toReversed()
        .map((call): AgentCallNode => {
          const at = `${call.at} ${call.tool}`;
          const nth = (seen.get(at) ?? 0) + 1;
          seen.set(at, nth);
          return { kind: 'agentCall', folder, call, id: `${at} ${nth}` };
        })
        .toReversed(),
    ),
    group(
      'runs',
      runs.map((run): ActionRunNode => ({ kind: 'actionRun', folder, run })),
    ),
  ];
}

function offeredRows(
  { folder, offer }: AgentOfferNode,
  { data, problems }: Described,
): (OfferedActionNode | OfferProblemNode)[] {
  return [
    ...data.map((action): OfferedActionNode => ({ kind: 'offeredAction', folder, offer, action })),
    ...problems.map((problem): OfferProblemNode => ({
      kind: 'offerProblem',
      folder,
      offer,
      problem,
    })),
  ];
}

function itemFor(node: AgentsNode, now: number): vscode.TreeItem {
  if (node.kind === 'folder') return folderItem(node);
  const { folder } = node;
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  switch (node.kind) {
    case 'agentGroup': {
      const { group, rows } = node;
      const state = rows.length === 0 ? None : Expanded;
      // VS Code remembers by its id how a row was folded.
      const id = rowId(folder, `${group} ${rows.length === 0 ? 'none' : 'some'}`);
      return itemOf(agentGroupLine(group, rows.length), id, state);
    }
    case 'agentOffer': {
      const { offer } = node;
      const label = labelOf(offer.what);
      const item = itemOf(offerLine(offer, label), rowId(folder, offer.what), Collapsed);
      item.tooltip = offer.what;
      return item;
    }
    case 'offeredAction': {
      const { action, offer } = node;
      const line = offeredActionLine(action, accountsOf(node));
      const item = itemOf(line, rowId(folder, `${offer.what} ${action.name}`));
      item.tooltip = [action.title, action.description, action.from].filter(Boolean).join('\n');
      return item;
    }
    case 'offerProblem': {
      const { offer, problem } = node;
      const item = itemOf(offerProblemLine(problem), rowId(folder, `${offer.what} ${problem}`));
      item.tooltip = problem;
      return item;
    }
    case 'agentCall': {
      const item = itemOf(agentCallLine(node.call, now), rowId(folder, node.id));
      item.tooltip = node.call.message;
      item.command = { command: 'weir.showAgentCall', title: 'Show Call', arguments: [node] };
      return item;
    }
    case 'actionRun': {
      const item = itemOf(actionRunLine(node.run, now), rowId(folder, node.run.id));
      item.command = { command: 'weir.showActionRun', title: 'Show Run', arguments: [node] };
      return item;
    }
  }
}

/** @param what a path, a key or an app */
export function labelOf(what: string): string {
  return /[\\/]/.test(what) ? vscode.workspace.asRelativePath(what) : what;
}

/** The names of the bound accounts, and the apps that have none although other apps do. */
function accountsOf({ folder, offer, action }: OfferedActionNode): string[] {
  const { accounts } = folder.mirror.state;
  if (Object.keys(offer.accounts).length === 0) return [];
  return action.apps.map((app) => {
    const id = offer.accounts[app] ?? undefined;
    if (id === undefined) return `no account of ${app}`;
    return accounts.get(id)?.name ?? `${id} is gone`;
  });
}
