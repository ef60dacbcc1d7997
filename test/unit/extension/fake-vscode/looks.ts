/** What a person sees of the window, as text. */
import manifest from '../../../../package.json' with { type: 'json' };
import { world, type ShownTree } from './vscode.ts';
import type { TreeItem } from './values.ts';
import { holds, type Context } from './when.ts';

const { contributes } = manifest;

export function treeOf(view: string): ShownTree {
  const tree = world.trees.get(view);
  if (tree === undefined) throw new Error(`There is no view ${view}.`);
  return tree;
}

/** A tree with everything unfolded, one row a line; times and ids are left out. */
export async function treeText(view: string): Promise<string> {
  const { provider } = treeOf(view);
  const lines: string[] = [];
  const add = async (node: unknown, depth: number): Promise<void> => {
    const item = provider.getTreeItem(node);
    const parts = [item.iconPath?.id, item.label, item.description];
    lines.push('  '.repeat(depth) + parts.filter(Boolean).join(' | '));
    for (const child of await childrenOf(item, node)) await add(child, depth + 1);
  };
  const childrenOf = async (item: TreeItem, node: unknown): Promise<unknown[]> =>
    item.collapsibleState === 0 ? [] : provider.getChildren(node);
  for (const node of await provider.getChildren()) await add(node, 0);
  return lines
    .join('\n')
    .replaceAll(/\b(in )?\d+(ms|[smhd])( ago)?\b|\bnow\b/g, 'T')
    .replaceAll(/\b\d+(\.\d)? m?s\b/g, 'N ms')
    .replaceAll(/hi_\w+/g, 'hi_')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'host');
}

/** The first row whose label has these words. */
export async function rowOf(view: string, words: string): Promise<unknown> {
  const { provider } = treeOf(view);
  const search = async (nodes: readonly unknown[]): Promise<unknown> => {
    for (const node of nodes) {
      const item = provider.getTreeItem(node);
      if (item.label.includes(words)) return node;
      const below = item.collapsibleState === 0 ? [] : await provider.getChildren(node);
      const found = await search(below);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(await provider.getChildren());
}

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}
const menus = contributes.menus as Record<string, readonly MenuItem[]>;

/** The titles of a menu, group by group: `inline: Run Source Now, Copy Endpoint URL`. */
export function menuText(menu: string, more: Readonly<Record<string, unknown>>): string[] {
  const context: Context = new Map([...world.context, ...Object.entries(more)]);
  const groups = new Map<string, { at: number; title: string }[]>();
  for (const { command, when, group = '' } of menus[menu] ?? []) {
    if (!holds(when, context)) continue;
    const [name = '', at = '0'] = group.split('@');
    groups.set(name, [...(groups.get(name) ?? []), { at: Number(at), title: titleOf(command) }]);
  }
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, items]) => {
      const titles = items.sort((a, b) => a.at - b.at).map(({ title }) => title);
      return `${name}: ${titles.join(', ')}`;
    });
}

/** What a view says while it is empty. */
export function welcomeText(view: string, more: Readonly<Record<string, unknown>>): string[] {
  const context: Context = new Map([...world.context, ...Object.entries(more)]);
  return contributes.viewsWelcome
    .filter((one) => one.view === view && holds(one.when, context))
    .map(({ contents }) => contents);
}

function titleOf(id: string): string {
  return contributes.commands.find(({ command }) => command === id)?.title ?? id;
}
