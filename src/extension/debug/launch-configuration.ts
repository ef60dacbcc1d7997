import * as vscode from 'vscode';
import type { Values } from '../../webview/prop-form/messages.ts';

/** The type of our launch configurations. */
export const debugType = 'weir';

/** A `weir` launch configuration, its variables replaced. */
export interface LaunchConfiguration {
  readonly name?: string;
  /** Absolute path of a component's file; the active editor's without. */
  readonly component?: string;
  /** Id or name slug of a deployed source. */
  readonly source?: string;
  /** Absolute path of `workflow.yaml` or its folder, or id or name slug of a deployed workflow. */
  readonly workflow?: string;
  /** Id of an execution of the workflow whose trigger it is run with once the debugger is attached. */
  readonly execution?: string;
  /**
   * The event to run a source or workflow with once the debugger is attached: JSON, or the path of a file with JSON.
   */
  readonly event?: unknown;
  /** The caller that starts the session runs the source next, so the session waits for nothing else. */
  readonly isRun?: boolean;
  /** Props of a component that is not deployed; a form asks for missing ones. */
  readonly props?: Values;
}

/** Starts a session as if the configuration had been chosen in VS Code. */
export async function startDebugger(
  configuration: LaunchConfiguration & { readonly name: string },
): Promise<void> {
  const file = configuration.component;
  const folder =
    file === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  await vscode.debug.startDebugging(folder ?? vscode.workspace.workspaceFolders?.[0], {
    type: debugType,
    request: 'launch',
    ...configuration,
  });
}
