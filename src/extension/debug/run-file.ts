import path from 'node:path';
import * as vscode from 'vscode';
import { WeirError } from '../../protocol/errors.ts';
import type { CommandContext } from '../commands/context.ts';
import { pickFile } from '../commands/pick-file.ts';
import { withProgress } from '../notify.ts';
import { activeComponent } from './component-editor.ts';
import { isMissing, propsTask } from './debug-task.ts';
import { dryRun } from './dry-run.ts';
import type { Props } from './launch-configuration.ts';
import { chooseInput, chooseManner } from './run-choice.ts';

/** The component file a command is about, when no source is deployed from it. */
export async function undeployedFile(
  { folders }: CommandContext,
  arg: unknown,
): Promise<string | undefined> {
  const file = fileOf(arg);
  if (file === undefined) return undefined;
  const folder = folders.of(file);
  await folder.link.ready();
  return folder.mirror.sources().some((source) => source.path === file) ? undefined : file;
}

function fileOf(arg: unknown): string | undefined {
  if (arg === undefined) return activeComponent();
  if (arg instanceof vscode.Uri) return arg.fsPath;
  return typeof arg === 'string' && path.isAbsolute(arg) ? arg : undefined;
}

/** A source that is not deployed can only be run dry: there is nothing its events could belong to. */
export async function runFile(
  context: CommandContext,
  file: string,
  command: string,
): Promise<void> {
  await pickFile(file);
  const folder = context.folders.of(file);
  const client = await folder.link.ready();
  const definition = await withProgress(`Reading ${path.basename(file)}`, (signal, progress) =>
    context.problems.during(file, () =>
      client.call('components.inspect', { component_path: file }, { signal, progress }),
    ),
  );
  const { name, type, configurable_props, sample_emit: sample } = definition;
  if (type !== 'source') {
    const instead =
      type === 'action' ? 'an action, which takes no event; run or debug it' : 'an app';
    throw new WeirError('bad_component', `${path.basename(file)} is ${instead}.`);
  }
  const title = `${command}: ${name}`;
  const input = await chooseInput(title, folder, { runs: [], sample });
  const manner = input && (await chooseManner(title, { deployed: false }));
  if (input === undefined || manner === undefined) return;
  const go = (props: Props): Promise<void> =>
    dryRun(context, { folder, name, file, props }, input, manner.debug);
  if (configurable_props.some((prop) => isMissing(prop, {}))) {
    context.forms.open(propsTask(context, folder, file, definition, 'Dry Run', go));
  } else {
    await go({});
  }
}
