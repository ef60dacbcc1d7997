import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { CommandContext } from '../commands/context.ts';
import { confirm } from '../commands/confirm.ts';
import type { Folder } from '../connection/folder.ts';
import { askRuntime, type GivenRuntime } from './ask-runtime.ts';
import { openRemote } from './open-remote.ts';
import { nameOf, type RemoteRuntime } from './runtimes.ts';

/** Asks for the address and a key of a runtime on another machine, tries them, and uses it for the folder. */
export async function connectToRuntime({ folders }: CommandContext): Promise<void> {
  const title = 'Connect to Runtime';
  const folder = await pickFolder(folders.all, title);
  if (folder === undefined) return;
  const known = await folders.runtimes.list(folder.dataFolder);
  const runtimeOf = ({ url, key }: GivenRuntime): RemoteRuntime => {
    const taken = known.filter((one) => one.url !== url).map(({ name }) => name);
    return { name: nameOf(url, taken), url, key };
  };
  const given = await askRuntime(async (tried) => {
    const client = await openRemote(runtimeOf(tried), folder.projectRoot, vscode.env.machineId);
    client.close();
  });
  if (given === undefined) return;
  const runtime = runtimeOf(given);
  await folders.runtimes.add(folder.dataFolder, runtime);
  await folders.use(folder, runtime.name);
}

interface Row extends vscode.QuickPickItem {
  readonly act?: () => Promise<unknown>;
  readonly runtime?: RemoteRuntime;
}

const forget: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: 'Forget This Runtime and Its Key',
};

/** Chooses among the folder's own runtime and those on other machines that it knows. */
export async function switchRuntime(context: CommandContext): Promise<void> {
  const { folders } = context;
  const folder = await pickFolder(folders.all, 'Switch Runtime');
  if (folder === undefined) return;
  const known = await folders.runtimes.list(folder.dataFolder);
  const chosen = folders.runtimes.chosen(folder.dataFolder);
  const mark = (isChosen: boolean): string => (isChosen ? '$(check)' : '$(blank)');
  const rows: Row[] = [
    {
      label: `${mark(chosen === undefined)} Local`,
      description: 'on this machine, while a window is open',
      act: () => folders.use(folder, undefined),
    },
    ...known.map((runtime) => ({
      label: `${mark(chosen === runtime.name)} ${runtime.name}`,
      description: runtime.url,
      buttons: [forget],
      runtime,
      act: () => folders.use(folder, runtime.name),
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: '$(add) Connect to Another…', act: () => connectToRuntime(context) },
  ];
  const picked = await pickRow('Switch Runtime', rows);
  if (picked?.forget === undefined) {
    await picked?.row.act?.();
    return;
  }
  const { name } = picked.forget;
  const isSure = await confirm(
    `Forget ${name} and its key?`,
    'What is deployed there stays and goes on. To take the key away from everybody, remove it there with weir keys remove.',
    'Forget',
  );
  if (!isSure) return;
  await folders.runtimes.forget(folder.dataFolder, name);
  if (chosen === name) await folders.use(folder, undefined);
  folders.chosenChanged();
}

function pickRow(
  title: string,
  rows: readonly Row[],
): Promise<{ readonly row: Row; readonly forget?: RemoteRuntime } | undefined> {
  const picker = vscode.window.createQuickPick<Row>();
  picker.title = title;
  picker.items = rows;
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [row] = picker.selectedItems;
      resolve(row && { row });
      picker.hide();
    });
    picker.onDidTriggerItemButton(({ item }) => {
      resolve({ row: item, ...(item.runtime && { forget: item.runtime }) });
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

async function pickFolder(all: readonly Folder[], title: string): Promise<Folder | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new WeirError('conflict', 'Weir connects to nothing until you trust this workspace.');
  }
  if (all.length === 1) return all[0];
  const rows = all.map((folder) => ({ label: folder.name, folder }));
  return (await vscode.window.showQuickPick(rows, { title: `${title}: of which folder?` }))?.folder;
}
