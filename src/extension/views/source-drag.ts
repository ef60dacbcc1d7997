import * as vscode from 'vscode';
import { isNode, type SourceNode, type Node } from './nodes.ts';

/** Not the one VS Code names after the tree: what lies under that is VS Code's own. */
export const sourceMimeType = 'application/vnd.weir.sources';

export interface DraggedSource {
  readonly dataFolder: string;
  readonly id: string;
}

/** Sources can be dragged, onto a webhook for one. */
export const sourceDrag: vscode.TreeDragAndDropController<Node> = {
  dragMimeTypes: [sourceMimeType],
  dropMimeTypes: [],
  handleDrag(nodes, transfer) {
    const dragged = nodes
      .filter((node): node is SourceNode => isNode(node, 'source'))
      .map(({ folder, source }): DraggedSource => ({
        dataFolder: folder.dataFolder,
        id: source.id,
      }));
    if (dragged.length > 0) {
      transfer.set(sourceMimeType, new vscode.DataTransferItem(JSON.stringify(dragged)));
    }
  },
};

/** What was dropped, if it came from the tree of sources. */
export async function droppedSources(transfer: vscode.DataTransfer): Promise<DraggedSource[]> {
  for (const [mimeType, item] of transfer) {
    const text = mimeType === sourceMimeType ? await item.asString() : '';
    // The browser's own entry of that name, which comes first, is empty.
    if (text !== '') return JSON.parse(text) as DraggedSource[];
  }
  return [];
}
