import * as vscode from 'vscode';
import { createApi, type WeirApi } from './api.ts';
import { taskContext } from './commands/deploy.ts';
import { registerCommands } from './commands/register.ts';
import { commands } from './commands/table.ts';
import { ComponentProblems } from './component-problems.ts';
import { followContext } from './context-keys.ts';
import { followComponentEditor } from './debug/component-editor.ts';
import { registerDebugger } from './debug/configuration-provider.ts';
import { DebugSessions } from './debug/debug-sessions.ts';
import { updateOnSave } from './debug/update-on-save.ts';
import { deliveryScheme, eventScheme, JsonDocuments } from './documents/json-documents.ts';
import { ResultDocuments } from './documents/result-documents.ts';
import { RunDocuments } from './documents/run-documents.ts';
import { registerStackLinks } from './documents/stack-links.ts';
import { SourceLogs } from './documents/source-logs.ts';
import { ComponentChecks } from './checks/component-checks.ts';
import { DevMode } from './dev/dev-mode.ts';
import { ComponentLenses } from './lenses/component-lenses.ts';
import { Folders } from './connection/folders.ts';
import { watchSettings } from './connection/settings-watch.ts';
import { FormPanels } from './forms/form-panels.ts';
import { restoreTask } from './forms/restore-task.ts';
import { InspectorPanel } from './inspector/inspector-panel.ts';
import { TextProblems } from './problems/text-problems.ts';
import { createStatusBar } from './status-bar.ts';
import { EventsView } from './views/events-view.ts';
import { SourcesView } from './views/sources-view.ts';
import { SubscriptionsView } from './views/subscriptions-view.ts';

/** Registers everything and waits for nothing: a runtime starts when somebody needs one. */
export function activate(context: vscode.ExtensionContext): WeirApi {
  const output = vscode.window.createOutputChannel('Weir', { log: true });
  const folders = new Folders(context, output);
  const sources = new SourcesView(folders);
  const events = new EventsView(folders);
  const logs = new SourceLogs();
  const problems = new ComponentProblems();
  const documents = new JsonDocuments(folders);
  const results = new ResultDocuments();
  const checks = new ComponentChecks(folders, problems);
  const dev = new DevMode(folders, checks, output);
  const tasks = taskContext({ problems, sources, output });
  const forms = new FormPanels({
    extensionUri: context.extensionUri,
    restore: (subject) => restoreTask({ ...tasks, results }, folders, subject),
    log: output,
  });

  const debug = new DebugSessions(folders, context.asAbsolutePath('dist'), output);
  const inspector = new InspectorPanel(folders, context.extensionUri, output);
  const commandContext = {
    folders,
    sources,
    events,
    logs,
    problems,
    forms,
    debug,
    dev,
    results,
    inspector,
    output,
  };

  context.subscriptions.push(
    debug,
    results,
    inspector,
    output,
    folders,
    sources,
    events,
    new SubscriptionsView(folders, output),
    logs,
    problems,
    forms,
    checks,
    dev,
    new ComponentLenses(folders, checks, dev),
    new TextProblems(),
    new RunDocuments(folders),
    followContext(folders),
    watchSettings(folders),
    createStatusBar(folders),
    vscode.workspace.registerTextDocumentContentProvider(eventScheme, documents),
    vscode.workspace.registerTextDocumentContentProvider(deliveryScheme, documents),
    registerCommands(commands, commandContext),
    registerDebugger(commandContext),
    updateOnSave({ problems, output, debugged: () => debug.sources }),
    registerStackLinks(),
    followComponentEditor(),
    // The events follow the source that is selected.
    sources.view.onDidChangeSelection(({ selection: [node] }) => {
      if (node?.kind === 'source') void events.show(node.folder, node.source.id);
    }),
  );
  folders.startUsed();
  return createApi(folders);
}
