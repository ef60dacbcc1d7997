/** Every command, in one place; the manifest is checked against it (test/unit/extension). */

/** Shown in the palette or in a menu. */
export const contributedCommands = [
  'weir.deploy',
  'weir.update',
  'weir.configure',
  'weir.invoke',
  'weir.dev',
  'weir.debug',
  'weir.runWithEvent',
  'weir.replay',
  'weir.stopRun',
  'weir.activate',
  'weir.deactivate',
  'weir.rename',
  'weir.delete',
  'weir.copyEndpoint',
  'weir.copyCurl',
  'weir.composeRequest',
  'weir.saveRequest',
  'weir.sendRequest',
  'weir.sendAgain',
  'weir.showLogs',
  'weir.openEvent',
  'weir.inspectEvent',
  'weir.showInvocation',
  'weir.compareEvents',
  'weir.searchEvents',
  'weir.deleteEvents',
  'weir.showAllEvents',
  'weir.hideDropped',
  'weir.showDropped',
  'weir.showNewEvents',
  'weir.createWebhook',
  'weir.deleteWebhook',
  'weir.rotateSecret',
  'weir.createSubscription',
  'weir.deleteSubscription',
  'weir.showDelivery',
  'weir.redeliver',
  'weir.addAccount',
  'weir.runAction',
  'weir.newComponent',
  'weir.collectDiagnostics',
  'weir.runtime.restart',
  'weir.runtime.stop',
  'weir.showOutput',
] as const;

/** Only run by rows and lenses of this extension. */
export const internalCommands = [
  'weir.revealSource',
  'weir.showMoreEvents',
  'weir.deleteSelection',
] as const;

export type CommandId = (typeof contributedCommands)[number] | (typeof internalCommands)[number];
