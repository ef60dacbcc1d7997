import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandContext } from '../commands/context.ts';
import { reportError } from '../notify.ts';
import { launch } from './launch.ts';
import { debugType, type LaunchConfiguration } from './launch-configuration.ts';
import { loadDebugger } from './load-debugger.ts';
import { substitute } from './variables.ts';

const currentFile: vscode.DebugConfiguration = {
  type: debugType,
  request: 'launch',
  name: 'Debug component',
  component: '${file}',
};

/**
 * Turns our launch configurations into sessions of the built-in JavaScript debugger: those in a
 * `launch.json`, and F5 in a component without one.
 */
export function registerDebugger(context: CommandContext): vscode.Disposable {
  const provider: vscode.DebugConfigurationProvider = {
    provideDebugConfigurations: () => [currentFile],
    async resolveDebugConfiguration(folder, configuration) {
      // Without a launch.json VS Code passes an empty configuration.
      const wanted = configuration.type === debugType ? configuration : currentFile;
      loadDebugger();
      try {
        return await launch(context, readConfiguration(wanted, folder));
      } catch (error) {
        reportError(error, context.output);
        return undefined;
      }
    },
  };
  const dynamic: vscode.DebugConfigurationProvider = {
    provideDebugConfigurations: () => [
      currentFile,
      ...context.folders.all.flatMap((folder) =>
        folder.mirror.workflows().map(({ name, name_slug }) => ({
          type: debugType,
          request: 'launch',
          name: `Debug ${name}`,
          workflow: name_slug,
        })),
      ),
      ...context.folders.all.flatMap((folder) =>
        folder.mirror.sources().map(({ name, name_slug }) => ({
          type: debugType,
          request: 'launch',
          name: `Debug ${name}`,
          source: name_slug,
        })),
      ),
    ],
  };
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(debugType, provider),
    vscode.debug.registerDebugConfigurationProvider(
      debugType,
      dynamic,
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
  );
}

function readConfiguration(
  { component, workflow, ...others }: LaunchConfiguration,
  folder: vscode.WorkspaceFolder | undefined,
): LaunchConfiguration {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const workspaceFolder = (folder ?? folders[0])?.uri.fsPath;
  const fileOf = (text: string): string =>
    substitute(text, {
      file: vscode.window.activeTextEditor?.document.uri.fsPath,
      workspaceFolder,
      folders: Object.fromEntries(folders.map(({ name, uri }) => [name, uri.fsPath])),
    });
  // A name slug or an id is no path.
  const configuration = workflow === undefined ? others : { ...others, workflow: fileOf(workflow) };
  if (component === undefined || component === '') return configuration;
  return {
    ...configuration,
    component: path.resolve(workspaceFolder ?? '', fileOf(component)),
  };
}
