import * as vscode from 'vscode';

/**
 * A URL of this machine as the person's own machine reaches it: in a remote window that is a tunnel.
 * Asked for each time, never kept, because tunnels close.
 */
export async function externalUrl(url: string): Promise<string> {
  if (vscode.env.remoteName === undefined) return url;
  const external = await vscode.env.asExternalUri(vscode.Uri.parse(url, true));
  return external.toString(true);
}
