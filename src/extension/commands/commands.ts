import * as vscode from 'vscode';
import { debug, debugRun, replay, retryRun, runWithEvent } from '../debug/run-commands.ts';
import { reportError } from '../notify.ts';
import { configure, deploy, dev, runAction, update } from './component-commands.ts';
import { openAsText, openInBuilder } from '../builder/open-commands.ts';
import { Folder } from '../connection/folder.ts';
import { locateFile, openCode } from './code-commands.ts';
import type { Command, CommandContext } from './context.ts';
import { activeComponent } from './pick-file.ts';
import { deleteSelection } from './delete-selection.ts';
import * as event from './event-commands.ts';
import type { CommandId } from './ids.ts';
import { copyCurl, stopRun } from './invocation-commands.ts';
import * as later from './lazy-commands.ts';
import * as run from '../runs/run-commands.ts';
import * as source from './source-commands.ts';
import * as execution from '../workflows/execution-commands.ts';
import * as workflow from '../workflows/workflow-commands.ts';
import { isAboutWorkflow } from '../workflows/pick-workflow.ts';

/** One entry for every id: a missing entry does not compile. */
const commands: Readonly<Record<CommandId, Command>> = {
  'weir.deploy': deploy,
  'weir.update': update,
  'weir.openCode': openCode,
  'weir.locateFile': locateFile,
  'weir.configure': configure,
  'weir.invoke': source.invoke,
  'weir.dev': either(workflow.devWorkflow, dev),
  'weir.debug': either(workflow.debugWorkflow, debug),
  'weir.debugEditor': debugEditor,
  'weir.runWithEvent': either(workflow.runWorkflow, runWithEvent),
  'weir.replay': either(execution.replayExecution, replay),
  'weir.retryRun': retryRun,
  'weir.debugRun': debugRun,
  'weir.stopRun': stopRun,
  'weir.activate': source.activate,
  'weir.deactivate': source.deactivate,
  'weir.rename': source.rename,
  'weir.delete': source.remove,
  'weir.copyEndpoint': either(workflow.copyWorkflowEndpoint, source.copyEndpoint),
  'weir.copyCurl': either(workflow.copyWorkflowCurl, copyCurl),
  'weir.composeRequest': later.composeRequest,
  'weir.saveRequest': later.saveRequest,
  'weir.sendRequest': later.sendRequestCommand,
  'weir.sendAgain': later.sendAgain,
  'weir.showLogs': source.showLogs,
  'weir.openEvent': event.openEvent,
  'weir.inspectEvent': event.inspectEvent,
  'weir.showInvocation': run.showInvocation,
  'weir.showFailedRuns': run.showFailedRuns,
  'weir.markRunsSeen': run.markRunsSeen,
  'weir.showMoreRuns': run.showMoreRuns,
  'weir.compareEvents': event.compare,
  'weir.searchEvents': event.searchEvents,
  'weir.deleteEvents': event.deleteEvents,
  'weir.cancelScheduled': event.cancelScheduled,
  'weir.showAllEvents': event.showAllEvents,
  'weir.hideDropped': event.hideDropped,
  'weir.showDropped': event.showDropped,
  'weir.showNewEvents': event.showNewEvents,
  'weir.createWebhook': later.createWebhook,
  'weir.deleteWebhook': later.deleteWebhook,
  'weir.rotateSecret': later.rotateSecret,
  'weir.createSubscription': later.createSubscription,
  'weir.deleteSubscription': later.deleteSubscription,
  'weir.showDelivery': later.showDelivery,
  'weir.redeliver': later.redeliver,
  'weir.addAccount': later.addAccount,
  'weir.connectAccount': later.connectAccount,
  'weir.enterSigningSecret': later.enterSigningSecret,
  'weir.renameAccount': later.renameAccount,
  'weir.editAccount': later.editAccount,
  'weir.shareAccount': later.shareAccount,
  'weir.deleteAccount': later.deleteAccount,
  'weir.openValue': later.openValue,
  'weir.addValue': later.addValue,
  'weir.deleteValues': later.deleteValues,
  'weir.deleteAllValues': later.deleteAllValues,
  'weir.createDataStore': later.createDataStore,
  'weir.deleteDataStore': later.deleteDataStore,
  'weir.deployWorkflow': workflow.deployWorkflow,
  'weir.debugWorkflow': workflow.debugWorkflow,
  'weir.openInBuilder': openInBuilder,
  'weir.openAsText': openAsText,
  'weir.openWorkflow': workflow.openWorkflow,
  'weir.activateWorkflow': workflow.activateWorkflow,
  'weir.deactivateWorkflow': workflow.deactivateWorkflow,
  'weir.deleteWorkflow': workflow.deleteWorkflow,
  // Used once or twice: not worth its part of the activation.
  'weir.importWorkflows': async (context) =>
    (await import('../workflows/import-workflows.ts')).importWorkflows(context),
  'weir.showExecution': execution.showExecution,
  'weir.cancelExecution': execution.cancelExecution,
  'weir.saveTest': execution.saveTest,
  'weir.resumeExecution': execution.resumeExecution,
  'weir.skipPause': later.skipPause,
  'weir.runFromStep': later.runFromStep,
  'weir.runFromStepWith': later.runFromStepWith,
  'weir.pinStep': later.pinStep,
  'weir.managePins': later.managePins,
  'weir.removePins': later.removePins,
  'weir.retryFailed': later.retryFailed,
  'weir.replayOnFiles': later.replayOnFiles,
  'weir.cancelAllExecutions': later.cancelAllExecutions,
  'weir.openWorkflowPage': workflow.openWorkflowPage,
  'weir.revealWorkflow': workflow.revealWorkflow,
  'weir.showMoreExecutions': execution.showMoreExecutions,
  'weir.openStep': workflow.openStep,
  'weir.testWorkflow': later.testWorkflow,
  'weir.runStep': later.runStep,
  'weir.runAction': runAction,
  'weir.browseComponents': later.browseComponents,
  'weir.addRegistry': later.addRegistry,
  'weir.reviewComponent': later.reviewComponent,
  'weir.updateComponent': later.updateComponent,
  'weir.ejectComponent': later.ejectComponent,
  'weir.offerActions': later.offerActions,
  'weir.changeOffer': later.changeOffer,
  'weir.withdrawOffer': later.withdrawOffer,
  'weir.dryRunOff': later.dryRunOff,
  'weir.dryRunOn': later.dryRunOn,
  'weir.showMade': later.revealResult,
  'weir.showAgentCall': later.showAgentCall,
  'weir.showActionRun': later.showActionRun,
  'weir.newComponent': later.newComponent,
  'weir.collectDiagnostics': later.collectDiagnostics,
  'weir.runtime.restart': later.restartRuntime,
  'weir.runtime.stop': later.stopRuntime,
  'weir.runtime.connect': later.connectToRuntime,
  'weir.runtime.switch': later.switchRuntime,
  'weir.deployToRuntimes': later.deployToRuntimes,
  'weir.showOutput': later.showOutput,
  'weir.revealSource': source.revealSource,
  'weir.showMoreEvents': event.showMoreEvents,
  'weir.showMoreValues': later.showMoreValues,
  'weir.deleteSelection': deleteSelection,
  'weir.goOnConnecting': later.goOnConnecting,
};

/** A command that workflows and sources have in common. */
function either(ofWorkflow: Command, ofSource: Command): Command {
  return (context, arg, ...rest) =>
    (isAboutWorkflow(arg) ? ofWorkflow : ofSource)(context, arg, ...rest);
}

/**
 * F5 in any editor that may show a component or a workflow. The key does not wait until VS Code knows that the editor
 * shows one, or that the workspace is trusted: both context keys are set late in a window that opens, and VS Code would
 * ask a quick person for a debugger. What is not for Weir goes to VS Code.
 */
async function debugEditor(context: CommandContext): Promise<void> {
  if (vscode.workspace.isTrusted) {
    if (isAboutWorkflow(undefined)) return workflow.debugWorkflow(context, undefined);
    if (activeComponent() !== undefined) return debug(context, undefined);
  }
  await vscode.commands.executeCommand('workbench.action.debug.start');
}

/**
 * The runtime of a row may not be in use any more, and the row's id may mean something else at the current one.
 * @throws WeirError `conflict`
 */
function requireCurrent(args: readonly unknown[]): void {
  for (const arg of args.flat()) {
    if (
      typeof arg === 'object' &&
      arg !== null &&
      'folder' in arg &&
      arg.folder instanceof Folder
    ) {
      arg.folder.requireCurrent();
    }
  }
}

/** Registers all of them at once, so that none is ever "not found". A command that fails shows why. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  const registered = Object.entries(commands).map(([id, command]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        requireCurrent(args);
        await command(context, ...args);
      } catch (error) {
        reportError(error, context.output);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
