/** Whether the browser of a window comes back to the machine that its runtime is on. */
import * as vscode from 'vscode';
import type { RuntimeClient } from '../model/runtime-client.ts';

/** Whether the runtime is on another machine than the browser, as far as this is known before a tunnel is requested. */
export function isElsewhere({ isRemote }: Pick<RuntimeClient, 'isRemote'>): boolean {
  return isRemote || vscode.env.remoteName !== undefined;
}

/**
 * A remote window may have a tunnel from the very address that the app knows. What asks for it opens it.
 * @param back where the browser is sent to when its user is done
 */
export async function comesBack(
  client: Pick<RuntimeClient, 'isRemote'>,
  back: string,
): Promise<boolean> {
  if (!isElsewhere(client)) return true;
  if (client.isRemote) return false;
  try {
    const external = await vscode.env.asExternalUri(vscode.Uri.parse(back, true));
    return isSameAddress(new URL(external.toString(true)), new URL(back));
  } catch {
    return false;
  }
}

function isSameAddress(one: URL, other: URL): boolean {
  const isLoopback = ['localhost', '127.0.0.1'].includes(one.hostname);
  return isLoopback && one.port === other.port && one.pathname === other.pathname;
}
