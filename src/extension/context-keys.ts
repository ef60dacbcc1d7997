import * as vscode from 'vscode';
import { activeComponent } from './commands/pick-file.ts';
import type { Folders } from './connection/folders.ts';
import type { RuntimeState } from './connection/runtime-link.ts';
import { workflowFileOf } from './workflows/workflow-files.ts';

/** All our context keys, for the manifest's `when` clauses. */
interface ContextKeys {
  readonly 'weir.runtime': RuntimeState;
  /** The runtime on another machine that is in use cannot be reached. */
  readonly 'weir.unreachable': boolean;
  readonly 'weir.hasSources': boolean;
  readonly 'weir.hasEvents': boolean;
  readonly 'weir.eventsFiltered': boolean;
  /** Events that dedupe dropped are left out. */
  readonly 'weir.droppedHidden': boolean;
  /** Newer events are held back while older ones are read. */
  readonly 'weir.eventsWaiting': boolean;
  /** The active editor shows a component: F5 debugs it. */
  readonly 'weir.componentEditor': boolean;
  /** The active editor shows a workflow or the code of a step: F5 debugs the workflow. */
  readonly 'weir.workflowEditor': boolean;
  readonly 'weir.hasWorkflows': boolean;
  /** The inspector of an event can be seen: the arrow keys of the list take it along. */
  readonly 'weir.inspecting': boolean;
}

/** The values set last: VS Code evaluates every menu again each time a key is set. */
const known = new Map<string, unknown>();

export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}

/** Keeps the keys about the runtime and what it has up to date. */
export function followRuntime(folders: Folders): vscode.Disposable {
  const set = (): void => {
    const mirrors = folders.all.map(({ mirror }) => mirror);
    setContext('weir.runtime', folders.state);
    setContext(
      'weir.unreachable',
      folders.all.some(({ remote, link }) => remote !== undefined && link.failure !== undefined),
    );
    setContext(
      'weir.hasSources',
      mirrors.some((mirror) => mirror.sources().length > 0),
    );
    setContext(
      'weir.hasWorkflows',
      mirrors.some((mirror) => mirror.workflows().length > 0),
    );
    setContext(
      'weir.hasEvents',
      mirrors.some((mirror) => mirror.emitters().some(({ id }) => mirror.eventCount(id) > 0)),
    );
  };
  set();
  return vscode.Disposable.from(
    folders.onDidChangeState(set),
    folders.onDidChange(({ touched }) => {
      if (touched.emitterList || touched.workflowList || touched.events.size > 0) set();
    }),
  );
}

/** Keeps the key up to date that lets F5 mean the component in the active editor. */
export function followActiveEditor(): vscode.Disposable {
  const set = (): void => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const isOfWorkflow = uri?.scheme === 'file' && workflowFileOf(uri.fsPath) !== undefined;
    setContext('weir.workflowEditor', isOfWorkflow);
    setContext('weir.componentEditor', !isOfWorkflow && activeComponent() !== undefined);
  };
  set();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(set),
    vscode.workspace.onDidSaveTextDocument(set),
  );
}
