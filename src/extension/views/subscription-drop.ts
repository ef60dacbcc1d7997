import type * as vscode from 'vscode';
import type { Folders } from '../connection/folders.ts';
import { reportError } from '../notify.ts';
import { isNode, type Node } from './nodes.ts';
import { droppedSources, sourceMimeType } from './source-drag.ts';

/** A source that is dropped onto a webhook is listened to by it, on its default channel. */
export function subscriptionDrop(
  folders: Folders,
  output: vscode.LogOutputChannel,
): vscode.TreeDragAndDropController<Node> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: [sourceMimeType],
    async handleDrop(target, transfer) {
      // On a row below a webhook the webhook is meant.
      if (target === undefined || !('folder' in target)) return;
      const listenerId = listenerOf(target);
      if (listenerId === undefined) return;
      try {
        for (const { dataFolder, id } of await droppedSources(transfer)) {
          // A webhook belongs to one runtime, and so do the sources it can hear.
          if (dataFolder !== target.folder.dataFolder) continue;
          const folder = folders.all.find((one) => one.dataFolder === dataFolder);
          const client = await folder?.link.ready();
          await client?.call('subscriptions.create', { emitter_id: id, listener_id: listenerId });
        }
      } catch (error) {
        reportError(error, output);
      }
    },
  };
}

function listenerOf(target: Node): string | undefined {
  if (isNode(target, 'webhook')) return target.webhook.id;
  if (isNode(target, 'subscription')) return target.subscription.listener_id;
  return isNode(target, 'delivery') ? target.delivery.webhook_id : undefined;
}
