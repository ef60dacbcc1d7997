/** A source that is dropped onto a webhook is subscribed to by it, on its default channel. */
import * as vscode from 'vscode';
import type { Folders } from '../connection/folders.ts';
import { reportError } from '../notify.ts';
import { isNode, type Node } from './nodes.ts';

/** Not the one VS Code derives from the tree's id: that one is reserved for VS Code's own use. */
const mimeType = 'application/vnd.weir.emitters';

interface DraggedEmitter {
  /** Key of the runtime. */
  readonly runtime: string;
  readonly id: string;
}

/** For the tree of emitters. */
export const emitterDrag: vscode.TreeDragAndDropController<Node> = {
  dragMimeTypes: [mimeType],
  dropMimeTypes: [],
  handleDrag(nodes, transfer) {
    const dragged = nodes
      .filter((node) => isNode(node, 'source'))
      .map(({ folder, source }): DraggedEmitter => ({
        runtime: folder.key,
        id: source.id,
      }));
    if (dragged.length > 0) {
      transfer.set(mimeType, new vscode.DataTransferItem(JSON.stringify(dragged)));
    }
  },
};

/** For the tree of webhooks and subscriptions. */
export function subscriptionDrop(
  folders: Folders,
  output: vscode.LogOutputChannel,
): vscode.TreeDragAndDropController<Node> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [mimeType],
    async handleDrop(target, transfer) {
      if (target === undefined || !('folder' in target)) return;
      const listenerId = listenerOf(target);
      if (listenerId === undefined) return;
      try {
        for (const { runtime, id } of await droppedEmitters(transfer)) {
          // A webhook belongs to one runtime, and can only be sent what that runtime's emitters emit.
          if (runtime !== target.folder.key) continue;
          const client = await folders.withKey(runtime)?.link.ready();
          await client?.call('subscriptions.create', { emitter_id: id, listener_id: listenerId });
        }
      } catch (error) {
        reportError(error, output);
      }
    },
  };
}

async function droppedEmitters(transfer: vscode.DataTransfer): Promise<DraggedEmitter[]> {
  for (const [type, item] of transfer) {
    const text = type === mimeType ? await item.asString() : '';
    // The browser's own entry of that type, which comes first, is empty.
    if (text !== '') return JSON.parse(text) as DraggedEmitter[];
  }
  return [];
}

/** A row below a webhook represents the webhook. */
function listenerOf(target: Node): string | undefined {
  if (isNode(target, 'webhook')) return target.webhook.id;
  if (isNode(target, 'subscription')) return target.subscription.listener_id;
  return isNode(target, 'delivery') ? target.delivery.webhook_id : undefined;
}
