import path from 'node:path';
import type * as vscode from 'vscode';
import type { Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import type { CommandContext } from '../commands/context.ts';
import { pickFile } from '../commands/pick-file.ts';
import { pickSource } from '../commands/pick-target.ts';
import { inspectVisibly } from '../component-files/inspect-visibly.ts';
import type { Folder } from '../connection/folder.ts';
import { runAction } from '../forms/run-task.ts';
import { isMissing, propsTask } from '../forms/source-tasks.ts';
import { reportError, withProgress } from '../notify.ts';
import { workflowFileOf } from '../workflows/workflow-files.ts';
import { launchWorkflow } from '../workflows/workflow-commands.ts';
import { startDebugger, type LaunchConfiguration } from './launch-configuration.ts';
import { readEventFile } from './run-choice.ts';
import { showWaitingHint } from './waiting-hint.ts';

/**
 * Puts a component under the debugger: a deployed source is updated to its file, a source that is not
 * deployed yet is deployed, an action is run once.
 * @returns the debugger's configuration; undefined when the user cancelled, or a form has opened
 */
export async function launch(
  context: CommandContext,
  wanted: LaunchConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  const workflow = wanted.workflow ?? (wanted.component && workflowFileOf(wanted.component));
  if (workflow !== undefined) return launchWorkflow(context, { ...wanted, workflow });
  if (wanted.source !== undefined) {
    const target = await pickSource(context, wanted.source, 'Debug Component');
    return target && debugSource(context, target.folder, target.source, wanted);
  }
  const file = await pickFile(context.folders, wanted.component);
  if (file === undefined) return undefined;
  const folder = context.folders.of(file);
  await folder.link.ready();
  if (folder.mirror.sources().some((source) => source.path === file)) {
    const target = await pickSource(context, file, 'Debug Component');
    return target && debugSource(context, folder, target.source, wanted);
  }
  return debugFile(context, folder, file, wanted.props ?? {});
}

async function debugSource(
  context: CommandContext,
  folder: Folder,
  source: Source,
  { event, isRun = false }: LaunchConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  const { id, name, path: file } = source;
  if (file !== null) await pickFile(context.folders, file);
  const input = typeof event === 'string' ? await readEventFile(event) : event;
  if (folder.remote !== undefined && file !== null) {
    const { debugHere } = await import('../remote/remote.ts');
    const given = input === undefined ? undefined : { event: input };
    // It begins a session of its own, when the user has chosen: this one is over.
    debugHere(context, folder, source, file, given).catch((error: unknown) =>
      reportError(error, context.output),
    );
    return undefined;
  }
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
    else if (!isRun) void showWaitingHint(source, context.clock.now());
  };
  return context.debug.begin(folder, id, name, start);
}

async function debugFile(
  context: CommandContext,
  folder: Folder,
  file: string,
  given: Values,
): Promise<vscode.DebugConfiguration | undefined> {
  const definition = await inspectVisibly(context, folder, file);
  const { name, type } = definition;
  if (type === 'app') {
    const base = path.basename(file);
    throw new WeirError('bad_component', `${base} is an app; debug a component that imports it.`);
  }
  if (definition.configurable_props.some((prop) => isMissing(prop, given))) {
    const debug = (props: Values): Promise<void> =>
      startDebugger({ name: `Debug ${name}`, component: file, props });
    context.forms.open(propsTask(context.tasks, folder, file, definition, 'Debug', debug));
    return undefined;
  }
  if (type === 'action') {
    return context.debug.beginFile(folder, file, name, () =>
      withProgress(`Running ${name}`, (options) =>
        runAction(context, folder, { file, name }, given, options),
      ),
    );
  }
  const client = await folder.link.ready();
  return context.debug.begin(folder, file, name, async () => {
    const source = await context.problems.during(file, () =>
      client.call('sources.deploy', {
        component_path: file,
        configured_props: given,
        debug: true,
      }),
    );
    void showWaitingHint(source, context.clock.now());
  });
}
