import * as vscode from 'vscode';
import { runtimeArgumentNames, runtimeSettingNames } from './setting-names.ts';

/** What a runtime of this folder is started with: `name=value` for each setting that has a value. */
export function runtimeSettings(root: string | undefined): string[] {
  const settings = settingsOf(root);
  return runtimeSettingNames.flatMap((name) => {
    const value = settings.get<string | number>(name);
    return value === undefined || value === '' ? [] : [`${name}=${value}`];
  });
}

/** `--public-url` and `--redirect`, where they are set. */
export function runtimeArguments(root: string | undefined): string[] {
  const settings = settingsOf(root);
  const publicUrl = settings.get('publicUrl', '').trim();
  const redirects = settings.get<Record<string, string>>('redirects', {});
  return [
    ...(publicUrl === '' ? [] : ['--public-url', publicUrl]),
    ...Object.entries(redirects).flatMap(([host, url]) => ['--redirect', `${host}=${url}`]),
  ];
}

/** Whether a change of the configuration is only taken in by a runtime that is started anew. */
export function isForRuntime(change: vscode.ConfigurationChangeEvent): boolean {
  return [...runtimeSettingNames, ...runtimeArgumentNames].some((name) =>
    change.affectsConfiguration(`weir.${name}`),
  );
}

function settingsOf(root: string | undefined): vscode.WorkspaceConfiguration {
  const scope = root === undefined ? undefined : vscode.Uri.file(root);
  return vscode.workspace.getConfiguration('weir', scope);
}
