import * as vscode from 'vscode';

/**
 * A URL of this machine as the user's own machine reaches it: through a tunnel in a remote window.
 * To be asked for each time, because tunnels close.
 */
export async function externalUrl(url: string): Promise<string> {
  if (vscode.env.remoteName === undefined) return url;
  const external = await vscode.env.asExternalUri(vscode.Uri.parse(url, true));
  return external.toString(true);
}
