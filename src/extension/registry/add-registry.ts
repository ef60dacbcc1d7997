/** *Weir: Add Registry*, and the ways to it from a list without a component. */
import * as vscode from 'vscode';
import { publicComponents } from '../../protocol/missing-components.ts';
import type { Command } from '../commands/context.ts';
import { withProgress } from '../notify.ts';

export interface RegistryWay extends vscode.QuickPickItem {
  /** The place of the registry; undefined for one that is asked for. */
  readonly adds: { readonly place: string | undefined };
}

/** Registries for a user who has none yet, the platform's own first. */
export const registryWays: readonly RegistryWay[] = [
  {
    label: "$(cloud-download) Add Pipedream's Public Components",
    description: publicComponents.place,
    detail: publicComponents.license,
    alwaysShow: true,
    adds: { place: publicComponents.place },
  },
  {
    label: '$(add) Add Registry…',
    description: 'a git repository, a folder, or npm',
    alwaysShow: true,
    adds: { place: undefined },
  },
];

export const addRegistry: Command = async (context, arg) => {
  const folder = context.folders.first;
  const place = typeof arg === 'string' ? arg : await askPlace();
  if (place === undefined || place.trim() === '') return;
  const client = await folder.link.ready();
  const { name } = await withProgress(`Looking at ${place}`, (options) =>
    client.call('registries.add', { place: place.trim() }, options),
  );
  await vscode.commands.executeCommand('weir.browseComponents', `@registry:${name}`);
};

function askPlace(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Add Registry',
    prompt:
      'URL of a git repository, github:owner/repo, or a folder. It is written into weir/registries.json.',
    ignoreFocusOut: true,
  });
}
