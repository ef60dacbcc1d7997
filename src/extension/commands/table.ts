import { debug } from '../debug/debug-command.ts';
import { replay, runWithEvent } from '../debug/run-with-event.ts';
import type { Command } from './context.ts';
import { configure, deploy, update } from './deploy.ts';
import * as event from './event-commands.ts';
import type { CommandId } from './ids.ts';
import {
  createSubscription,
  createWebhook,
  deleteSubscription,
  deleteWebhook,
  redeliver,
  showDelivery,
} from './listener-commands.ts';
import { collectDiagnostics } from './collect-diagnostics.ts';
import { dev } from './dev.ts';
import { runAction } from './run-action.ts';
import * as source from './source-commands.ts';
import {
  addAccount,
  newComponent,
  restartRuntime,
  showOutput,
  stopRuntime,
} from './workspace-commands.ts';

/** One entry for every id: one that is missing does not compile. */
export const commands: Readonly<Record<CommandId, Command>> = {
  'weir.deploy': deploy,
  'weir.update': update,
  'weir.configure': configure,
  'weir.invoke': source.invoke,
  'weir.dev': dev,
  'weir.debug': debug,
  'weir.runWithEvent': runWithEvent,
  'weir.replay': replay,
  'weir.activate': source.activate,
  'weir.deactivate': source.deactivate,
  'weir.rename': source.rename,
  'weir.delete': source.remove,
  'weir.copyEndpoint': source.copyEndpoint,
  'weir.showLogs': source.showLogs,
  'weir.openEvent': event.openEvent,
  'weir.inspectEvent': event.inspectEvent,
  'weir.showInvocation': event.showInvocation,
  'weir.compareEvents': event.compareEvents,
  'weir.searchEvents': event.searchEvents,
  'weir.deleteEvents': event.deleteEvents,
  'weir.showAllEvents': event.showAllEvents,
  'weir.showNewEvents': event.showNewEvents,
  'weir.createWebhook': createWebhook,
  'weir.deleteWebhook': deleteWebhook,
  'weir.createSubscription': createSubscription,
  'weir.deleteSubscription': deleteSubscription,
  'weir.showDelivery': showDelivery,
  'weir.redeliver': redeliver,
  'weir.addAccount': addAccount,
  'weir.runAction': runAction,
  'weir.newComponent': newComponent,
  'weir.collectDiagnostics': collectDiagnostics,
  'weir.runtime.restart': restartRuntime,
  'weir.runtime.stop': stopRuntime,
  'weir.showOutput': showOutput,
  'weir.revealSource': source.revealSource,
  'weir.showMoreEvents': event.showMoreEvents,
};
