import * as vscode from 'vscode';
import { readRuntimeFile } from '../../client/runtime-file.ts';
import type { Folder } from '../connection/folder.ts';
import type { Folders } from '../connection/folders.ts';

/** As package.json contributes it. */
const providerId = 'weir.agents';
/** Path at which a runtime serves agents. */
const path = '/mcp';

/**
 * Offers the runtimes of this window to the editor's agents, as long as each runs (docs/agents.md). Nothing is
 * started for it: where nothing was deployed yet, there is nothing to offer.
 */
export function offerMcpServers(folders: Folders): vscode.Disposable {
  // Editors that are built from an older VS Code have no such servers.
  const { lm }: { readonly lm?: Partial<typeof vscode.lm> } = vscode;
  if (lm?.registerMcpServerDefinitionProvider === undefined) return { dispose: () => undefined };
  const offered = new WeakMap<vscode.McpServerDefinition, Folder>();
  return lm.registerMcpServerDefinitionProvider(providerId, {
    onDidChangeMcpServerDefinitions: folders.onDidChangeState,
    provideMcpServerDefinitions: () =>
      serving(folders).map(({ folder, url }) => {
        const label = folders.all.length > 1 ? `Weir: ${folder.name}` : 'Weir';
        const server = new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url + path));
        offered.set(server, folder);
        return server;
      }),
    // The key is given to who connects, not to who looks at a list.
    async resolveMcpServerDefinition(server: vscode.McpHttpServerDefinition) {
      const folder = offered.get(server);
      const runtime = folder && (await readRuntimeFile(folder.dataFolder));
      if (runtime === undefined) return undefined;
      server.uri = vscode.Uri.parse(runtime.url + path);
      server.headers = { authorization: `Bearer ${runtime.apiKey}` };
      return server;
    },
  });
}

/** Folders with a running runtime on this machine: an agent here must not get the key of a runtime elsewhere. */
function serving(folders: Folders): { readonly folder: Folder; readonly url: string }[] {
  if (!vscode.workspace.isTrusted) return [];
  return folders.all.flatMap((folder) => {
    const url = folder.remote === undefined ? folder.link.client?.url : undefined;
    return url === undefined ? [] : [{ folder, url }];
  });
}
