import * as vscode from 'vscode';

/** How often relative times are painted anew, in ms. */
const intervalMs = 10_000;

/** Calls `act` every ten seconds while a view can be seen, and never else. */
export function whileVisible(
  view: { readonly visible: boolean; onDidChangeVisibility: vscode.Event<{ visible: boolean }> },
  act: () => void,
): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const set = (visible: boolean): void => {
    clearInterval(timer);
    timer = visible ? setInterval(act, intervalMs) : undefined;
  };
  set(view.visible);
  const listening = view.onDidChangeVisibility(({ visible }) => set(visible));
  return new vscode.Disposable(() => {
    listening.dispose();
    clearInterval(timer);
  });
}
