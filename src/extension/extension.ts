import * as vscode from 'vscode';
import { createApi, type WeirApi } from './api.ts';
import { registerCommands } from './commands/register.ts';
import { commands } from './commands/table.ts';
import { ComponentProblems } from './component-problems.ts';
import { followContext } from './context-keys.ts';
import { deliveryScheme, eventScheme, JsonDocuments } from './documents/json-documents.ts';
import { SourceLogs } from './documents/source-logs.ts';
import { ComponentLenses } from './lenses/component-lenses.ts';
import { Folders } from './connection/folders.ts';
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

  context.subscriptions.push(
    output,
    folders,
    sources,
    events,
    new SubscriptionsView(folders),
    logs,
    problems,
    new ComponentLenses(folders),
    followContext(folders),
    createStatusBar(folders),
    vscode.workspace.registerTextDocumentContentProvider(eventScheme, documents),
    vscode.workspace.registerTextDocumentContentProvider(deliveryScheme, documents),
    registerCommands(commands, { folders, sources, events, logs, problems, output }),
    // The events follow the source that is selected.
    sources.view.onDidChangeSelection(({ selection: [node] }) => {
      if (node?.kind === 'source') events.show(node.folder, node.source.id);
    }),
  );
  folders.startUsed();
  return createApi(folders);
}
