/** The rows below a db or a data store: its keys, a page at a time. */
import type * as vscode from 'vscode';
import { type Holder, listValues } from '../model/kept-values.ts';
import { moreValuesLine, valueLine } from './kept-line.ts';
import {
  itemOf,
  rowId,
  type DataStoreNode,
  type DbNode,
  type MoreValuesNode,
  type ValueNode,
} from './nodes.ts';

/** Keys that are shown at first, and that each "Show more" adds. */
const pageRows = 100;

export function holderOf(node: DbNode | DataStoreNode): Holder {
  return node.kind === 'db'
    ? { kind: 'db', sourceId: node.source.id, prop: node.prop }
    : { kind: 'dataStore', id: node.store.id };
}

/** As people call it. */
export function holderName(node: DbNode | DataStoreNode): string {
  return node.kind === 'db' ? `${node.source.name} ${node.prop}` : node.store.name;
}

export class KeptRows {
  /** How many rows of each holder are wanted, by its id. */
  readonly #wanted = new Map<string, number>();

  /** Unfolding a row does not start a runtime. */
  async of(node: DbNode | DataStoreNode): Promise<(ValueNode | MoreValuesNode)[]> {
    const { folder } = node;
    const { client } = folder.link;
    if (client === undefined) return [];
    const holder = holderOf(node);
    const { items, total } = await listValues(client, holder, this.#wantedOf(holder));
    const name = holderName(node);
    const rows = items.map((kept): ValueNode => ({ kind: 'value', folder, holder, name, kept }));
    const hidden = total - items.length;
    return hidden > 0 ? [...rows, { kind: 'moreValues', of: node, hidden }] : rows;
  }

  more(node: DbNode | DataStoreNode): void {
    const holder = holderOf(node);
    this.#wanted.set(idOf(holder), this.#wantedOf(holder) + pageRows);
  }

  itemOf(node: ValueNode | MoreValuesNode, now: number): vscode.TreeItem {
    if (node.kind === 'moreValues') {
      const item = itemOf(
        moreValuesLine(node.hidden),
        rowId(node.of.folder, `more ${idOf(holderOf(node.of))}`),
      );
      item.command = { command: 'weir.showMoreValues', title: 'Show more', arguments: [node] };
      return item;
    }
    const { folder, holder, kept } = node;
    const id = rowId(folder, `${idOf(holder)} ${kept.key}`);
    const item = itemOf(valueLine(kept, now), id);
    item.command = { command: 'weir.openValue', title: 'Open Value', arguments: [node] };
    return item;
  }

  #wantedOf(holder: Holder): number {
    return this.#wanted.get(idOf(holder)) ?? pageRows;
  }
}

function idOf(holder: Holder): string {
  return holder.kind === 'db' ? `${holder.sourceId} ${holder.prop}` : holder.id;
}
