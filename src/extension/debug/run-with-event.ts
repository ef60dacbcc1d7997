import * as vscode from 'vscode';
import type { Invocation, Source } from '../../protocol/catalogue.ts';
import { WeirError } from '../../protocol/errors.ts';
import type { Command, CommandContext } from '../commands/context.ts';
import { pickFile } from '../commands/pick-file.ts';
import { pickEvent, pickSource } from '../commands/pick-target.ts';
import type { Folder } from '../connection/folder.ts';
import { inView } from '../notify.ts';
import { isNode } from '../views/nodes.ts';
import { dryRun } from './dry-run.ts';
import { chooseInput, chooseManner, type Input, type Manner } from './run-choice.ts';
import { runFile, undeployedFile } from './run-file.ts';
import { startDebugger } from './start-debugger.ts';

const runTitle = 'Run with Event';
const replayTitle = 'Replay';

/** Chooses what a source runs with and how: for real or dry, under the debugger or not. */
export const runWithEvent: Command = async (context, arg) => {
  const file = await undeployedFile(context, arg);
  if (file !== undefined) return runFile(context, file, runTitle);
  const target = await pickSource(context.folders, arg, runTitle);
  if (target === undefined) return;
  const { folder, source } = target;
  const client = await folder.link.ready();
  const { data: runs } = await client.call('invocations.list', { id: source.id, limit: 30 });
  const sample =
    source.path === null
      ? undefined
      : (await client.call('components.inspect', { component_path: source.path })).sample_emit;
  const title = `${runTitle}: ${source.name}`;
  const input = await chooseInput(title, folder, { runs, sample });
  if (input !== undefined) await runWith(context, folder, source, input, title);
};

/** Runs the trigger of a past run again, as it was received: a run's row, or that of its event. */
export const replay: Command = async (context, arg) => {
  const run = await pickRun(context, arg);
  if (run === undefined) return;
  const { folder, sourceId, invocationId } = run;
  const source = folder.mirror.source(sourceId);
  if (source === undefined) throw new WeirError('not_found', 'The source of this run is gone.');
  const title = `${replayTitle}: ${source.name}`;
  await runWith(context, folder, source, { invocation_id: invocationId }, title);
};

async function pickRun(
  context: CommandContext,
  arg: unknown,
): Promise<{ folder: Folder; sourceId: string; invocationId: string } | undefined> {
  if (isNode(arg, 'invocation')) {
    const { folder, invocation } = arg;
    return { folder, sourceId: invocation.source_id, invocationId: invocation.id };
  }
  const target = await pickEvent(context.folders, arg, replayTitle);
  if (target === undefined) return undefined;
  const { folder, event } = target;
  return { folder, sourceId: event.metadata.emitter_id, invocationId: event.invocation_id };
}

async function runWith(
  context: CommandContext,
  folder: Folder,
  source: Source,
  input: Input,
  title: string,
): Promise<void> {
  const { id: sourceId, name, path: file } = source;
  const manner = await chooseManner(title);
  if (manner === undefined) return;
  // The code as it is in the editor: a dry run is of the file, not of what is deployed.
  if (file !== null) await pickFile(file);
  if (manner.dry) await dryRun(context, { folder, name, file, sourceId }, input, manner.debug);
  else await run(folder, source, input, manner);
}

async function run(folder: Folder, source: Source, input: Input, { debug }: Manner): Promise<void> {
  if (debug) await startDebugger({ name: `Debug ${source.name}`, source: source.id });
  const client = await folder.link.ready();
  const ended: Invocation = await inView(() =>
    'event' in input
      ? client.call('sources.invoke', { id: source.id, event: input.event })
      : client.call('sources.replay', { id: source.id, ...input }),
  );
  if (ended.error !== null) {
    const { name, message } = ended.error;
    throw new WeirError('component_failed', `${source.name} failed. ${name}: ${message}`);
  }
  const emitted = ended.emitted_count === 1 ? '1 event' : `${ended.emitted_count} events`;
  vscode.window.setStatusBarMessage(`$(check) ${source.name} emitted ${emitted}`, 5000);
}
