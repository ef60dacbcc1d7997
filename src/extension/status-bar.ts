import * as vscode from 'vscode';
import type { Source } from '../protocol/catalogue.ts';
import type { Folder } from './connection/folder.ts';
import type { Folders } from './connection/folders.ts';
import { countOf } from './count-of.ts';
import type { SeenRuns } from './runs/seen-runs.ts';
import { outcomeOf } from './views/invocation-line.ts';
import { isFailing } from './views/source-line.ts';

/** Shows the measured state of the runtime; hidden while none was ever needed. */
export function createStatusBar(folders: Folders, seen: SeenRuns): vscode.Disposable {
  const failingOf = (folder: Folder): readonly Source[] =>
    folder.mirror.sources().filter((one) => isFailing(one, seen.unseen(folder, one).length));
  const item = vscode.window.createStatusBarItem('weir.status', vscode.StatusBarAlignment.Left);
  item.name = 'Weir';
  const show = (): void => {
    const failure = folders.all.map((folder) => folder.link.failure).find(Boolean);
    const failing = folders.all.flatMap(failingOf).length;
    const { text, isBad } = labelOf(folders, failing);
    item.text = text;
    item.tooltip = tooltip(folders, failingOf);
    item.backgroundColor = isBad
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : undefined;
    item.command = isBad
      ? 'weir.showOutput'
      : failing > 0
        ? 'weir.showFailedRuns'
        : 'weir.sources.focus';
    const failed = failing === 0 ? '' : `Runs of ${countOf(failing, 'source')} failed.`;
    item.accessibilityInformation = {
      label: `Weir runtime: ${folders.state}. ${failure ?? failed}`,
    };
    if (folders.state === 'idle') item.hide();
    else item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    createRuntimeSwitch(folders),
    folders.onDidChangeState(show),
    folders.onDidMeasure(show),
    seen.onDidChange.on(show),
    folders.onDidChange(({ touched }) => {
      if (touched.emitterList || touched.workflowList || touched.emitters.size > 0) show();
    }),
  );
}

/** Says which runtime is used and leads to the others; hidden while none on another machine is known. */
function createRuntimeSwitch(folders: Folders): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('weir.runtime', vscode.StatusBarAlignment.Left);
  item.name = 'Weir Runtime';
  item.command = 'weir.runtime.switch';
  const show = (): void => {
    const used = [...new Set(folders.all.map(({ remote }) => remote))];
    const [only] = used;
    item.text = used.length > 1 ? '$(server) Several Runtimes' : `$(server) ${only ?? 'Local'}`;
    item.tooltip = folders.all
      .map(({ name, remote }) => `${name}: ${remote ?? 'the local runtime'}`)
      .join('\n');
    const isKnown = folders.all.some(({ dataFolder }) => folders.runtimes.hasAny(dataFolder));
    if (isKnown) item.show();
    else item.hide();
  };
  show();
  return vscode.Disposable.from(item, folders.onDidChangeState(show));
}

function labelOf(
  folders: Folders,
  failing: number,
): { readonly text: string; readonly isBad: boolean } {
  const isRemote = folders.all.some(({ link, remote }) => {
    return remote !== undefined && link.state === folders.state;
  });
  switch (folders.state) {
    case 'starting': {
      const what = isRemote ? 'connecting' : 'starting';
      return { text: `$(loading~spin) Weir: ${what}`, isBad: false };
    }
    case 'stopped':
      return { text: '$(circle-slash) Weir: stopped', isBad: false };
    case 'failed':
      return {
        text: isRemote ? '$(debug-disconnect) Weir: no connection' : '$(error) Weir: failed',
        isBad: true,
      };
    case 'idle':
    case 'ready':
      return folders.all.some(({ health }) => health.isLate)
        ? { text: '$(warning) Weir: not answering', isBad: true }
        : { text: activityOf(folders, failing), isBad: false };
  }
}

function activityOf(folders: Folders, failing: number): string {
  const sources = folders.all.flatMap((folder) => folder.mirror.sources());
  const running = sources.filter((one) => one.last_invocation?.status === 'running').length;
  if (failing > 0) return `$(error) Weir: ${failing} failed`;
  if (running > 0) return `$(pulse) Weir: ${running} running`;
  const workflows = folders.all.reduce((sum, { mirror }) => sum + mirror.workflows().length, 0);
  const deployed = [
    ...(sources.length === 0 ? [] : [countOf(sources.length, 'source')]),
    ...(workflows === 0 ? [] : [countOf(workflows, 'workflow')]),
  ];
  return ['$(pulse) Weir', ...(deployed.length === 0 ? [] : [deployed.join(', ')])].join(': ');
}

const links = [
  '[Restart](command:weir.runtime.restart)',
  '[Stop](command:weir.runtime.stop)',
  '[Show Output](command:weir.showOutput)',
  '[Settings](command:workbench.action.openSettings?%22weir.%22)',
].join(' · ');

function tooltip(
  folders: Folders,
  failingOf: (folder: Folder) => readonly Source[],
): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = {
    enabledCommands: [
      'weir.runtime.restart',
      'weir.runtime.stop',
      'weir.showOutput',
      'workbench.action.openSettings',
    ],
  };
  for (const folder of folders.all) {
    text.appendText(stateOf(folder));
    const { link, mirror } = folder;
    const { failure } = link;
    if (failure !== undefined) text.appendMarkdown('\n\n').appendText(failure);
    text.appendMarkdown('\n\n');
    for (const { id, name } of failingOf(folder)) {
      const [last] = mirror.failures(id);
      const why = last === undefined ? 'failed' : outcomeOf(last);
      text.appendMarkdown('$(error) ').appendText(`${name}: ${why}`).appendMarkdown('\n\n');
    }
  }
  return text.appendMarkdown(links);
}

function stateOf({ name, link, health }: Folder): string {
  if (link.client === undefined) return `${name}: ${link.state}`;
  if (health.isLate) return `${name}: the runtime at ${link.client.url} does not answer`;
  const answered =
    health.answeredInMs === undefined ? '' : `, answers in ${health.answeredInMs} ms`;
  return `${name}: ${link.client.url}${answered}`;
}
