import path from 'node:path';
import * as vscode from 'vscode';
import { isAsked } from '../../protocol/definition.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Source } from '../../protocol/catalogue.ts';
import { inspectVisibly } from '../component-files/inspect-visibly.ts';
import type { Folder } from '../connection/folder.ts';
import { failureOf } from '../forms/failure.ts';
import { requireAction, runAction as run, runTask } from '../forms/run-task.ts';
import {
  configureTask,
  deployTask,
  needsForm,
  requireSource,
  updateTask,
} from '../forms/source-tasks.ts';
import { withProgress } from '../notify.ts';
import type { Command } from './context.ts';
import { activeComponent, pickFile } from './pick-file.ts';
import { sourceItem } from './pick-items.ts';
import { pickSource } from './pick-target.ts';

/** Reads a component and deploys it; one with props to fill in gets a form first. */
export const deploy: Command = async (context, arg) => {
  const file = await pickFile(context.folders, arg);
  if (file === undefined) return;
  const folder = context.folders.of(file);
  const instead = await chooseUpdate(folder, file);
  if (instead === undefined) return;
  if (instead !== 'deploy') return update(context, instead.id);
  const definition = await inspectVisibly(context, folder, file);
  requireSource(file, definition);
  const task = deployTask(context.tasks, folder, file, { definition });
  if (needsForm(definition.configurable_props)) return context.forms.open(task);
  await withProgress(`Deploying ${definition.name}`, (options) => task.submit({}, {}, options));
};

/**
 * For a file that is deployed already, the user most likely wants another state of the same source.
 * @returns the source to update, or undefined if the user cancelled
 */
async function chooseUpdate(folder: Folder, file: string): Promise<Source | 'deploy' | undefined> {
  await folder.link.ready();
  const deployed = folder.mirror.sources().filter(({ path: from }) => from === file);
  if (deployed.length === 0) return 'deploy';
  const items = [
    ...deployed.map((source) => ({
      label: `$(sync) Update ${source.name}`,
      description: sourceItem(source, undefined).description,
      detail: 'Keeps its endpoint, its state and its events.',
      answer: source,
    })),
    {
      label: '$(cloud-upload) Deploy Another Source',
      detail: 'With an endpoint, state and events of its own.',
      answer: 'deploy' as const,
    },
  ];
  const title = `${path.basename(file)} Is Deployed Already`;
  return (await vscode.window.showQuickPick(items, { title }))?.answer;
}

/** Brings the code of a deployed source up to its file; a form asks for props that have become required. */
export const update: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Update Source', hasFile);
  if (target === undefined) return;
  const file = await pickFile(context.folders, target.source.path ?? undefined);
  if (file === undefined) return;
  const { folder, source } = target;
  const form = (problems = {}) => updateTask(context.tasks, folder, source, file, problems);
  try {
    await withProgress(`Updating ${source.name}`, (options) => form().submit({}, {}, options));
  } catch (error) {
    // The runtime checks the props before it changes anything, so it knows best what is missing.
    const { problems } = failureOf(error);
    if (!WeirError.is(error, 'bad_input') || Object.keys(problems).length === 0) throw error;
    context.forms.open(form(problems));
  }
};

/** A form with the present values. */
export const configure: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Configure Source');
  if (target === undefined) return;
  const { folder, source } = target;
  if (!source.configurable_props.some(isAsked)) {
    throw new WeirError('bad_input', `${source.name} has no props to configure.`);
  }
  context.forms.open(configureTask(context.tasks, folder, source));
};

/** Starts dev mode for a source; stops it where it is on. */
export const dev: Command = async (context, arg) => {
  const target = await pickSource(context, arg, 'Dev Mode', hasFile);
  if (target === undefined) return;
  const { folder, source } = target;
  if (context.dev.followed.has(source.id)) return context.dev.stop(source.id);
  const file = await pickFile(context.folders, source.path ?? undefined);
  if (file !== undefined) await context.dev.start(folder, source.id, file);
};

/** Runs an action once; one with props to fill in gets a form first. */
export const runAction: Command = async (context, arg) => {
  const file = await pickFile(context.folders, arg ?? activeComponent(), 'Run Action', 'action');
  if (file === undefined) return;
  const folder = context.folders.of(file);
  const definition = await inspectVisibly(context, folder, file);
  requireAction(file, definition);
  if (needsForm(definition.configurable_props)) {
    return context.forms.open(runTask(context, folder, file, definition));
  }
  const { name } = definition;
  await withProgress(`Running ${name}`, (options) =>
    run(context, folder, { file, name }, {}, options),
  );
};

function hasFile({ path: file }: Source): boolean {
  return file !== null;
}
