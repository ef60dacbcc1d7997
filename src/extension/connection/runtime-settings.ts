import * as vscode from 'vscode';
import type { Folder } from './folder.ts';

/**
 * Settings that are the runtime's: `weir.<name>` here is `--set <name>=<value>` there. The manifest
 * declares them, src/runtime/base/settings.ts reads them, and a test keeps the three in step.
 */
export const runtimeSettingNames = [
  'packages.install',
  'npm.path',
  'registries',
  'registry.minimumAgeDays',
  'run.timeoutSeconds',
  'run.memoryMb',
  'run.outputMb',
  'run.httpConcurrency',
  'run.idleSeconds',
  'http.bodyLimitKb',
  'http.uploadLimitMb',
  'retention.events',
  'retention.megabytes',
  'retention.days',
  'scheduled.events',
  'scheduled.megabytes',
  'delivery.concurrency',
  'smtp.url',
  'smtp.from',
  'smtp.to',
  's3.endpoint',
] as const;

/** Settings that a runtime takes as arguments of their own. */
export const runtimeArgumentNames = ['publicUrl', 'redirects'] as const;

/** The settings for a runtime of this folder: `name=value` for each setting that has a value. */
export function runtimeSettings(root: string | undefined): string[] {
  const settings = settingsOf(root);
  return runtimeSettingNames.flatMap((name) => {
    const value = settings.get<string | number | object>(name);
    if (value === undefined || value === '') return [];
    return [`${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`];
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

/** A runtime reads its settings when it starts: offers a restart when one of them is changed. */
export function watchRuntimeSettings(folders: {
  readonly all: readonly Folder[];
}): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(async (change) => {
    const isConnected = folders.all.some(
      ({ link, remote }) => link.client !== undefined && remote === undefined,
    );
    const isForRuntime = [...runtimeSettingNames, ...runtimeArgumentNames].some((name) =>
      change.affectsConfiguration(`weir.${name}`),
    );
    if (!isConnected || !isForRuntime) return;
    const restart = 'Restart Runtime';
    const chosen = await vscode.window.showInformationMessage(
      'The changed setting takes effect when the runtime is restarted.',
      restart,
    );
    if (chosen === restart) await vscode.commands.executeCommand('weir.runtime.restart');
  });
}

function settingsOf(root: string | undefined): vscode.WorkspaceConfiguration {
  const scope = root === undefined ? undefined : vscode.Uri.file(root);
  return vscode.workspace.getConfiguration('weir', scope);
}
