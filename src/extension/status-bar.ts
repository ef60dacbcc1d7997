import * as vscode from 'vscode';
import type { Folders } from './connection/folders.ts';

/** The measured state of the runtime, hidden while there is none and nothing to say. */
export function createStatusBar(folders: Folders): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('weir.status', vscode.StatusBarAlignment.Left);
  item.name = 'Weir';
  const show = (): void => {
    const sources = folders.all.flatMap((folder) => folder.mirror.sources());
    const running = sources.filter((one) => one.last_invocation?.status === 'running').length;
    const failure = folders.all.map((folder) => folder.link.failure).find(Boolean);
    item.tooltip = tooltip(folders);
    item.backgroundColor = undefined;
    item.command = 'weir.sources.focus';
    switch (folders.state) {
      case 'idle':
        item.hide();
        return;
      case 'starting':
        item.text = '$(loading~spin) Weir';
        break;
      case 'ready':
        item.text = `$(pulse) Weir${running > 0 ? `: ${running} running` : counted(sources.length)}`;
        break;
      case 'stopped':
        item.text = '$(circle-slash) Weir: stopped';
        break;
      case 'failed':
        item.text = '$(error) Weir: failed';
        item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
        item.command = 'weir.showOutput';
        break;
    }
    item.accessibilityInformation = { label: `Weir runtime: ${folders.state}. ${failure ?? ''}` };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    folders.onDidChangeState(show),
    folders.onDidChange(({ touched }) => {
      if (touched.sourceList || touched.sources.size > 0) show();
    }),
  );
}

function tooltip(folders: Folders): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = {
    enabledCommands: ['weir.runtime.restart', 'weir.runtime.stop', 'weir.showOutput'],
  };
  for (const { name, link } of folders.all) {
    text.appendText(
      `${name}: ${link.state}${link.client === undefined ? '' : ` at ${link.client.url}`}`,
    );
    if (link.failure !== undefined) text.appendMarkdown('\n\n').appendText(link.failure);
    text.appendMarkdown('\n\n');
  }
  return text.appendMarkdown(
    '[Restart](command:weir.runtime.restart) · [Stop](command:weir.runtime.stop) · [Show Output](command:weir.showOutput)',
  );
}

function counted(sources: number): string {
  if (sources === 0) return '';
  return sources === 1 ? ': 1 source' : `: ${sources} sources`;
}
