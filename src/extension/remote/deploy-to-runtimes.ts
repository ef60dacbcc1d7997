import path from 'node:path';
import * as vscode from 'vscode';
import { allPages } from '../../client/pages.ts';
import { messageOf, WeirError } from '../../protocol/errors.ts';
import type { CommandContext } from '../commands/context.ts';
import { pickFile } from '../commands/pick-file.ts';
import type { Folder } from '../connection/folder.ts';
import type { RuntimeClient } from '../model/runtime-client.ts';
import { withProgress } from '../notify.ts';
import { workflowFileOf } from '../workflows/workflow-files.ts';
import { openRemote } from './open-remote.ts';
import type { RemoteRuntime } from './runtimes.ts';

/**
 * Deploys the component or workflow that is edited to several runtimes, or brings it up to its file where it is deployed.
 * Values of props are each runtime's own: a source that needs some is deployed there by its form first.
 */
export async function deployToRuntimes(context: CommandContext, arg: unknown): Promise<void> {
  const title = 'Deploy to Runtimes';
  const edited = arg instanceof vscode.Uri ? arg : vscode.window.activeTextEditor?.document.uri;
  const workflow = edited?.scheme === 'file' ? workflowFileOf(edited.fsPath) : undefined;
  const file = workflow ?? (await pickFile(context.folders, edited?.fsPath));
  if (file === undefined) return;
  const folder = context.folders.of(file);
  const chosen = await chooseRuntimes(context, folder, title);
  if (chosen === undefined || chosen.length === 0) return;
  const failures = await withProgress(
    `Deploying ${path.basename(workflow === undefined ? file : path.dirname(file))}`,
    async ({ signal, progress }) => {
      const failed: string[] = [];
      for (const runtime of chosen) {
        if (signal.aborted) throw new WeirError('cancelled', 'Cancelled.');
        progress(runtime?.name ?? 'Local');
        try {
          await deployTo(folder, runtime, (client) =>
            workflow === undefined
              ? deployComponent(client, file)
              : client.call('workflows.deploy', { workflow_path: workflow }, { signal }),
          );
        } catch (error) {
          failed.push(`${runtime?.name ?? 'Local'}: ${messageOf(error)}`);
        }
      }
      return failed;
    },
  );
  const done = chosen.length - failures.length;
  if (failures.length > 0) {
    throw new WeirError(
      'conflict',
      `Deployed to ${done} of ${chosen.length}. ${failures.join(' ')}`,
    );
  }
  vscode.window.setStatusBarMessage(`$(check) Deployed to ${done} of ${chosen.length}`, 5000);
}

/** Undefined means the folder's own runtime. */
async function chooseRuntimes(
  { folders }: CommandContext,
  folder: Folder,
  title: string,
): Promise<readonly (RemoteRuntime | undefined)[] | undefined> {
  const known = await folders.runtimes.list(folder.dataFolder);
  if (known.length === 0) {
    throw new WeirError(
      'not_found',
      'No other runtime is known here: run Weir: Connect to Runtime… first.',
    );
  }
  const used = folders.runtimes.chosen(folder.dataFolder);
  const rows = [undefined, ...known].map((runtime) => ({
    label: runtime?.name ?? 'Local',
    ...(runtime && { description: runtime.url }),
    picked: runtime?.name === used,
    runtime,
  }));
  const picked = await vscode.window.showQuickPick(rows, { title, canPickMany: true });
  return picked?.map(({ runtime }) => runtime);
}

async function deployTo(
  folder: Folder,
  runtime: RemoteRuntime | undefined,
  deploy: (client: RuntimeClient) => Promise<unknown>,
): Promise<void> {
  const client =
    runtime === undefined
      ? await folder.openLocal()
      : await openRemote(runtime, folder.projectRoot, vscode.env.machineId);
  try {
    await deploy(client);
  } finally {
    client.close();
  }
}

async function deployComponent(client: RuntimeClient, file: string): Promise<void> {
  const sources = await allPages((page) => client.call('sources.list', page));
  const deployed = sources.filter((source) => source.path === file);
  if (deployed.length === 0) await client.call('sources.deploy', { component_path: file });
  for (const { id } of deployed) await client.call('sources.update', { id, component_path: file });
}
