import * as vscode from 'vscode';
import { createApi, type WeirApi } from './api.ts';
import { systemClock as clock } from './clock.ts';
import { AgentsView } from './agents/agents-view.ts';
import { offerLanguageModelTools } from './agents/language-model-tools.ts';
import { offerMcpServers } from './agents/mcp-servers.ts';
import { provideAuthoringHelp } from './authoring/authoring-help.ts';
import { registerBuilder } from './builder/builder-editor.ts';
import { registerCommands } from './commands/commands.ts';
import type { CommandContext } from './commands/context.ts';
import { loadRequestTexts } from './commands/lazy-commands.ts';
import { provideAuthorTypes } from './component-files/author-types.ts';
import { ComponentChecks } from './component-files/component-checks.ts';
import { AppLenses } from './component-files/app-lenses.ts';
import { ComponentLenses } from './component-files/component-lenses.ts';
import { followRenamedFiles } from './component-files/renamed-files.ts';
import { SourceFiles } from './component-files/source-files.ts';
import { DevMode } from './component-files/dev-mode.ts';
import { Folders } from './connection/folders.ts';
import { watchRuntimeSettings } from './connection/runtime-settings.ts';
import { followActiveEditor, followRuntime } from './context-keys.ts';
import { registerDebugger } from './debug/configuration-provider.ts';
import { DebugSessions } from './debug/debug-sessions.ts';
import { updateOnSave } from './debug/update-on-save.ts';
import { JsonDocuments } from './documents/json-documents.ts';
import { LogChannels } from './documents/log-channels.ts';
import { ResultDocuments } from './documents/result-documents.ts';
import { RunDocuments } from './documents/run-documents.ts';
import { ValueFiles } from './documents/value-files.ts';
import { registerStackLinks } from './documents/stack-links.ts';
import { FormPanels } from './forms/form-panels.ts';
import { restoreTask } from './forms/restore-task.ts';
import { createTaskContext } from './forms/source-tasks.ts';
import { InspectorPanel } from './inspector/inspector-panel.ts';
import { ComponentProblems } from './problems/component-problems.ts';
import { markRuns } from './problems/run-problems.ts';
import { TextProblems } from './problems/text-problems.ts';
import { tellOfNewerVersions } from './registry/newer-versions.ts';
import { AnswerDocument } from './requests/answer-document.ts';
import { knowRequests } from './requests/requests.ts';
import { AccountSharing } from './account-sharing.ts';
import { SeenRuns } from './runs/seen-runs.ts';
import { createStatusBar } from './status-bar.ts';
import { AccountNotifications } from './views/account-notifications.ts';
import { AccountsView } from './views/accounts-view.ts';
import { DataStoresView } from './views/data-stores-view.ts';
import { showDeadAccounts } from './views/dead-accounts.ts';
import { EditorSessions } from './views/editor-sessions.ts';
import { EventsView } from './views/events-view.ts';
import { SourcesView } from './views/sources-view.ts';
import { SubscriptionsView } from './views/subscriptions-view.ts';
import { registerTests } from './tests/test-explorer.ts';
import { knowWorkflowText } from './workflow-text/workflow-text.ts';
import { createWorkflowParts } from './workflows/workflow-parts.ts';
import { updateWorkflowOnSave } from './workflows/update-on-save.ts';

/** Registers everything and waits for nothing: a runtime is started when something needs one. */
export function activate(context: vscode.ExtensionContext): WeirApi {
  const { extensionUri } = context;
  const output = vscode.window.createOutputChannel('Weir', { log: true });
  const folders = new Folders(context, output, clock);
  const problems = new ComponentProblems();
  const results = new ResultDocuments();
  const answers = new AnswerDocument(folders);
  const logs = new LogChannels();

  const seen = new SeenRuns(context.workspaceState);
  const sourceFiles = new SourceFiles(folders, clock);
  const checks = new ComponentChecks(folders, problems, clock);
  const dev = new DevMode(folders, checks, output, clock);
  const sources = new SourcesView(folders, dev, checks, seen, sourceFiles, clock);
  const workflows = createWorkflowParts(folders, extensionUri, output, clock);
  const events = new EventsView(folders, clock);
  const subscriptions = new SubscriptionsView(folders, output, clock);
  const accounts = new AccountsView(folders, clock);
  const dataStores = new DataStoresView(folders, clock);
  const agents = new AgentsView(folders, clock);
  const debug = new DebugSessions(folders, context.asAbsolutePath('dist'), output);
  const inspector = new InspectorPanel(
    folders,
    extensionUri,
    output,
    (folder, event) => void events.select(folder, event),
  );
  const tasks = createTaskContext({ problems, results, sources, output });
  const sharing = new AccountSharing(context.globalState);
  const forms = new FormPanels({
    extensionUri,
    folders,
    sharing,
    restore: (subject) => restoreTask(tasks, folders, subject),
    clock,
    log: output,
  });
  const commandContext: CommandContext = {
    folders,
    sources,
    workflows,
    events,
    subscriptions,
    accounts,
    dataStores,
    agents,
    logs,
    problems,
    forms,
    tasks,
    debug,
    dev,
    results,
    answers,
    inspector,
    sharing,
    seen,
    sourceFiles,
    memory: context.workspaceState,
    output,
    clock,
  };

  context.subscriptions.push(
    output,
    folders,
    problems,
    results,
    answers,
    logs,
    sources,
    workflows,
    events,
    checks,
    sourceFiles,
    dev,
    debug,
    inspector,
    forms,
    subscriptions,
    accounts,
    new AccountNotifications(folders),
    showDeadAccounts(folders, clock),
    new EditorSessions(folders, clock, (text) => output.warn(text)),
    dataStores,
    agents,
    new ComponentLenses(folders, checks, dev, clock),
    new AppLenses(folders, clock),
    tellOfNewerVersions(folders, clock),
    new TextProblems(clock),
    provideAuthoringHelp(),
    knowWorkflowText({ folders, whole: workflows.whole }, clock),
    provideAuthorTypes(context.asAbsolutePath('dist/component'), output),
    markRuns(folders, seen),
    new JsonDocuments(folders),
    new RunDocuments(folders, seen),
    new ValueFiles(folders, clock),
    knowRequests(folders, output, loadRequestTexts),
    followRuntime(folders),
    followActiveEditor(),
    events.followSelection(sources.view),
    watchRuntimeSettings(folders),
    createStatusBar(folders, seen),
    registerCommands(commandContext),
    followRenamedFiles(commandContext),
    registerBuilder({ ...commandContext, extensionUri }),
    registerDebugger(commandContext),
    registerTests(commandContext),
    registerStackLinks(),
    offerMcpServers(folders),
    offerLanguageModelTools(folders, context.extension),
    updateOnSave({ problems, output, debugged: () => debug.sources }),
    updateWorkflowOnSave(workflows, output, () => debug.workflows),
  );
  folders.startUsed();
  return createApi(folders);
}
