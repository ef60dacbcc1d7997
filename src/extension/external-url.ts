import * as vscode from 'vscode';

/** How a URL of this machine is written for one place, and which place that is. */
interface Address extends vscode.QuickPickItem {
  readonly url: string;
}

/**
 * A URL of this machine as the user's own machine reaches it: through a tunnel or a proxy in a remote window.
 * To be asked for each time, because tunnels close.
 */
export async function externalUrl(url: string): Promise<string> {
  if (vscode.env.remoteName === undefined) return url;
  const external = await vscode.env.asExternalUri(vscode.Uri.parse(url, true));
  return external.toString(true);
}

/**
 * If the local and the public address differ, which one works depends on where it is pasted, so the user chooses: the
 * proxy of an editor in the browser may need its cookie, and elsewhere `127.0.0.1` means another machine.
 * @param title of the question
 * @returns undefined if the user cancelled
 */
export async function chooseAddress(url: string, title: string): Promise<string | undefined> {
  const external = await externalUrl(url);
  if (external === url) return url;
  const here: Address = {
    label: '$(terminal) For the machine that runs Weir',
    description: 'the terminal of this window',
    detail: url,
    url,
  };
  const there: Address = {
    label: '$(browser) For your own browser',
    description: 'through the proxy of this editor',
    detail: external,
    url: external,
  };
  return (await vscode.window.showQuickPick([here, there], { title }))?.url;
}
