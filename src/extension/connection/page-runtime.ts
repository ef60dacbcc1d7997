import * as vscode from 'vscode';
import type { PageRuntime, RuntimeMessage } from '../../webview/shared/page-runtime.ts';
import type { Folder } from './folder.ts';
import type { Folders } from './folders.ts';
import { runtimeName, shownElsewhere } from './runtime-identity.ts';

/** The runtime that a page shows. */
export function pageRuntime(
  folder: Pick<Folder, 'remote' | 'isCurrent'> & {
    readonly link: Pick<Folder['link'], 'state' | 'failure'>;
  },
): PageRuntime {
  const { remote } = folder;
  return { name: remote ?? 'Local', isLocal: remote === undefined, problem: problemOf(folder) };
}

function problemOf({ remote, isCurrent, link }: Parameters<typeof pageRuntime>[0]): string | null {
  if (!isCurrent) return shownElsewhere({ remote });
  const name = runtimeName({ remote });
  const { state, failure } = link;
  switch (state) {
    case 'idle':
    case 'ready':
      return null;
    case 'stopped':
      return `This page shows ${name}, which is not connected. Run Weir: Restart Runtime to act.`;
    case 'starting':
      // While the first connection is being made, the page has no banner.
      return failure === undefined
        ? null
        : `This page shows ${name}, which is not connected: ${sentence(failure)} Weir keeps trying to connect.`;
    case 'failed':
      return `This page shows ${name}, which is not connected: ${sentence(failure ?? '')}`;
    default:
      return state satisfies never;
  }
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Keeps a page's bar and banner about its runtime up to date until it is closed. */
export function bindPage(
  panel: vscode.WebviewPanel,
  folders: Pick<Folders, 'onDidChangeState'>,
  folder: Folder,
): void {
  const post = (): void => {
    const message: RuntimeMessage = { t: 'runtime', runtime: pageRuntime(folder) };
    void panel.webview.postMessage(message);
  };
  const bound = vscode.Disposable.from(
    folders.onDidChangeState(post),
    // A page comes back without anything after it was hidden, and says so.
    panel.webview.onDidReceiveMessage((sent: unknown) => {
      const isReady =
        typeof sent === 'object' && sent !== null && 't' in sent && sent.t === 'ready';
      if (isReady) post();
    }),
  );
  panel.onDidDispose(() => bound.dispose());
}
