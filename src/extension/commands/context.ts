import type * as vscode from 'vscode';
import type { AgentsView } from '../agents/agents-view.ts';
import type { Clock } from '../clock.ts';
import type { SourceFiles } from '../component-files/source-files.ts';
import type { DevMode } from '../component-files/dev-mode.ts';
import type { Folders } from '../connection/folders.ts';
import type { DebugSessions } from '../debug/debug-sessions.ts';
import type { LogChannels } from '../documents/log-channels.ts';
import type { ResultDocuments } from '../documents/result-documents.ts';
import type { FormPanels } from '../forms/form-panels.ts';
import type { TaskContext } from '../forms/task.ts';
import type { InspectorPanel } from '../inspector/inspector-panel.ts';
import type { ComponentProblems } from '../problems/component-problems.ts';
import type { AnswerDocument } from '../requests/answer-document.ts';
import type { AccountsView } from '../views/accounts-view.ts';
import type { DataStoresView } from '../views/data-stores-view.ts';
import type { EventsView } from '../views/events-view.ts';
import type { AccountSharing } from '../account-sharing.ts';
import type { SeenRuns } from '../runs/seen-runs.ts';
import type { SourcesView } from '../views/sources-view.ts';
import type { SubscriptionsView } from '../views/subscriptions-view.ts';
import type { WorkflowParts } from '../workflows/workflow-parts.ts';

/** Parts that commands work with. */
export interface CommandContext {
  readonly folders: Folders;
  readonly sources: SourcesView;
  readonly workflows: WorkflowParts;
  readonly events: EventsView;
  readonly subscriptions: SubscriptionsView;
  readonly accounts: AccountsView;
  readonly dataStores: DataStoresView;
  readonly agents: AgentsView;
  readonly logs: LogChannels;
  readonly problems: ComponentProblems;
  readonly forms: FormPanels;
  /** For the forms that commands open. */
  readonly tasks: TaskContext;
  readonly debug: DebugSessions;
  readonly dev: DevMode;
  readonly results: ResultDocuments;
  readonly answers: AnswerDocument;
  readonly inspector: InspectorPanel;
  readonly sharing: AccountSharing;
  readonly seen: SeenRuns;
  readonly sourceFiles: SourceFiles;
  /** State of the workspace. */
  readonly memory: vscode.Memento;
  readonly output: vscode.LogOutputChannel;
  readonly clock: Clock;
}

/** Gets whatever the menu, lens or caller passed; asks for what is missing. */
export type Command = (context: CommandContext, ...args: unknown[]) => Promise<void> | void;
