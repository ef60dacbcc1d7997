import { isNode, type Node } from '../views/nodes.ts';
import { deleteAccount } from './lazy-commands.ts';
import type { Command, CommandContext } from './context.ts';
import { cancelScheduled, deleteEvents } from './event-commands.ts';
import { deleteSubscription, deleteWebhook } from './lazy-commands.ts';
import { remove } from './source-commands.ts';
import { deleteWorkflow } from '../workflows/workflow-commands.ts';
import { deleteDataStore, deleteValues } from './lazy-commands.ts';

/** Commands that delete the rows of a kind, as their menu does. */
const deleters: Partial<Record<Node['kind'], Command>> = {
  source: remove,
  workflow: deleteWorkflow,
  event: deleteEvents,
  scheduled: cancelScheduled,
  scheduledEvent: cancelScheduled,
  webhook: deleteWebhook,
  subscription: deleteSubscription,
  account: deleteAccount,
  dataStore: deleteDataStore,
  value: deleteValues,
};

/**
 * The Delete key: unlike a menu, a key does not get the rows it is about. Of a selection of several kinds it deletes
 * those of the first row's kind.
 * @param view id of the view that has the focus
 */
export const deleteSelection: Command = async (context, view) => {
  const selection = selectionOf(context, view);
  const [first] = selection;
  if (first === undefined) return;
  const alike = selection.filter((node) => isNode(node, first.kind));
  await deleters[first.kind]?.(context, first, alike);
};

function selectionOf(context: CommandContext, view: unknown): readonly Node[] {
  const views = {
    'weir.sources': context.sources,
    'weir.workflows': context.workflows.view,
    'weir.events': context.events,
    'weir.subscriptions': context.subscriptions,
    'weir.accounts': context.accounts,
    'weir.dataStores': context.dataStores,
  };
  const found = Object.entries(views).find(([id]) => id === view)?.[1];
  return found?.view.selection ?? [];
}
