import path from 'node:path';
import * as vscode from 'vscode';
import type { CallOptions } from '../../client/connection.ts';
import type { Invocation, Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import { kindOf } from '../../protocol/ids.ts';
import type { Values } from '../../webview/prop-form/messages.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { activeComponent, pickFile } from '../commands/pick-file.ts';
import { runOfDocument, type RunTarget } from '../commands/invocation-commands.ts';
import { pickSource } from '../commands/pick-target.ts';
import { reportRun } from '../commands/report-run.ts';
import { inspectVisibly } from '../component-files/inspect-visibly.ts';
import type { Folder } from '../connection/folder.ts';
import { isMissing, propsTask } from '../forms/source-tasks.ts';
import { inView } from '../notify.ts';
import { isNode } from '../views/nodes.ts';
import { dryRun } from './dry-run.ts';
import { loadDebugger } from './load-debugger.ts';
import { startDebugger } from './launch-configuration.ts';
import { chooseInput, chooseMode, type Input, type RunMode } from './run-choice.ts';

const runTitle = 'Run with Event';
const replayTitle = 'Replay';

/** Debugs a source of the tree or a lens, a lens's file, else the component in the active editor. */
export const debug: Command = async (context, arg) => {
  if (isNode(arg, 'source')) {
    const { id, name } = arg.source;
    return startDebugger({ name: `Debug ${name}`, source: id });
  }
  if (typeof arg === 'string' && kindOf(arg) === 'source') {
    return startDebugger({ name: 'Debug component', source: arg });
  }
  const component = await pickFile(context.folders, arg ?? activeComponent(), 'Debug Component');
  if (component === undefined) return;
  getReady(context.folders.of(component));
  await startDebugger({ name: 'Debug component', component });
};

/**
 * The first time in a window VS Code itself takes half a second and more before it asks for the configuration. What
 * that waits for, a runtime and the JavaScript debugger, starts meanwhile.
 */
function getReady({ link }: Folder): void {
  // The caller that needs the configuration gets the reason of the failure.
  link.ready().catch(() => undefined);
  loadDebugger();
}

/** Asks what a source runs with, and how: for real or dry, under the debugger or not. */
export const runWithEvent: Command = async (context, arg) => {
  const file = await undeployedFile(context, arg);
  if (file !== undefined) return runFile(context, file);
  const target = await pickSource(context, arg, runTitle);
  if (target === undefined) return;
  const { folder, source } = target;
  const client = await folder.link.ready();
  const { data: runs } = await client.call('invocations.list', { id: source.id, limit: 30 });
  const sample =
    source.path === null
      ? undefined
      : (await inspectVisibly(context, folder, source.path)).sample_emit;
  const title = `${runTitle}: ${source.name}`;
  const input = await chooseInput(title, folder, { runs, sample }, context.clock.now());
  if (input !== undefined) await runWith(context, folder, source, input, title);
};

/** Runs the trigger of a past run again, as it was received: that of a run's row or of an event's run. */
export const replay: Command = async (context, arg) => {
  const run = await pickRun(context, arg, replayTitle);
  if (run === undefined) return;
  const { source, input } = again(run);
  await runWith(context, run.folder, source, input, `${replayTitle}: ${source.name}`);
};

/** Runs the trigger of a past run again under the debugger, with the code as it is in the editor; nothing it does is kept. */
export const debugRun: Command = (context, arg) =>
  runAgain(context, arg, 'Debug Run', { dry: true, debug: true });

/** Runs the trigger of a past run again, as it was received, with what is deployed. */
export const retryRun: Command = (context, arg) =>
  runAgain(context, arg, 'Retry Run', { dry: false, debug: false });

/** Running it again marks the failure as seen. */
async function runAgain(
  context: CommandContext,
  arg: unknown,
  title: string,
  how: { readonly dry: boolean; readonly debug: boolean },
): Promise<void> {
  const run = await pickRun(context, arg, title);
  if (run === undefined) return;
  const { source, input } = again(run);
  context.seen.see(run.folder, run.sourceId, run.invocationId);
  await runAs(context, run.folder, source, input, how);
}

/** Throws `not_found` for a run whose source was deleted. */
function again({ folder, sourceId, invocationId }: RunTarget): { source: Source; input: Input } {
  const source = folder.mirror.source(sourceId);
  if (source === undefined) throw new WeirError('not_found', 'The source of this run was deleted.');
  return { source, input: { invocation_id: invocationId } };
}

async function pickRun(
  context: CommandContext,
  arg: unknown,
  title: string,
): Promise<RunTarget | undefined> {
  if (isNode(arg, 'invocation')) {
    const { folder, invocation } = arg;
    return { folder, sourceId: invocation.source_id, invocationId: invocation.id };
  }
  const shown = runOfDocument(context, arg);
  if (shown !== undefined) return shown;
  if (isNode(arg, 'event')) {
    const { folder, event } = arg;
    return { folder, sourceId: event.metadata.emitter_id, invocationId: event.invocation_id };
  }
  const { chooseRun } = await import('../runs/choose-run.ts');
  const chosen = await chooseRun(context, { title });
  if (chosen === undefined) return undefined;
  const { folder, invocation } = chosen;
  return { folder, sourceId: invocation.source_id, invocationId: invocation.id };
}

async function runWith(
  context: CommandContext,
  folder: Folder,
  source: Source,
  input: Input,
  title: string,
): Promise<void> {
  const mode = await chooseMode(title);
  if (mode !== undefined) await runAs(context, folder, source, input, mode);
}

async function runAs(
  context: CommandContext,
  folder: Folder,
  source: Source,
  input: Input,
  mode: RunMode,
): Promise<void> {
  const { id: sourceId, name, path: file } = source;
  // A dry run is of the file as it is in the editor, not of what is deployed.
  if (file !== null) await pickFile(context.folders, file);
  if (mode.debug && folder.remote !== undefined && file !== null) {
    const { debugHere } = await import('../remote/remote.ts');
    await debugHere(context, folder, source, file, input);
  } else if (mode.dry) await dryRun(context, { folder, name, file, sourceId }, input, mode.debug);
  else await run(context, folder, source, input, mode);
}

async function run(
  context: CommandContext,
  folder: Folder,
  source: Source,
  input: Input,
  { debug }: RunMode,
): Promise<void> {
  if (debug) await startDebugger({ name: `Debug ${source.name}`, source: source.id, isRun: true });
  const client = await folder.link.ready();
  const ended: Invocation = await inView(() =>
    'event' in input
      ? client.call('sources.invoke', { id: source.id, event: input.event })
      : client.call('sources.replay', { id: source.id, ...input }),
  );
  reportRun(context, source, ended);
}

/** The component file a command is about, when no source is deployed from it. */
async function undeployedFile(
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

/** A source that is not deployed can only be run dry: its events would belong to nothing. */
async function runFile(context: CommandContext, file: string): Promise<void> {
  await pickFile(context.folders, file);
  const folder = context.folders.of(file);
  const definition = await inspectVisibly(context, folder, file);
  const { name, type, configurable_props: props, sample_emit: sample } = definition;
  if (type !== 'source') {
    const instead =
      type === 'action' ? 'an action, which takes no event; run or debug it' : 'an app';
    throw new WeirError('bad_component', `${path.basename(file)} is ${instead}.`);
  }
  const title = `${runTitle}: ${name}`;
  const input = await chooseInput(title, folder, { runs: [], sample }, context.clock.now());
  const mode = input && (await chooseMode(title, { deployed: false }));
  if (input === undefined || mode === undefined) return;
  const go = (values: Values, form?: Required<CallOptions>): Promise<void> =>
    dryRun(context, { folder, name, file, props: values }, input, mode.debug, form);
  if (props.some((prop) => isMissing(prop, {}))) {
    context.forms.open(propsTask(context.tasks, folder, file, definition, 'Dry Run', go));
  } else {
    await go({});
  }
}
