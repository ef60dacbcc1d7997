import path from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { WeirApi } from '../../../../src/extension/api.ts';
import { newMemory } from './memory.ts';
import { Disposable, Uri } from './values.ts';
import { world } from './vscode.ts';

export interface OpenWindow {
  readonly api: WeirApi;
  close(): void;
}

/** The extension in a window on these folders, activated as VS Code does it. */
export async function openWindow(...folders: string[]): Promise<OpenWindow> {
  world.workspace.folders = folders;
  const { activate } = await import('../../../../src/extension/extension.ts');
  const subscriptions: { dispose(): void }[] = [];
  const secrets = new Map<string, string>();
  const context = {
    subscriptions,
    extension: { packageJSON: packageJson },
    extensionUri: Uri.file(path.resolve('.')),
    globalStorageUri: Uri.file(path.join(folders[0] ?? '/nowhere', 'global')),
    asAbsolutePath: (file: string) => path.resolve(file),
    secrets: {
      get: (key: string) => Promise.resolve(secrets.get(key)),
      store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)),
    },
    workspaceState: newMemory(),
    globalState: newMemory(),
  };
  const api = activate(context as never);
  return { api, close: () => Disposable.from(...subscriptions).dispose() };
}
