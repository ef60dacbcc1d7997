import path from 'node:path';
import type * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import type { CommandContext } from '../commands/context.ts';
import { pickFile } from '../commands/pick-file.ts';
import { pickSource } from '../commands/pick-target.ts';
import type { Folder } from '../connection/folder.ts';
import { isMissing, propsTask } from '../forms/source-tasks.ts';
import { reportError, withProgress } from '../notify.ts';
import { startDebugger, type LaunchConfiguration } from './launch-configuration.ts';
import { readEventFile } from './run-choice.ts';

/**
 * Puts a component under the debugger: a deployed source is updated to its file, a source that is not
 * deployed yet is deployed, an action is run once.
 * @returns the debugger's configuration; undefined when the user cancelled, or a form has opened
 */
export async function launch(
  context: CommandContext,
  wanted: LaunchConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  if (wanted.source !== undefined) {
    const target = await pickSource(context, wanted.source, 'Debug Component');
    return target && debugSource(context, target.folder, target.source, wanted.event);
  }
  const file = await pickFile(wanted.component);
  if (file === undefined) return undefined;
  const folder = context.folders.of(file);
  await folder.link.ready();
  if (folder.mirror.sources().some((source) => source.path === file)) {
    const target = await pickSource(context, file, 'Debug Component');
    return target && debugSource(context, folder, target.source, wanted.event);
  }
  return debugFile(context, folder, file, wanted.props ?? {});
}

async function debugSource(
  context: CommandContext,
  folder: Folder,
  source: Source,
  event: unknown,
): Promise<vscode.DebugConfiguration> {
  const { id, name, path: file } = source;
  if (file !== null) await pickFile(file);
  const input = typeof event === 'string' ? await readEventFile(event) : event;
  const client = await folder.link.ready();
  const load = (): Promise<unknown> =>
    file === null
      ? client.call('debug.start', { id })
      : context.problems.during(file, () =>
          client.call('sources.update', { id, component_path: file, debug: true }),
        );
  const start = async (): Promise<void> => {
    await load();
    if (input !== undefined) await client.call('sources.invoke', { id, event: input });
  };
  return context.debug.begin(folder, id, name, () => background(context, start()));
}

async function debugFile(
  context: CommandContext,
  folder: Folder,
  file: string,
  given: Values,
): Promise<vscode.DebugConfiguration | undefined> {
  const client = await folder.link.ready();
  const name = path.basename(file);
  const definition = await withProgress(`Reading ${name}`, (signal, progress) =>
    context.problems.during(file, () =>
      client.call('components.inspect', { component_path: file }, { signal, progress }),
    ),
  );
  if (definition.type === 'app') {
    throw new WeirError('bad_component', `${name} is an app; debug a component that imports it.`);
  }
  if (definition.configurable_props.some((prop) => isMissing(prop, given))) {
    const debug = (props: Values): Promise<void> =>
      startDebugger({ name: `Debug ${definition.name}`, component: file, props });
    context.forms.open(propsTask(context.tasks, folder, file, definition, 'Debug', debug));
    return undefined;
  }
  const component = { component_path: file, configured_props: given };
  const call =
    definition.type === 'action'
      ? () => runAction(context, folder, definition.name, component)
      : () =>
          context.problems.during(file, () =>
            client.call('sources.deploy', { ...component, debug: true }),
          );
  return context.debug.begin(folder, file, definition.name, () => background(context, call()));
}

/** Runs it once, under the debugger, and shows the result. */
async function runAction(
  context: CommandContext,
  folder: Folder,
  name: string,
  component: { readonly component_path: string; readonly configured_props: Values },
): Promise<void> {
  const client = await folder.link.ready();
  await client.call('debug.start', { id: component.component_path });
  try {
    await context.results.show(`Run of ${name}`, await client.call('actions.run', component));
  } finally {
    await context.debug.end(folder, component.component_path);
  }
}

/**
 * The call ends when the component is loaded or has run, long after the debugger has attached: errors
 * are reported here, because nobody waits for them any more.
 */
async function background(context: CommandContext, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    reportError(error, context.output);
    throw new WeirError('cancelled', 'Reported already.', undefined, error);
  }
}
