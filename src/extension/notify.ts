import * as vscode from 'vscode';
import type { CallOptions } from '../client/connection.ts';
import { messageOf, WeirError } from '../protocol/errors.ts';

/** Shows one sentence and a way to the details; nothing for what the user cancelled. */
export function reportError(error: unknown, output: vscode.LogOutputChannel): void {
  if (WeirError.is(error, 'cancelled')) return;
  if (WeirError.is(error, 'trust_needed')) {
    // An answer, and no failure.
    void vscode.window.showInformationMessage(error.message);
    return;
  }
  output.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  void offerOutput(firstLine(messageOf(error)), output);
}

async function offerOutput(sentence: string, output: vscode.LogOutputChannel): Promise<void> {
  const show = 'Show Output';
  if ((await vscode.window.showErrorMessage(sentence, show)) === show) output.show(true);
}

/** Runs an operation the user started: visible, cancellable, with the progress the runtime reports. */
export function withProgress<T>(
  title: string,
  work: (options: Required<CallOptions>) => Promise<T>,
): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      return work({
        signal: abort.signal,
        progress: (message) => progress.report({ message }),
      });
    },
  );
}

/** Runs something short, with a progress bar above the rows of a view. */
export function inView<T>(
  work: () => Promise<T>,
  viewId: 'weir.sources' | 'weir.workflows' = 'weir.sources',
): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId } }, work);
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}
